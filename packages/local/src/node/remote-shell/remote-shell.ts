import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Container, Pod } from '@trainjob/api'
import { mpiRoleOf } from '@trainjob/runtime'
import { podGroup } from '../network/pod-group.ts'
import type { PodSeat } from '../network/pod-network.ts'
import { CLIENT_SCRIPT, SERVER_SCRIPT } from './scripts.ts'

/** What a container of an MPI job is started with. */
export interface RemoteShellPart {
  /** In place of the container's own command. */
  readonly argv?: readonly string[]
  /** Below the container's own. */
  readonly env: Readonly<Record<string, string>>
}

/** Lets the launcher of an MPI job start programs in its workers where neither has sshd, keys or accounts. */
export interface RemoteShell {
  /** `undefined` for containers that are no part of an MPI job. */
  partOf(pod: Pod, container: Container, seat: PodSeat): RemoteShellPart | undefined
}

/** Where Kubeflow's images serve ssh. */
const SSH_PORT = 2222

/** Of every pod where loopback has no other. */
const SHARED_ADDRESS = '127.0.0.1'

const NOTE = 'sshd is not started: mpirun reaches the nodes of its job inside of this engine'

/**
 * The workers' sshd becomes a server on a socket in `dir`, which only this user can open, and the launcher's ssh a client
 * of it. The ranks of a worker run in the worker's container, with its files, environment and devices.
 *
 * @param dir short, because a socket's path has at most 104 bytes
 */
export function createRemoteShell(dir: string, onNote: (note: string) => void): RemoteShell {
  let files: { readonly server: string; readonly client: string } | undefined

  function scripts(): { readonly server: string; readonly client: string } {
    if (files !== undefined) return files
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const [server, client, program] = ['sshd.cjs', 'ssh.cjs', 'ssh'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(server, SERVER_SCRIPT)
    writeFileSync(client, CLIENT_SCRIPT)
    writeFileSync(program, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(client)} "$@"\n`, { mode: 0o700 })
    onNote(NOTE)
    files = { server, client: program }
    return files
  }

  return {
    partOf(pod, container, seat) {
      const role = mpiRoleOf(container)
      if (role === undefined) return undefined
      const { server, client } = scripts()
      const host = pod.spec.hostname ?? pod.metadata.name ?? ''
      // an address that all pods have names none of them
      const hosts = seat.ip === SHARED_ADDRESS ? [host] : [host, seat.ip]
      const prefix = join(dir, `${digest(podGroup(pod).key).slice(0, 6)}-`)
      if (role === 'worker') {
        const sockets = hosts.map((name) => `${prefix}${digest(name).slice(0, 12)}`)
        const port = String(seat.portOf(probedPort(container)))
        return { argv: [process.execPath, server, seat.ip, port, ...sockets], env: {} }
      }
      return {
        env: {
          ...OPEN_MPI,
          OMPI_MCA_plm_rsh_agent: client,
          TRAINJOB_SHELLS: prefix,
          TRAINJOB_SHELL_HOSTS: hosts.join(' '),
        },
      }
    },
  }
}

/**
 * What Open MPI cannot know: all of its nodes are one machine. Ranks are not bound, because every daemon would take the
 * same first core, and they give way while they wait; they meet over the loopback interface, which no firewall guards.
 * An image runs them as its own user, here the user may be root. Source: Open MPI 4.1, `ompi_info --all`.
 */
const OPEN_MPI = {
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
  OMPI_MCA_hwloc_base_binding_policy: 'none',
  OMPI_MCA_mpi_yield_when_idle: '1',
  OMPI_MCA_btl_tcp_if_include: '127.0.0.1/8',
  OMPI_MCA_oob_tcp_if_include: '127.0.0.1/8',
} as const

function probedPort({ readinessProbe, ports = [] }: Container): number {
  const probed = Number(readinessProbe?.tcpSocket?.port)
  return Number.isInteger(probed) ? probed : (ports[0]?.containerPort ?? SSH_PORT)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
