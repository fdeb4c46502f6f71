import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const resumeHelp: CommandHelp = {
  name: 'resume',
  summary: 'Start suspended TrainJobs again',
  usage: ['resume NAME... [flags]'],
  flags: [...connectionFlags],
  examples: [{ does: 'go on', command: 'trainjob resume mnist' }],
}
