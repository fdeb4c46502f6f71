/** The other side does not speak SPDY/3.1, or too much of it: the connection cannot go on. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError'
}
