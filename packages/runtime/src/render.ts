import type { AnyTrainingRuntime, TrainJob } from '@trainjob/api'
import type { Info } from './info.ts'
import { newInfo } from './new-info.ts'
import { withMinMember } from './plugins/document/min-member.ts'
import { PLUGINS } from './plugins/registry.ts'
import type { Rendered, RenderOptions } from './types.ts'

/**
 * The objects that a TrainJob stands for: what the controller applies and what a dry run shows. Pure and synchronous.
 *
 * The arguments are never changed, but the result shares parts with them: treat both as immutable. Fields that the API
 * server would default need not be there.
 *
 * @throws RenderError `invalid-patch`, `env-injection-target-not-found`, `unsupported-mpi`, `flux-needs-nodes`,
 * `json-patch-failed`, `gpu-count-mismatch`
 * @example
 * import { TRAINER_API_VERSION, type TrainJob } from '@trainjob/api'
 *
 * const trainJob: TrainJob = {
 *   apiVersion: TRAINER_API_VERSION,
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist', namespace: 'default' },
 *   spec: { runtimeRef: { name: 'torch-distributed' }, trainer: { numNodes: 4 } },
 * }
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-distributed')
 * if (runtime === undefined) throw new Error('it is not shipped')
 * const { objects, podSets } = render(trainJob, runtime)
 * objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`) // => ['JobSet mnist']
 * podSets // => [{ name: 'node', ancestor: 'trainer', count: 4 }]
 */
export function render(trainJob: TrainJob, runtime: AnyTrainingRuntime, options: RenderOptions = {}): Rendered {
  const info = renderInfo(trainJob, runtime, options)
  const objects = withMinMember(
    info,
    PLUGINS.flatMap((plugin) => plugin.build?.(info) ?? []),
  )
  return { objects, podSets: podSetsOf(info), warnings: warningsOf(info) }
}

/** Everything up to the building of objects: the template with policies and pod counts in it. */
export function renderInfo(trainJob: TrainJob, runtime: AnyTrainingRuntime, options: RenderOptions): Info {
  return completeInfo(newInfo(trainJob, runtime, options))
}

/** Makes a rendering that has just begun complete, and answers it. */
export function completeInfo(info: Info): Info {
  for (const plugin of PLUGINS) plugin.enforceMLPolicy?.(info)
  for (const plugin of PLUGINS) plugin.enforcePodGroupPolicy?.(info)
  for (const plugin of PLUGINS) plugin.identifyPodNetwork?.(info)
  for (const plugin of PLUGINS) plugin.syncParallelCount?.(info)
  for (const plugin of PLUGINS) plugin.completeTemplate?.(info)
  return info
}

function warningsOf({ trainJob, namespace, warnings }: Info): Rendered['warnings'] {
  const object = { kind: trainJob.kind, namespace, name: trainJob.metadata.name ?? '' }
  return warnings.map((warning) => ({ ...warning, object }))
}

function podSetsOf(info: Info): Rendered['podSets'] {
  return info.podSets.map(({ name, ancestor, count }) =>
    ancestor === undefined ? { name, count } : { name, ancestor, count },
  )
}
