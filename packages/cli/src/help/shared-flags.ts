import type { FlagHelp } from './command-help.ts'

/** Flags of every command that talks to a cluster. */
export const connectionFlags: readonly FlagHelp[] = [
  { flags: '-n, --namespace <name>', does: "namespace; else the context's, else `default`" },
  {
    flags: '--local[=name]',
    does: 'the embedded cluster of `local up`, not the one of the kubeconfig',
    alone: 'default',
  },
  { flags: '--context <name>', does: 'another context of the kubeconfig' },
  { flags: '--kubeconfig <file>', does: 'another kubeconfig; else $KUBECONFIG, else ~/.kube/config' },
]

/** Flags of every command that reads manifests. */
export const fileFlags: readonly FlagHelp[] = [
  { flags: '-f, --filename <file>', does: 'YAML or JSON file, folder or `-` for stdin; may be repeated', repeat: true },
  { flags: '-R, --recursive', does: 'also look into the folders of a folder given with -f' },
]

export const selectorFlag: FlagHelp = {
  flags: '-l, --selector <query>',
  does: 'only objects with these labels, as in `team=vision,tier!=test`',
}

/** Flags of every command that starts an embedded cluster. */
export const containerFlags: readonly FlagHelp[] = [
  {
    flags: '--runner <name>',
    does: 'how containers run; else `process`: with the tools found here',
    choices: ['process', 'podman', 'docker'],
  },
  {
    flags: '--host-path <dir>',
    does: 'folder besides the project that hostPath volumes may name; may be repeated',
    repeat: true,
  },
  { flags: '--enforce-limits', does: 'hold containers to their limits of memory (they are ended) and CPU' },
]
