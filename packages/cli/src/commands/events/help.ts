import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const eventsHelp: CommandHelp = {
  name: 'events',
  summary: 'Show what happened to a TrainJob and its parts',
  usage: ['events [NAME] [flags]'],
  flags: [
    ...connectionFlags,
    { flags: '-A, --all-namespaces', does: 'of all namespaces; without NAME only' },
    { flags: '-o, --output <form>', does: 'form of the output; else a table', choices: ['json', 'yaml', 'wide'] },
    { flags: '--no-headers', does: 'no line with the names of the columns' },
  ],
  examples: [
    { does: 'of a job, its JobSet, Jobs and Pods', command: 'trainjob events mnist' },
    { does: 'of the namespace', command: 'trainjob events' },
  ],
}
