import type { CommandHelp } from '../../help/command-help.ts'
import { fileFlags } from '../../help/shared-flags.ts'

export const renderHelp: CommandHelp = {
  name: 'render',
  summary: 'Print the objects that the controller would apply',
  usage: ['render -f FILE... [-o json|yaml] [flags]'],
  description: `Print a List of the objects that the controller would apply for every TrainJob in the files, in that order.

Looks at no cluster and no clock: the same files always give the same text. A runtime comes from the files, else from
those that are shipped; other objects in the files count as being in the cluster.`,
  flags: [
    ...fileFlags,
    { flags: '-o, --output <form>', does: 'form of the output; else yaml', choices: ['json', 'yaml'] },
    { flags: '-n, --namespace <name>', does: 'namespace of objects that name none; else `default`' },
    {
      flags: '--compat <target>',
      does: "exactly what Kubeflow Trainer's own controller renders",
      choices: ['upstream'],
    },
  ],
  examples: [
    { does: 'see the JobSet behind a TrainJob', command: 'trainjob render -f trainjob.yaml' },
    {
      does: 'what would change if the runtime did',
      command: 'trainjob render -f trainjob.yaml -f runtime.yaml -o json | diff before.json -',
    },
  ],
  exitCodes: ['0  rendered', '1  a TrainJob cannot be rendered', '2  a flag or a file is wrong'],
}
