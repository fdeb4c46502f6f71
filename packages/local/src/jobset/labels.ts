/** Keys that JobSet writes on its Jobs and their pods, as label and as annotation (source: jobset v0.12, api/jobset/v1alpha2). */
export const JOBSET_NAME = 'jobset.sigs.k8s.io/jobset-name'
export const JOBSET_UID = 'jobset.sigs.k8s.io/jobset-uid'
export const REPLICATED_JOB_NAME = 'jobset.sigs.k8s.io/replicatedjob-name'
export const REPLICATED_JOB_REPLICAS = 'jobset.sigs.k8s.io/replicatedjob-replicas'
export const RESTART_ATTEMPT = 'jobset.sigs.k8s.io/restart-attempt'
export const GLOBAL_REPLICAS = 'jobset.sigs.k8s.io/global-replicas'
export const JOB_INDEX = 'jobset.sigs.k8s.io/job-index'
export const JOB_GLOBAL_INDEX = 'jobset.sigs.k8s.io/job-global-index'
export const JOB_KEY = 'jobset.sigs.k8s.io/job-key'
export const GROUP_NAME = 'jobset.sigs.k8s.io/group-name'
export const GROUP_REPLICAS = 'jobset.sigs.k8s.io/group-replicas'
export const JOB_GROUP_INDEX = 'jobset.sigs.k8s.io/job-group-index'
export const COORDINATOR = 'jobset.sigs.k8s.io/coordinator'

/** Label of a pod: its priority. */
export const PRIORITY = 'jobset.sigs.k8s.io/priority'

/** Annotations of exclusive placement. They are handed on, and mean nothing on a single machine. */
export const EXCLUSIVE_TOPOLOGY = 'alpha.jobset.sigs.k8s.io/exclusive-topology'
export const NODE_SELECTOR_STRATEGY = 'alpha.jobset.sigs.k8s.io/node-selector'
/** Node label and taint of that strategy. */
export const NAMESPACED_JOB = 'alpha.jobset.sigs.k8s.io/namespaced-job'
export const NO_SCHEDULE_TAINT = 'alpha.jobset.sigs.k8s.io/no-schedule'

/** `managedBy` of JobSets that the built-in controller runs. */
export const JOBSET_CONTROLLER_NAME = 'jobset.sigs.k8s.io/jobset-controller'
