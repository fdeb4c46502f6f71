import {
  type AnyTrainingRuntime,
  type Issue,
  type JobSet,
  type KubernetesObject,
  NODE_NAME,
  type TrainJob,
} from '@trainjob/api'
import { RenderError } from '../error.ts'
import { render } from '../render.ts'
import { withRuntimeNames } from '../runtime-names.ts'
import { validate } from '../validate.ts'
import { differences } from './differences.ts'
import { withPatches, withTrainer } from './lower-jobset.ts'

/** A job for a cluster whose controller is upstream's, and what could not be said there. */
export interface LoweredTrainJob {
  readonly trainJob: TrainJob
  /** Empty when the job means the same there. */
  readonly refusals: readonly Issue[]
}

/** Of annotations that hold what the canonical API has no field for. */
const OWN_PREFIX = 'trainjob.dev/'

/**
 * Says in fields that upstream's controller knows what this project keeps in annotations of job and runtime: operations
 * on the JobSet, GPUs and CPUs of a node, the document's environment. What comes out is rendered as upstream would and
 * compared with what was meant, so that nothing is lost without being named.
 *
 * @param runtime as it is in the cluster
 * @throws RenderError when the job cannot be rendered at all
 * @example
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-distributed')
 * if (runtime === undefined) throw new Error('it is not shipped')
 * const path = '/spec/replicatedJobs/0/template/spec/containers/0/env/-'
 * const patch = [{ op: 'add', path, value: { name: 'LOG', value: 'debug' } }]
 * const annotations = { 'trainjob.dev/json-patches': JSON.stringify([{ manager: 'me', patch }]) }
 * const job = { ...trainJob, metadata: { ...trainJob.metadata, annotations } }
 * lowerTrainJob(job, runtime).trainJob.spec.trainer?.env // => [{ name: 'LOG', value: 'debug' }]
 */
export function lowerTrainJob(trainJob: TrainJob, runtime: AnyTrainingRuntime): LoweredTrainJob {
  const bare = withoutOwnAnnotations(withRuntimeNames(trainJob, runtime))
  const there = withoutOwnAnnotations(runtime)
  if (bare === trainJob && there === runtime) return { trainJob, refusals: [] }
  // without it upstream leaves the environment out (kubeflow/trainer#4076)
  const trainer = bare.spec.trainer ?? {}
  const wanted = rendered({ ...trainJob, spec: { ...trainJob.spec, trainer } }, runtime)
  const first = tried({ ...bare, spec: { ...bare.spec, trainer } }, there)
  if (first instanceof RenderError) return { trainJob: bare, refusals: [refusal(trainJob, first.path, first.message)] }
  let lowered = withPatches(bare, jobSetIn(first), jobSetIn(wanted))
  let result = tried(lowered, there)
  if (!(result instanceof RenderError) && differences(wanted, result).length > 0) {
    // processes follow resources unless they are said too
    lowered = withTrainer(lowered, jobSetIn(result), jobSetIn(wanted))
    result = tried(lowered, there)
  }
  if (result instanceof RenderError)
    return { trainJob: lowered, refusals: [refusal(trainJob, result.path, result.message)] }
  const left = differences(wanted, result)
  const { errors } = validate(lowered, there, { compat: 'upstream' })
  return {
    trainJob: lowered,
    refusals: [
      ...left.map(({ path, wanted: value }) =>
        refusal(trainJob, '', `cannot say there that ${path} is ${shown(value)}`),
      ),
      ...errors.map(({ path, message }) => refusal(trainJob, path, message)),
    ],
  }
}

function rendered(trainJob: TrainJob, runtime: AnyTrainingRuntime): readonly KubernetesObject[] {
  return render(trainJob, runtime, { compat: 'upstream' }).objects
}

function tried(trainJob: TrainJob, runtime: AnyTrainingRuntime): readonly KubernetesObject[] | RenderError {
  try {
    return rendered(trainJob, runtime)
  } catch (error) {
    if (error instanceof RenderError) return error
    throw error
  }
}

function jobSetIn(objects: readonly KubernetesObject[]): JobSet | undefined {
  return objects.find(({ kind }) => kind === 'JobSet') as JobSet | undefined
}

function withoutOwnAnnotations<T extends KubernetesObject>(object: T): T {
  const { annotations = {} } = object.metadata
  const kept = Object.entries(annotations).filter(([name]) => !name.startsWith(OWN_PREFIX))
  if (kept.length === Object.keys(annotations).length) return object
  const { annotations: _, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) } }
}

function refusal({ kind, metadata }: TrainJob, path: string, reason: string): Issue {
  const text = `the cluster has Kubeflow Trainer's own controller: ${reason}. Take it out, say it in the runtime (${NODE_NAME} and other containers there take any field), or submit to a cluster with the controller of trainjob`
  return {
    path,
    code: 'not-in-upstream',
    message: text,
    object: { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'left out'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
