import { type Client, createInformer, type KubeObject, type ObjectKey, type Resource } from '@trainjob/kube'
import { CliError } from '../cli-error.ts'
import type { CommandIO } from '../command-io.ts'

/**
 * Resolves when there is no such object (or, with `uid`, another one in its place). Rejects with `CliError` `timeout`,
 * or when the server does not answer the first request.
 */
export async function untilGone(
  kube: Client,
  resource: Resource,
  { namespace, name }: ObjectKey,
  io: Pick<CommandIO, 'clock' | 'signal'>,
  { timeoutMs, uid }: { timeoutMs?: number; uid?: string } = {},
): Promise<void> {
  const isThere = ({ metadata }: KubeObject): boolean =>
    metadata.name === name && (uid === undefined || metadata.uid === uid)
  const query = { fieldSelector: `metadata.name=${name}`, ...(namespace === undefined ? {} : { namespace }) }
  const { items } = await kube.list(resource, { ...query, signal: io.signal })
  if (!items.some(isThere)) return
  const informer = createInformer({ client: kube, resource, clock: io.clock, ...query })
  const done = new AbortController()
  let timedOut = false
  const cancel =
    timeoutMs === undefined
      ? () => {}
      : io.clock.after(timeoutMs, () => {
          timedOut = true
          done.abort()
        })
  try {
    const running = informer.run(AbortSignal.any([io.signal, done.signal]))
    informer.on(() => {
      if (!informer.store.list().some(isThere)) done.abort()
    })
    await informer.hasSynced().catch(() => {})
    if (!informer.store.list().some(isThere)) done.abort()
    await running
  } finally {
    cancel()
  }
  io.signal.throwIfAborted()
  if (timedOut) throw new CliError('timeout', `"${name}" is still there after ${timeoutMs} ms.`)
}
