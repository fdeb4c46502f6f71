/** A connection that carries bytes both ways, whatever it is made of. */
export interface ByteLink {
  /** While a promise is pending, the other side cannot take more. What is sent after the end is dropped. */
  send(chunk: Uint8Array): void | Promise<void>
  /** Called with everything that comes, from now on. */
  listen(onChunk: (chunk: Uint8Array) => void): void
  /** No more is read while it is true. */
  hold(held: boolean): void
  /** When the other side has gone, or `close` was called. */
  readonly closed: Promise<void>
  /** What was sent still arrives. */
  close(): void
}
