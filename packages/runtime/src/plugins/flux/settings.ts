import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
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

/** Hosts of the job and processes on each. */
export function fluxSize(info: Info): { readonly nodes: number; readonly processes: number } {
  const { numNodes, numProcPerNode } = info.trainJob.spec.trainer ?? {}
  return {
    nodes: numNodes ?? podSetOfAncestor(info, ANCESTOR_TRAINER)?.count ?? 1,
    processes: numProcPerNode ?? info.mlPolicy?.flux?.numProcPerNode ?? 1,
  }
}
