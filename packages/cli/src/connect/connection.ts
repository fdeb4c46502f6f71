import type { Client } from '@trainjob/kube'
import type { TrainerClient } from '@trainjob/sdk'
import { CliError } from '../cli-error.ts'
import type { CommandIO } from '../command-io.ts'
import { codeOf } from '../error-code.ts'
import { connectToSocket } from './connect-to-socket.ts'
import { localKubeconfigFile, notRunning } from './local-kubeconfig-file.ts'
import { localSocket } from './local-socket.ts'

/** The flags of every command that talks to a cluster. */
export interface ConnectionFlags {
  readonly namespace?: string
  /** Name of an embedded cluster in the background. */
  readonly local?: string
  readonly context?: string
  readonly kubeconfig?: string
}

/** A cluster to talk to. `close` it when done. */
export interface Connection {
  readonly kube: Client
  /** The same as a client of the SDK, which takes a while to load. */
  openTrainer(): Promise<TrainerClient>
  /** Of objects that name none. */
  readonly namespace: string
  close(): Promise<void>
}

/**
 * Opens the cluster that the flags name: the kubeconfig's current context, else the embedded one of `local up`.
 * Rejects with `CliError` or `TrainerError`; a server that does not answer shows in the first request only.
 */
export async function connect(flags: ConnectionFlags, io: CommandIO): Promise<Connection> {
  const kubeconfig = flags.local === undefined ? flags.kubeconfig : localKubeconfigFile(flags.local, io)
  const socket = flags.local === undefined ? undefined : localSocket(flags.local, io)
  if (socket !== undefined) {
    return connectToSocket(socket, flags.namespace ?? 'default')
  }
  const { TrainerClient } = await import('@trainjob/sdk')
  const trainer = await TrainerClient.connect({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(flags.context === undefined || flags.local !== undefined ? {} : { context: flags.context }),
    ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
    env: io.env,
  })
  return {
    kube: trainer.kube,
    openTrainer: async () => trainer,
    namespace: trainer.namespace,
    close: () => trainer.close(),
  }
}

/** Opens a cluster for as long as `work` takes. */
export async function withConnection<T>(
  flags: ConnectionFlags,
  io: CommandIO,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(flags, io)
  try {
    return await work(connection)
  } catch (error) {
    throw flags.local === undefined ? error : localGone(error, flags.local, io)
  } finally {
    await connection.close()
  }
}

/** A local cluster that was killed leaves its kubeconfig behind. */
function localGone(error: unknown, name: string, io: CommandIO): unknown {
  const code = codeOf(error)
  if (code !== 'unreachable' && code !== 'connection') return error
  return new CliError('unreachable', notRunning(name, io), { cause: error })
}
