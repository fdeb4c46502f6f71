import type { AnyTrainingRuntime, KubernetesObject, TrainJob } from '@trainjob/api'
import { type CallOptions, isNotFound, type Reader } from '@trainjob/kube'
import { type FactKey, factsWanted } from '@trainjob/runtime'
import { resourceOfKind } from './rendered-resource.ts'

/** The objects, besides the JobSet, that rendering or validating the job depends on; those that exist. */
export async function readFacts(
  reader: Reader,
  trainJob: TrainJob,
  runtime: AnyTrainingRuntime,
  options: CallOptions = {},
): Promise<readonly KubernetesObject[]> {
  const found = await Promise.all(factsWanted(trainJob, runtime).map((key) => read(reader, key, options)))
  return found.filter((object) => object !== undefined)
}

/** A kind that the cluster does not serve counts as not there: applying it tells the user. */
async function read(
  reader: Reader,
  { group, kind, namespace, name }: FactKey,
  options: CallOptions,
): Promise<KubernetesObject | undefined> {
  const key = namespace === undefined ? { name } : { namespace, name }
  try {
    return await reader.get(resourceOfKind(group, kind), key, options)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
