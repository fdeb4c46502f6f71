import type { CommandHelp } from '../../help/command-help.ts'
import { fileFlags } from '../../help/shared-flags.ts'

export const validateHelp: CommandHelp = {
  name: 'validate',
  summary: 'Check TrainJobs and runtimes without a cluster',
  usage: ['validate -f FILE... [-o text|json] [flags]'],
  description: `Check TrainJobs and runtimes without a cluster.

All faults are reported at once, with file, line and field. An error is what Kubeflow Trainer refuses; a warning is what
it accepts although it cannot work: "run" and "apply" refuse that unless told --force.`,
  flags: [
    ...fileFlags,
    { flags: '--old <file>', does: 'check the change from the objects in this file' },
    { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] },
    { flags: '-n, --namespace <name>', does: 'namespace of objects that name none; else `default`' },
  ],
  examples: [
    { does: 'a file', command: 'trainjob validate -f trainjob.yaml' },
    { does: 'may this change be applied?', command: 'trainjob validate -f new.yaml --old old.yaml' },
    { does: 'for a program', command: 'trainjob validate -f trainjob.yaml -o json' },
  ],
  exitCodes: ['0  valid, perhaps with warnings', '1  not valid', '2  a flag is wrong or a file cannot be read'],
}
