import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Container, Probe } from '@trainjob/api'

/** Where a probe finds its container. */
export interface ProbeTarget {
  /** The pod's address. */
  readonly ip: string
  readonly ports: Container['ports']
  /** Where a port of the manifest is on this machine. */
  portOf(port: number): number
  /** Environment and folder of probe commands. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Runs a probe once: `undefined` when it passed, else what it met. Never rejects. */
export async function runProbe(probe: Probe, target: ProbeTarget, signal: AbortSignal): Promise<string | undefined> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout((probe.timeoutSeconds ?? 1) * 1000)])
  try {
    if (probe.exec !== undefined) return await runCommand(probe.exec.command ?? [], target, timeout)
    if (probe.tcpSocket !== undefined) return await openSocket(probe.tcpSocket, target, timeout)
    if (probe.httpGet !== undefined) return await getPage(probe.httpGet, target, timeout)
    return undefined
  } catch (error) {
    return timeout.aborted ? `no answer within ${probe.timeoutSeconds ?? 1} s` : messageOf(error)
  }
}

function runCommand(command: readonly string[], target: ProbeTarget, signal: AbortSignal): Promise<string | undefined> {
  const [program, ...args] = command
  if (program === undefined) return Promise.resolve('exec has no command')
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: target.cwd,
      env: target.env,
      stdio: 'ignore',
      signal,
      killSignal: 'SIGKILL',
    })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0 ? undefined : `command ended with ${code ?? 'a signal'}`))
  })
}

function openSocket(
  at: NonNullable<Probe['tcpSocket']>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const port = portNumber(at.port, target)
  if (port === undefined) return Promise.resolve(`the container has no port named ${at.port}`)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: at.host ?? target.ip, port, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.destroy()
      resolve(undefined)
    })
  })
}

async function getPage(
  at: NonNullable<Probe['httpGet']>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const port = portNumber(at.port, target)
  if (port === undefined) return `the container has no port named ${at.port}`
  const scheme = (at.scheme ?? 'HTTP').toLowerCase()
  const headers = (at.httpHeaders ?? []).map(({ name, value }): [string, string] => [name, value])
  const url = `${scheme}://${at.host ?? target.ip}:${port}/${(at.path ?? '/').replace(/^\//, '')}`
  const answer = await fetch(url, { headers, redirect: 'manual', signal })
  await answer.body?.cancel()
  return answer.status >= 200 && answer.status < 400 ? undefined : `HTTP probe failed with statuscode: ${answer.status}`
}

function portNumber(port: number | string, target: ProbeTarget): number | undefined {
  const found = typeof port === 'number' ? port : target.ports?.find((p) => p.name === port)?.containerPort
  return found === undefined ? undefined : target.portOf(found)
}

function messageOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error
  return cause instanceof Error ? cause.message : String(cause)
}
