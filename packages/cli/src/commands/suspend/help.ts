import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const suspendHelp: CommandHelp = {
  name: 'suspend',
  summary: 'Stop the pods of TrainJobs, keep the jobs',
  usage: ['suspend NAME... [flags]'],
  flags: [...connectionFlags],
  examples: [{ does: 'free the machines for a while', command: 'trainjob suspend mnist' }],
}
