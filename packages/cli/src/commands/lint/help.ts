import type { CommandHelp } from '../../help/command-help.ts'
import { fileFlags } from '../../help/shared-flags.ts'

export const lintHelp: CommandHelp = {
  name: 'lint',
  summary: 'Advice on TrainJobs and runtimes, and the canonical form of them',
  usage: ['lint -f FILE... [-o text|json] [flags]', 'lint -f FILE... --fix'],
  description: `Advice on TrainJobs and runtimes.

Beside what "validate" says: what a server accepts and what often turns out not to be meant, each with what to do and
where upstream discusses it; and every place that is written in another form than Kubeflow Trainer 2.3 knows.
--fix writes the files in canonical form; comments stay. What has more than one meaning is left alone and reported.`,
  flags: [
    ...fileFlags,
    { flags: '--fix', does: 'write the canonical form into the files; of stdin to stdout' },
    { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] },
    { flags: '-n, --namespace <name>', does: 'namespace of objects that name none; else `default`' },
  ],
  examples: [
    { does: 'a file', command: 'trainjob lint -f trainjob.yaml' },
    { does: 'bring it into the form that every cluster takes', command: 'trainjob lint -f trainjob.yaml --fix' },
    { does: 'for a program', command: 'trainjob lint -f trainjob.yaml -o json' },
  ],
  exitCodes: ['0  valid, perhaps with advice', '1  not valid', '2  a flag is wrong or a file cannot be read'],
}
