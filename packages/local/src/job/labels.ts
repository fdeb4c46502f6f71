/**
 * Names that a Job writes on its pods (source: kubernetes/api, batch/v1 types; the unprefixed label names are the
 * older spelling, which real clusters still set).
 */
export const CONTROLLER_UID_LABEL = 'batch.kubernetes.io/controller-uid'
export const JOB_NAME_LABEL = 'batch.kubernetes.io/job-name'
export const LEGACY_CONTROLLER_UID_LABEL = 'controller-uid'
export const LEGACY_JOB_NAME_LABEL = 'job-name'

/** Label and annotation of a pod of an Indexed Job. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'
/** Annotation: counted failures of the index before this pod, with `backoffLimitPerIndex`. */
export const INDEX_FAILURE_COUNT = 'batch.kubernetes.io/job-index-failure-count'
/** Annotation: the same for failures that the pod failure policy ignores. */
export const INDEX_IGNORED_FAILURE_COUNT = 'batch.kubernetes.io/job-index-ignored-failure-count'

/** Finalizer of a pod whose end the Job has not counted yet. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking'

/** Environment variable of the containers of an Indexed Job. */
export const COMPLETION_INDEX_ENV = 'JOB_COMPLETION_INDEX'

/** `managedBy` of Jobs that the built-in controller runs. */
export const JOB_CONTROLLER_NAME = 'kubernetes.io/job-controller'
