import type { CommandHelp } from '../../help/command-help.ts'

export const versionHelp: CommandHelp = {
  name: 'version',
  summary: 'Print the version',
  usage: ['version [flags]'],
  flags: [{ flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] }],
  examples: [{ does: 'the version, and what it stands on', command: 'trainjob version' }],
}
