import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags, fileFlags } from '../../help/shared-flags.ts'

export const applyHelp: CommandHelp = {
  name: 'apply',
  summary: 'Create or change the objects of a file',
  usage: ['apply -f FILE... [flags]'],
  description:
    'Create or change the objects of the files, by server-side apply. All files are checked before the first object is sent.',
  flags: [
    ...fileFlags,
    ...connectionFlags,
    {
      flags: '--dry-run[=mode]',
      does: 'check only, store nothing; else none',
      choices: ['none', 'client', 'server'],
      alone: 'server',
    },
    { flags: '--force', does: 'send although a check warns that it will fail' },
    { flags: '--force-conflicts', does: 'take over fields that somebody else set' },
    { flags: '--field-manager <name>', does: 'who the fields belong to afterwards; else `trainjob`' },
    { flags: '-o, --output <form>', does: 'the objects as the server stored them', choices: ['json', 'yaml', 'name'] },
  ],
  examples: [
    { does: 'submit a job', command: 'trainjob apply -f trainjob.yaml' },
    {
      does: 'submit it to the cluster in the background of this machine',
      command: 'trainjob apply --local -f trainjob.yaml',
    },
  ],
}
