import { homedir } from 'node:os'
import { join } from 'node:path'
import { LocalError } from '../error.ts'

/** Which background cluster: its name among those of a data folder. */
export interface ServerPlace {
  /** `default` when left out. */
  readonly name?: string
  /** `$XDG_DATA_HOME/trainjob`, else `~/.local/share/trainjob`, when left out. */
  readonly dataDir?: string
}

/** Where a background cluster keeps its files; all of them readable by the user only. */
export interface ServerFiles {
  readonly name: string
  readonly dir: string
  /** Locked while a server runs. */
  readonly lock: string
  /** Process id and address of the running server. */
  readonly state: string
  readonly kubeconfig: string
  /** On which the running server answers, too, where there can be one. */
  readonly socket: string
  /** The objects of the cluster. */
  readonly store: string
  /** What the server printed. */
  readonly log: string
  /** Pods, their logs and volumes. */
  readonly run: string
}

/** Throws `LocalError` `start-failed` for a name that cannot be a folder's and a context's. */
export function serverFiles({ name = 'default', dataDir = defaultDataDir(process.env) }: ServerPlace): ServerFiles {
  if (!/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/.test(name)) {
    throw new LocalError(
      'start-failed',
      `Expected a cluster name of lower-case letters, digits and dashes (at most 42), found ${JSON.stringify(name)}.`,
    )
  }
  const dir = join(dataDir, 'clusters', name)
  return {
    name,
    dir,
    lock: join(dir, 'lock.db'),
    state: join(dir, 'server.json'),
    kubeconfig: join(dir, 'kubeconfig'),
    socket: join(dir, 'api.sock'),
    store: join(dir, 'objects.db'),
    log: join(dir, 'server.log'),
    run: join(dir, 'run'),
  }
}

/** Name of the context in the kubeconfig: `trainjob-local`, or with the cluster's name behind it. */
export function contextName(name: string): string {
  return name === 'default' ? 'trainjob-local' : `trainjob-local-${name}`
}

function defaultDataDir(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'trainjob')
}
