import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const doctorHelp: CommandHelp = {
  name: 'doctor',
  summary: 'Look whether a cluster has what TrainJobs need',
  usage: ['doctor [flags]'],
  description: `Look at the definitions of TrainJobs, at JobSet (0.10.1 or newer), at the cluster's runtimes, at the gate for
progress of Kubeflow Trainer's controller, and at Kueue (0.12 or newer for MultiKueue). Nothing is changed.`,
  flags: [
    ...connectionFlags,
    { flags: '-o, --output <form>', does: 'form of the output; else a table', choices: ['json'] },
  ],
  examples: [
    { does: 'of the kubeconfig', command: 'trainjob doctor' },
    { does: 'of the embedded cluster', command: 'trainjob doctor --local' },
  ],
  exitCodes: ['0  TrainJobs can run', '1  something that every job needs is missing or too old'],
}
