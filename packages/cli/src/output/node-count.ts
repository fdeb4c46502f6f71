import { NODES_ANNOTATION, type TrainJob } from '@trainjob/api'

/** How many nodes a job asks for, since it was last scaled; `undefined` when it leaves that to its runtime. */
export function nodeCount({ metadata, spec }: TrainJob): number | undefined {
  const scaled = metadata.annotations?.[NODES_ANNOTATION]
  return scaled !== undefined && /^\d+$/.test(scaled) ? Number(scaled) : spec.trainer?.numNodes
}
