import { ANCESTOR_TRAINER, FLUX_REPLICAS_ANNOTATION, NODE_NAME } from '@trainjob/api'
import { containerOfAncestor, type Info, podSetOfAncestor } from '../../info.ts'
import { BROKER_DEFAULTS } from './constants.ts'

/** What can be set about the brokers. */
export type BrokerSettings = Readonly<Record<keyof typeof BROKER_DEFAULTS, string>>

/** Variables of the TrainJob, else of the runtime's node container, else the defaults. */
export function brokerSettings(info: Info): BrokerSettings {
  const settings: Record<string, string> = { ...BROKER_DEFAULTS }
  for (const { name, value } of containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)?.env ?? []) {
    if (name in settings && value !== undefined && value !== '') settings[name] = value
  }
  for (const { name, value = '' } of info.trainJob.spec.trainer?.env ?? []) {
    if (name in settings) settings[name] = value
  }
  return settings as BrokerSettings
}

/** Fewest brokers with which the cluster begins, and most that it may have. */
export interface FluxBounds {
  readonly min: number
  readonly max: number
}

/** What the runtime says of the size of its clusters, in the annotation of the document's form. */
export function fluxBounds({ runtimeMetadata }: Info): FluxBounds | undefined {
  const [, min, max] = /^(\d+):(\d+)$/.exec(runtimeMetadata.annotations?.[FLUX_REPLICAS_ANNOTATION] ?? '') ?? []
  return min === undefined ? undefined : { min: Number(min), max: Number(max) }
}

/** Hosts of the job, within the bounds of its runtime, and processes on each. */
export function fluxSize(info: Info): { readonly nodes: number; readonly processes: number } {
  const { numNodes, numProcPerNode } = info.trainJob.spec.trainer ?? {}
  const wanted = numNodes ?? podSetOfAncestor(info, ANCESTOR_TRAINER)?.count ?? 1
  const { min, max } = fluxBounds(info) ?? { min: wanted, max: wanted }
  return {
    nodes: Math.min(Math.max(wanted, min), max),
    processes: numProcPerNode ?? info.mlPolicy?.flux?.numProcPerNode ?? 1,
  }
}
