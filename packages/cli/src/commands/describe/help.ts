import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const describeHelp: CommandHelp = {
  name: 'describe',
  summary: 'Show a TrainJob: state, nodes, events, hints',
  usage: ['describe NAME... [flags]'],
  flags: [
    ...connectionFlags,
    { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] },
  ],
  examples: [{ does: 'why does it not run?', command: 'trainjob describe mnist' }],
}
