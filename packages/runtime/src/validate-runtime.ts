import {
  ANCESTOR_CONTAINERS,
  ANCESTOR_LABEL,
  type AnyTrainingRuntime,
  type Findings,
  type Issue,
  type ReplicatedJob,
  RUNTIME_DEPRECATION_POLICY_URL,
  SUPPORT_DEPRECATED,
  SUPPORT_LABEL,
} from '@trainjob/api'

/**
 * What upstream's webhook says about a runtime: every job with an ancestor label has one replica and the container that
 * the ancestor needs. Deprecated cluster runtimes are a warning.
 * Source: kubeflow/trainer v2.3.0, pkg/webhooks/{,cluster}trainingruntime_webhook.go.
 *
 * @example
 * import { ANCESTOR_LABEL, ANCESTOR_TRAINER, TRAINER_API_VERSION, type TrainingRuntime } from '@trainjob/api'
 *
 * const containers = [{ name: 'main' }]
 * const template = {
 *   metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
 *   spec: { template: { spec: { containers } } },
 * }
 * const runtime: TrainingRuntime = {
 *   apiVersion: TRAINER_API_VERSION,
 *   kind: 'TrainingRuntime',
 *   metadata: { name: 'mine', namespace: 'default' },
 *   spec: { template: { spec: { replicatedJobs: [{ name: 'node', replicas: 2, template }] } } },
 * }
 * validateRuntime(runtime).errors.map(({ path, code }) => [path, code])
 * // => [
 * //   ['spec.template.spec.replicatedJobs[0].replicas', 'invalid-value'],
 * //   ['spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers', 'required'],
 * // ]
 */
export function validateRuntime(runtime: AnyTrainingRuntime): Findings {
  const { kind, metadata, spec } = runtime
  const object = { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  const jobs = spec.template?.spec?.replicatedJobs ?? []
  const errors: Issue[] = jobs.flatMap((job, index) =>
    [...faultsOf(job, `spec.template.spec.replicatedJobs[${index}]`)].map((fault) => ({ ...fault, object })),
  )
  const isDeprecated = kind === 'ClusterTrainingRuntime' && metadata.labels?.[SUPPORT_LABEL] === SUPPORT_DEPRECATED
  const deprecated: Issue = {
    path: 'metadata.labels',
    code: 'deprecated-runtime',
    message: `the runtime ${object.name} is deprecated and will go in a future release of Kubeflow Trainer; see ${RUNTIME_DEPRECATION_POLICY_URL}`,
    object,
  }
  return { errors, warnings: isDeprecated ? [deprecated] : [] }
}

function* faultsOf(job: ReplicatedJob, path: string): Generator<Omit<Issue, 'object'>> {
  const ancestor = job.template?.metadata?.labels?.[ANCESTOR_LABEL]
  const container = ancestor === undefined ? undefined : ANCESTOR_CONTAINERS[ancestor]
  if (container === undefined) return
  const replicas = job.replicas ?? 1
  if (replicas !== 1) {
    yield {
      path: `${path}.replicas`,
      code: 'invalid-value',
      message: `expected 1 replica of a job with the ancestor label, found ${replicas}; the number of pods comes from numNodes`,
    }
  }
  const containers = job.template?.spec?.template?.spec?.containers ?? []
  if (containers.some(({ name }) => name === container)) return
  yield {
    path: `${path}.template.spec.template.spec.containers`,
    code: 'required',
    message: `expected a container named ${container}, which the ancestor label ${ancestor} asks for; found ${containers.map(({ name }) => name).join(', ') || 'none'}`,
  }
}
