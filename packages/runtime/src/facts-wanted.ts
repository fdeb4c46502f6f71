import type { AnyTrainingRuntime, TrainJob } from '@trainjob/api'
import type { FactKey } from './find-fact.ts'
import { PLUGINS } from './plugins/registry.ts'

/**
 * The objects that `render` and `validate` of this job look for in `facts.objects`, besides its JobSet: a caller reads
 * them first and passes on those that exist.
 *
 * @example
 * import { TRAINER_API_VERSION, type TrainJob } from '@trainjob/api'
 *
 * const trainJob: TrainJob = {
 *   apiVersion: TRAINER_API_VERSION,
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist', namespace: 'default' },
 *   spec: { runtimeRef: { name: 'deepspeed-distributed' } },
 * }
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === 'deepspeed-distributed')
 * if (runtime === undefined) throw new Error('it is not shipped')
 * factsWanted(trainJob, runtime).map(({ kind, name }) => `${kind} ${name}`) // => ['Secret mnist-mpi-ssh-auth']
 */
export function factsWanted(trainJob: TrainJob, runtime: AnyTrainingRuntime): readonly FactKey[] {
  return PLUGINS.flatMap((plugin) => plugin.factsWanted?.(trainJob, runtime) ?? [])
}
