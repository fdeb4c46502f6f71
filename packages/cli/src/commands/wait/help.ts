import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const waitHelp: CommandHelp = {
  name: 'wait',
  summary: 'Wait until TrainJobs are in a state',
  usage: ['wait NAME... [--for STATE] [--timeout DURATION] [flags]'],
  flags: [
    ...connectionFlags,
    {
      flags: '--for <state>',
      does: 'Complete, Failed, Running, Suspended or delete, also as condition=STATE; else Complete',
    },
    { flags: '--timeout <duration>', does: 'give up after this time, as in 90s, 10m, 2h; else never' },
    { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json', 'name'] },
  ],
  examples: [
    { does: 'go on when the model is there', command: 'trainjob wait mnist --timeout 2h && ./publish' },
    { does: 'all nodes have a place', command: 'trainjob wait mnist --for Running --timeout 10m' },
  ],
  exitCodes: [
    '0  every job is in that state',
    '1  a job ended in another state, or is gone',
    '2  a flag is wrong',
    '3  the time is over',
    '4  the cluster gave no usable answer, or has no such job',
  ],
}
