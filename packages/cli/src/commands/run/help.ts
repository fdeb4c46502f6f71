import type { CommandHelp } from '../../help/command-help.ts'
import { containerFlags, fileFlags } from '../../help/shared-flags.ts'

export const runHelp: CommandHelp = {
  name: 'run',
  summary: 'Run TrainJobs on this machine, to the end',
  usage: [
    'run -f FILE... [flags]',
    'run [--nodes N] [--runtime NAME] [flags] -- COMMAND [ARG...]',
    'run --runtime NAME [--nodes N] [flags]',
  ],
  description: `Run TrainJobs on this machine, to the end.

An embedded cluster in this very process runs every node of the job as a process. Images are not pulled unless --runner
names a container engine: commands run with the tools found here, in a copy of nothing: the current folder is the
working folder, also under /workspace. Log lines go to stdout behind the name of their node, everything else to stderr.
When the command ends, nothing of it is left running; "logs NAME" still shows what the last 20 runs printed.

A runtime that has a command of its own, such as torchtune-llama3.2-1b, runs without one.`,
  flags: [
    ...fileFlags,
    { flags: '--nodes <n>', does: 'number of nodes' },
    { flags: '--runtime <name>', does: 'runtime of the command behind `--`; else torch-distributed' },
    { flags: '--name <name>', does: 'name of the job; else made from the command' },
    { flags: '-e, --env <name=value>', does: 'environment variable of every node; may be repeated', repeat: true },
    { flags: '--workspace <dir>', does: 'folder that the nodes work in; else the current one' },
    ...containerFlags,
    { flags: '--data <dir>', does: 'folder that keeps persistent volume claims; else they go with the run' },
    { flags: '--no-fit', does: 'do not scale requests down to this machine; what does not fit waits' },
    { flags: '-n, --namespace <name>', does: 'namespace of objects that name none; else `default`' },
    { flags: '--force', does: 'run although a check warns that it will fail' },
    {
      flags: '-o, --output <form>',
      does: 'the final TrainJobs on stdout, log lines on stderr',
      choices: ['json', 'yaml'],
    },
  ],
  examples: [
    {
      does: 'the TrainJob of a file, with the runtimes of the same file or the shipped ones',
      command: 'trainjob run -f trainjob.yaml',
    },
    {
      does: 'four nodes that find each other through PET_MASTER_ADDR',
      command: 'trainjob run --nodes 4 -- python train.py --epochs 3',
    },
    {
      does: 'the same checkpoints in every run: claims keep what is in them',
      command: 'trainjob run -f trainjob.yaml --data ./volumes',
    },
    { does: 'two torchrun nodes', command: 'trainjob run --nodes 2 -- torchrun train.py' },
  ],
  exitCodes: [
    '0    every job is Complete',
    '1    a job is Failed',
    '2    a flag or a file is wrong; nothing was started',
    '130  Ctrl-C (143: SIGTERM); all processes are gone',
  ],
}
