import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type AnyTrainingRuntime,
  type Container,
  CPUS_ANNOTATION,
  ELASTIC_ANNOTATION,
  FLUX_REPLICAS_ANNOTATION,
  GPUS_ANNOTATION,
  type Issue,
  MIN_MEMBER_ANNOTATION,
  NODE_NAME,
  PROCESSES_ANNOTATION,
  type ReplicatedJob,
  SSHD_PORT_ANNOTATION,
} from '@trainjob/api'
import { render } from '../render.ts'

/** A runtime for a cluster whose controller is upstream's, and what could not be said there. */
export interface LoweredRuntime {
  readonly runtime: AnyTrainingRuntime
  readonly refusals: readonly Issue[]
}

/** What upstream's controller has no field for, under the name by which the document knows it, and what to do. */
const FOREIGN: readonly (readonly [annotation: string, written: string, instead: string])[] = [
  [ELASTIC_ANNOTATION, 'mlPolicy.torch.elastic', 'set mlPolicy.numNodes and start torchrun with --nnodes=MIN:MAX'],
  [PROCESSES_ANNOTATION, 'the number of processes per node', 'set numProcPerNode in the jobs'],
  [SSHD_PORT_ANNOTATION, 'mlPolicy.mpi.sshdPort', 'have sshd listen on port 22'],
]

/**
 * Says in fields that upstream's controller knows what this project keeps in annotations of a runtime: GPUs and CPUs of a
 * node. The annotations stay; upstream does not look at them, and `lowerTrainJob` does.
 *
 * @example
 * const [runtime] = shippedRuntimes()
 * if (runtime === undefined) throw new Error('there is none')
 * const annotations = { 'trainjob.dev/torch-elastic': '{"minReplicas":1,"maxReplicas":4}' }
 * const { refusals } = lowerRuntime({ ...runtime, metadata: { ...runtime.metadata, annotations } })
 * refusals.map(({ code }) => code) // => ['not-in-upstream']
 */
export function lowerRuntime(runtime: AnyTrainingRuntime): LoweredRuntime {
  const { annotations = {} } = runtime.metadata
  const refusals = FOREIGN.filter(([name]) => annotations[name] !== undefined).map(([, written, instead]) =>
    refusal(runtime, `${written} is not known there; ${instead}`),
  )
  const [gpus, cpus] = [annotations[GPUS_ANNOTATION], annotations[CPUS_ANNOTATION]]
  const lowered = gpus === undefined && cpus === undefined ? runtime : withResources(runtime, gpus, cpus)
  return { runtime: lowered, refusals: [...refusals, ...gangRefusals(runtime), ...fluxRefusals(runtime)] }
}

/** Upstream counts all pods; another number of the document cannot be said. */
function gangRefusals(runtime: AnyTrainingRuntime): readonly Issue[] {
  const minMember = runtime.metadata.annotations?.[MIN_MEMBER_ANNOTATION]
  if (minMember === undefined) return []
  const { annotations: _, ...metadata } = runtime.metadata
  const plain: AnyTrainingRuntime = { ...runtime, metadata }
  const job = {
    apiVersion: runtime.apiVersion,
    kind: 'TrainJob' as const,
    metadata: { name: 'any', namespace: 'any' },
    spec: { runtimeRef: { name: runtime.metadata.name ?? '' }, trainer: {} },
  }
  const pods = render(job, plain, { compat: 'upstream' }).podSets.reduce((sum, { count }) => sum + count, 0)
  if (String(pods) === minMember) return []
  return [refusal(runtime, `minMember is always the number of all pods there, ${pods}, not ${minMember}; leave it out`)]
}

function fluxRefusals(runtime: AnyTrainingRuntime): readonly Issue[] {
  const bounds = runtime.metadata.annotations?.[FLUX_REPLICAS_ANNOTATION]
  if (bounds === undefined) return []
  const [min = 1, max = min] = bounds.split(':').map(Number)
  const nodes = runtime.spec.mlPolicy?.numNodes ?? 1
  if (min === nodes && max === nodes) return []
  return [
    refusal(
      runtime,
      `fluxMinReplicas and fluxMaxReplicas are not known there; leave them out, clusters have ${nodes} nodes`,
    ),
  ]
}

function withResources(
  runtime: AnyTrainingRuntime,
  gpus: string | undefined,
  cpus: string | undefined,
): AnyTrainingRuntime {
  const { template } = runtime.spec
  const replicatedJobs = template?.spec?.replicatedJobs?.map((job) => withNode(job, gpus, cpus))
  return {
    ...runtime,
    spec: { ...runtime.spec, template: { ...template, spec: { ...template?.spec, replicatedJobs } } },
  } as AnyTrainingRuntime
}

function withNode(job: ReplicatedJob, gpus: string | undefined, cpus: string | undefined): ReplicatedJob {
  const { spec, metadata } = job.template
  const pod = spec?.template.spec
  if (pod === undefined || metadata?.labels?.[ANCESTOR_LABEL] !== ANCESTOR_TRAINER) return job
  const containers = pod.containers.map((one) => (one.name === NODE_NAME ? limited(one, gpus, cpus) : one))
  return {
    ...job,
    template: { ...job.template, spec: { ...spec, template: { ...spec?.template, spec: { ...pod, containers } } } },
  }
}

function limited(container: Container, gpus: string | undefined, cpus: string | undefined): Container {
  const { limits, requests, ...rest } = container.resources ?? {}
  const hasGpus = Object.keys(limits ?? {}).some((name) => name.includes('gpu'))
  const hasCpus = limits?.cpu !== undefined || requests?.cpu !== undefined
  return {
    ...container,
    resources: {
      ...rest,
      ...(gpus !== undefined && !hasGpus ? { limits: { ...limits, 'nvidia.com/gpu': gpus } } : limits && { limits }),
      ...(cpus !== undefined && !hasCpus ? { requests: { ...requests, cpu: cpus } } : requests && { requests }),
    },
  }
}

function refusal({ kind, metadata }: AnyTrainingRuntime, reason: string): Issue {
  return {
    path: '',
    code: 'not-in-upstream',
    message: `the cluster has Kubeflow Trainer's own controller: ${reason}`,
    object: { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
  }
}
