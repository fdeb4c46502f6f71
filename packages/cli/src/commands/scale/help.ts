import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags } from '../../help/shared-flags.ts'

export const scaleHelp: CommandHelp = {
  name: 'scale',
  summary: 'Give elastic TrainJobs more or fewer nodes',
  usage: ['scale NAME... --nodes N [flags]'],
  description: `Give elastic TrainJobs more or fewer nodes, also while they run.

Only a job of an elastic runtime, such as torch-elastic, has a number of nodes that can change, within the bounds of
that runtime. Its program is started again on all nodes and goes on from its last checkpoint.
The controller of Kubeflow Trainer itself cannot do that.`,
  flags: [
    { flags: '--nodes <n>', does: 'number of nodes that the job shall have' },
    { flags: '--replicas <n>', does: 'the same, as kubectl calls it' },
    ...connectionFlags,
  ],
  examples: [{ does: 'go on with three nodes', command: 'trainjob scale mnist --nodes 3' }],
}
