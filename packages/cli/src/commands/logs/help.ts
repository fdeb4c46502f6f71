import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const logsHelp: CommandHelp = {
  name: 'logs',
  summary: 'Print what the nodes of a TrainJob wrote',
  usage: ['logs NAME [flags]'],
  description: `Print what the nodes of a TrainJob wrote, each line behind the name of its node.

A job that is in no cluster any more but ran here with "run" is read from the record of that run.`,
  flags: [
    ...connectionFlags,
    { flags: '-f, --follow', does: 'wait for nodes that have not started, go on until the job ends' },
    { flags: '--node <name>', does: 'only this node, as in node-0; may be repeated', repeat: true },
    { flags: '-c, --container <name>', does: 'another container than the main one' },
    { flags: '--tail <n>', does: 'only the last lines of each node' },
    { flags: '--since <duration>', does: 'only lines newer than this, as in 30s, 5m, 2h' },
    { flags: '-p, --previous', does: 'the run before the last restart' },
    { flags: '--timestamps', does: 'the time in front of each line' },
    {
      flags: '--prefix[=when]',
      does: 'node name in front of each line; else auto, when there are several',
      choices: ['always', 'never', 'auto'],
      alone: 'always',
    },
    {
      flags: '-o, --output <form>',
      does: 'form of the lines; json prints one object a line',
      choices: ['text', 'json'],
    },
  ],
  examples: [
    { does: 'follow a job to its end', command: 'trainjob logs -f mnist' },
    { does: 'what the first node said last', command: 'trainjob logs mnist --node node-0 --tail 20' },
    { does: 'the attempt that failed', command: 'trainjob logs mnist --previous' },
  ],
  exitCodes: [
    '0  printed; with -f: the job is Complete',
    '1  no such job, or the request failed; with -f: the job is Failed or gone',
    '2  a flag is wrong',
    '4  with -f: the cluster gave no usable answer',
  ],
}
