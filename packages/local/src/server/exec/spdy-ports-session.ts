import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteLink } from './byte-link.ts'
import type { OpenedPorts } from './opened-stream.ts'
import { type SpdyStream, serveSpdy } from './spdy/connection.ts'

/** Both streams of one connection that the user has accepted. */
interface StreamPair {
  data?: SpdyStream
  error?: SpdyStream
}

/**
 * Leads a user's SPDY connection to ports of a pod, in the form of `portforward.k8s.io`: for each connection a stream
 * for its bytes and one for what went wrong, which belong together by their request id.
 */
export async function serveSpdyPorts(link: ByteLink, opened: OpenedPorts): Promise<void> {
  const pairs = new Map<string, StreamPair>()
  await serveSpdy(link, (stream) => {
    const { headers } = stream
    const kind = headers.get('streamtype')
    const port = Number(headers.get('port'))
    const request = headers.get('requestid') ?? ''
    const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
    const pair = pairs.get(request) ?? {}
    if ((kind !== 'data' && kind !== 'error') || !isPort || pair[kind] !== undefined) {
      stream.reset()
      return
    }
    pair[kind] = stream
    pairs.set(request, pair)
    const { data, error } = pair
    if (data === undefined || error === undefined) return
    pairs.delete(request)
    void forward(opened, port, data, error)
  })
}

/** Never rejects. */
async function forward(opened: OpenedPorts, port: number, data: SpdyStream, error: SpdyStream): Promise<void> {
  let connection: Duplex
  try {
    connection = await opened.connect(port, data.signal)
  } catch (cause) {
    const { name, uid } = opened.pod.metadata
    const message = `error forwarding port ${port} to pod ${name}, uid ${uid}: ${(cause as Error).message}`
    void error.write(Buffer.from(message))
    endBoth()
    return
  }
  try {
    // its failure ends the connection, which is seen below
    pipeline(data.input, connection, { signal: data.signal }).catch(() => {})
    for await (const chunk of connection) await data.write(chunk as Buffer)
  } catch {
    // a connection that was cut is one that ended: an error would make kubectl give up all others too
  }
  endBoth()

  function endBoth(): void {
    data.end()
    error.end()
  }
}
