import type { Pod } from '@trainjob/api'
import type { Caller } from '../caller.ts'
import { badRequest, notFound } from '../failures.ts'
import { booleanOf } from '../query.ts'
import { type Route, routeOf } from '../route.ts'
import { resourceName, storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { chooseContainer } from '../subresources/choose-container.ts'
import type { ReviewedWrite } from '../webhooks/admission-review.ts'
import { reviewedContent } from '../webhooks/reviewed-content.ts'
import type { OpenedStream } from './opened-stream.ts'

/** See `ApiServer.openStream`. */
export async function openStream(
  context: ServerContext,
  path: string,
  query: URLSearchParams,
  caller: Caller,
): Promise<OpenedStream> {
  const opened = opening(context, path, query)
  await askAboutConnection(context, routeOf(path, context.registry), query, caller)
  return opened
}

/** The kinds that the parameters of a connection are of. */
const CONTENT: Readonly<Record<string, string>> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
}

/** Throws `ApiFailure` when a webhook objects. */
async function askAboutConnection(
  context: ServerContext,
  { resource, namespace, name, subresource = '' }: Route,
  query: URLSearchParams,
  caller: Caller,
): Promise<void> {
  const kind = CONTENT[subresource] ?? ''
  const content = { group: '', version: 'v1', kind }
  const about = { operation: 'CONNECT', options: null, dryRun: false } as const
  const write: ReviewedWrite = { ...about, resource, subresource, namespace, name, caller, content }
  if (!context.webhooks.concern(write)) return
  const streams = ['stdin', 'stdout', 'stderr', 'tty'].filter((stream) => booleanOf(query.get(stream) ?? undefined))
  const container = query.get('container')
  const command = query.getAll('command')
  const ports = query.getAll('ports').map(Number)
  const object = {
    kind,
    apiVersion: 'v1',
    ...Object.fromEntries(streams.map((stream) => [stream, true])),
    ...(container && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports }),
  }
  await reviewedContent(context, write, object, null, new Set())
}

function opening(context: ServerContext, path: string, query: URLSearchParams): OpenedStream {
  const route = routeOf(path, context.registry)
  const { resource, namespace = '', name = '', subresource } = route
  if (subresource !== 'exec' && subresource !== 'attach' && subresource !== 'portforward') {
    throw badRequest('only exec, attach and portforward of pods can be upgraded')
  }
  const pod = context.store.get(resourceName(resource), storeKey(resource, namespace, name)) as Pod | undefined
  if (pod === undefined) throw notFound(resource, name)
  const { streams } = context
  if (!pod.spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  if (streams === undefined) throw badRequest('this cluster runs no pods')
  if (subresource === 'portforward') {
    const ports = query
      .getAll('ports')
      .flatMap((text) => text.split(','))
      .map(portOf)
    return { kind: 'portforward', pod, ports, connect: (port, signal) => streams.connect(pod, port, signal) }
  }
  const container = chooseContainer(pod, query.get('container') || undefined)
  const wants = (stream: string): boolean => booleanOf(query.get(stream) ?? undefined)
  const tty = wants('tty')
  const terminal = { stdin: wants('stdin'), stdout: wants('stdout'), stderr: wants('stderr') && !tty, tty }
  if (!terminal.stdin && !terminal.stdout && !terminal.stderr) {
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr')
  }
  if (subresource === 'attach') {
    return { kind: 'attach', ...terminal, run: (ends) => streams.attach(pod, container, ends) }
  }
  const [program, ...args] = query.getAll('command')
  if (program === undefined || program === '') throw badRequest('you must specify at least 1 command for the container')
  return { kind: 'exec', ...terminal, run: (ends) => streams.exec(pod, container, [program, ...args], ends) }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw badRequest(`expected a port between 1 and 65535, found ${JSON.stringify(text)}`)
  }
  return port
}
