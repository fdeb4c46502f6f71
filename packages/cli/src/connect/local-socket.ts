import { join } from 'node:path'
import type { SocketConfig } from '@trainjob/kube/socket'
import type { CommandIO } from '../command-io.ts'
import { localDir } from './local-kubeconfig-file.ts'

// not imported: that would load node:fs/promises, too
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')

/**
 * How to reach a local cluster through its unix socket, which takes a fraction of the time that TLS takes; nothing where
 * it has none. The token is the one of its kubeconfig.
 */
export function localSocket(name: string, io: Pick<CommandIO, 'env'>): SocketConfig | undefined {
  const dir = localDir(name, io.env)
  const socket = join(dir, 'api.sock')
  if (!existsSync(socket)) return undefined
  const token = tokenOf(readFileSync(join(dir, 'kubeconfig'), 'utf8'))
  return token === undefined ? undefined : { socket, token }
}

/** Of a kubeconfig that the local cluster wrote. Whoever rewrote it in another form goes the way of all kubeconfigs. */
function tokenOf(kubeconfig: string): string | undefined {
  try {
    const { users } = JSON.parse(kubeconfig) as { users?: readonly { user?: { token?: unknown } }[] }
    const token = users?.[0]?.user?.token
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}
