import { connect } from 'node:net'
import type { Container, Probe } from '@trainjob/api'
import type { Clock } from '@trainjob/kube'
import type { ContainerExit, ExecSpec } from '../runner.ts'

/** What probes and lifecycle hooks do: the first action that is set. */
export interface Handler extends Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket'> {
  readonly sleep?: { readonly seconds: number }
}

/** Where a handler finds its container. */
export interface HandlerTarget {
  /** The pod's address. */
  readonly ip: string
  readonly ports: Container['ports']
  /** Where a port of the manifest is on this machine. */
  portOf(port: number): number
  /** Runs a command inside of the container. */
  exec(spec: ExecSpec): Promise<ContainerExit>
  readonly clock: Clock
}

/** How much of what a failing command printed is told. */
const TOLD_BYTES = 1_024

/** Runs a handler once: `undefined` when it succeeded, else what it met. Never rejects; ends early when the signal aborts. */
export async function runHandler(
  handler: Handler,
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (handler.exec !== undefined) return await runCommand(handler.exec.command ?? [], target, signal)
    if (handler.tcpSocket !== undefined) return await openSocket(handler.tcpSocket, target, signal)
    if (handler.httpGet !== undefined) return await getPage(handler.httpGet, target, signal)
    if (handler.sleep !== undefined) return await pause(handler.sleep.seconds * 1000, target.clock, signal)
    return undefined
  } catch (error) {
    const cause = (error as { cause?: unknown }).cause ?? error
    return cause instanceof Error ? cause.message : String(cause)
  }
}

async function runCommand(
  command: readonly string[],
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [program, ...args] = command
  if (program === undefined) return 'exec has no command'
  let printed = ''
  const { code, startFailure } = await target.exec({
    argv: [program, ...args],
    onOutput(_, chunk) {
      if (printed.length < TOLD_BYTES) printed = (printed + chunk.toString()).slice(0, TOLD_BYTES)
    },
    signal,
  })
  if (code === 0) return undefined
  const text = printed.trim()
  return startFailure ?? `command ended with ${code}${text === '' ? '' : `: ${text}`}`
}

function openSocket(
  at: NonNullable<Probe['tcpSocket']>,
  target: HandlerTarget,
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
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const port = portNumber(at.port, target)
  if (port === undefined) return `the container has no port named ${at.port}`
  const scheme = (at.scheme ?? 'HTTP').toLowerCase()
  const headers = (at.httpHeaders ?? []).map(({ name, value }): [string, string] => [name, value])
  const url = `${scheme}://${at.host ?? target.ip}:${port}/${(at.path ?? '/').replace(/^\//, '')}`
  const answer = await fetch(url, { headers, redirect: 'manual', signal })
  await answer.body?.cancel()
  return answer.status >= 200 && answer.status < 400 ? undefined : `statuscode: ${answer.status}`
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve(undefined)
    })
    const abort = (): void => {
      cancel()
      resolve('the grace period ended')
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

function portNumber(port: number | string, target: HandlerTarget): number | undefined {
  const named = target.ports?.find((p) => p.name === port)?.containerPort
  const found = typeof port === 'number' ? port : (named ?? (/^\d+$/.test(port) ? Number(port) : undefined))
  return found === undefined ? undefined : target.portOf(found)
}
