import { jobsOf, nodesOf, podOf } from './nodes-of.ts'
import { jobRule, type LintRule, runtimeRule } from './rule.ts'

const GANG = 'https://github.com/kubeflow/trainer/blob/v2.3.0/examples/yaml/04-volcano-integration.yaml'

/** Advice about scheduling all pods of a job together. */
export const GANG_RULES: readonly LintRule[] = [
  jobRule(
    {
      code: 'no-gang-policy',
      explanation: 'On a shared cluster two jobs may each get half of their nodes and wait for the rest for ever.',
      fix: 'add podGroupPolicy: {coscheduling: {}} or {volcano: {}} to the runtime, or let Kueue admit the job',
      link: GANG,
    },
    (trainJob, runtime) => {
      const nodes = nodesOf(trainJob, runtime)
      const queued = trainJob.metadata.labels?.['kueue.x-k8s.io/queue-name'] !== undefined
      if (runtime === undefined || runtime.spec.podGroupPolicy !== undefined || nodes < 2 || queued) return []
      return [
        {
          path: 'spec.runtimeRef',
          message: `${nodes} nodes, and the runtime ${runtime.metadata.name} has no podGroupPolicy`,
        },
      ]
    },
  ),
  runtimeRule(
    {
      code: 'gang-with-dependencies',
      explanation: 'The gang counts pods that are created only when others have ended: it is never complete.',
      fix: 'leave podGroupPolicy out, or fetch data in an init container',
      link: 'https://github.com/kubernetes-sigs/jobset/pull/1253',
    },
    (runtime) => {
      if (runtime.spec.podGroupPolicy === undefined) return []
      return jobsOf(runtime)
        .filter(({ job }) => job.dependsOn !== undefined && job.dependsOn.length > 0)
        .map(({ job, path }) => ({
          path: `${path}.dependsOn`,
          message: `${job.name} depends on other jobs of its gang`,
        }))
    },
  ),
  runtimeRule(
    {
      code: 'gang-without-scheduler',
      explanation: 'Kubernetes gives pods without schedulerName to its own scheduler, which knows no gangs.',
      fix: 'set schedulerName in the pod template, for example volcano or scheduler-plugins-scheduler, unless it is the default scheduler',
      link: GANG,
    },
    (runtime) => {
      const { podGroupPolicy } = runtime.spec
      if (podGroupPolicy?.volcano === undefined && podGroupPolicy?.coscheduling === undefined) return []
      return jobsOf(runtime)
        .filter(({ job }) => podOf(job).schedulerName === undefined)
        .map(({ job, path }) => ({ path, message: `the pods of ${job.name} name no scheduler` }))
    },
  ),
  runtimeRule(
    {
      code: 'several-priorities',
      explanation: 'A PodGroup has one priority: that of the last replicated job.',
      fix: 'give all replicated jobs the same priorityClassName',
      link: 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/runtime/framework/plugins/volcano/volcano.go',
    },
    (runtime) => {
      if (runtime.spec.podGroupPolicy?.volcano === undefined) return []
      const names = new Set(jobsOf(runtime).map(({ job }) => podOf(job).priorityClassName ?? 'none'))
      return names.size > 1
        ? [{ path: 'spec.template.spec.replicatedJobs', message: `priorities ${[...names].join(', ')}` }]
        : []
    },
  ),
]
