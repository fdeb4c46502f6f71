import type { CommandHelp, FlagHelp } from '../../help/command-help.ts'
import { containerFlags } from '../../help/shared-flags.ts'

const name: FlagHelp = { flags: '--name <name>', does: 'which one; else `default`' }

export const localUpHelp: CommandHelp = {
  name: 'local up',
  summary: 'Start a cluster in the background of this machine',
  usage: ['local up [flags]'],
  description: `Start a cluster in the background of this machine; it goes on when the terminal is closed. It has what it had
when it ran last.

It speaks the Kubernetes API on a loopback port, so that kubectl and any other client can use it too: see
"local kubeconfig". Every command takes --local to use it.`,
  flags: [
    name,
    { flags: '--port <port>', does: 'port to listen on; else a free one' },
    { flags: '--workspace <dir>', does: 'folder that nodes see at /workspace' },
    ...containerFlags,
    { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] },
  ],
  examples: [
    { does: 'start it and submit a job', command: 'trainjob local up && trainjob apply --local -f trainjob.yaml' },
  ],
}

export const localDownHelp: CommandHelp = {
  name: 'local down',
  summary: 'Stop it, and all that runs in it',
  usage: ['local down [flags]'],
  description: `Stop it, and all that runs in it. Objects, logs and volumes stay: after the next "local up" jobs that had not
ended go on as their restart policies say.`,
  flags: [name, { flags: '--purge', does: 'remove its objects, logs and volumes, too' }],
  examples: [
    { does: 'stop it', command: 'trainjob local down' },
    { does: 'start over with an empty one', command: 'trainjob local down --purge && trainjob local up' },
  ],
}

export const localStatusHelp: CommandHelp = {
  name: 'local status',
  summary: 'Say whether it runs, and where',
  usage: ['local status [flags]'],
  flags: [name, { flags: '-o, --output <form>', does: 'form of the output; else text', choices: ['text', 'json'] }],
  examples: [{ does: 'is it there?', command: 'trainjob local status' }],
  exitCodes: ['0  it runs', '1  it does not'],
}

export const localKubeconfigHelp: CommandHelp = {
  name: 'local kubeconfig',
  summary: 'Print the kubeconfig for it',
  usage: ['local kubeconfig [flags]'],
  flags: [name, { flags: '--path', does: 'print where the file is instead of what it says' }],
  examples: [
    {
      does: 'let kubectl use it',
      command: 'trainjob local kubeconfig > local.yaml && kubectl --kubeconfig local.yaml get pods',
    },
  ],
}
