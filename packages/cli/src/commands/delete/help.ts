import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags, fileFlags, selectorFlag } from '../../help/shared-flags.ts'

export const deleteHelp: CommandHelp = {
  name: 'delete',
  summary: 'Delete TrainJobs, with all that belongs to them',
  usage: [
    'delete NAME... [flags]',
    'delete KIND NAME... [flags]',
    'delete -f FILE... [flags]',
    'delete -l QUERY [flags]',
  ],
  flags: [
    ...fileFlags,
    ...connectionFlags,
    selectorFlag,
    { flags: '--all', does: 'all of the namespace' },
    { flags: '--ignore-not-found', does: 'no error for what is not there' },
    { flags: '--no-wait', does: 'do not wait until they are gone' },
    { flags: '-o, --output <form>', does: 'form of the output', choices: ['name'] },
  ],
  examples: [
    { does: 'a job', command: 'trainjob delete mnist' },
    { does: 'what a file created', command: 'trainjob delete -f trainjob.yaml' },
  ],
}
