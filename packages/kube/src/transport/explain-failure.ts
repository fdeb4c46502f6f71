import { ConnectionError } from '../error.ts'

/** What to say about the error codes of Node, OpenSSL and undici; the rest is shown as it is. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: is the cluster running, and is the address right?',
  ENOENT: 'there is no such socket: is the server running?',
  EACCES: 'the socket may not be opened: does it belong to another user?',
  ETIMEDOUT: 'the server did not answer in time',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'the host name does not resolve: check the server of the kubeconfig and the network',
  EAI_AGAIN: 'the host name could not be resolved just now',
  EHOSTUNREACH: 'the host cannot be reached from here',
  ENETUNREACH: 'the network cannot be reached from here',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds: check the address, the network and firewalls',
  UND_ERR_HEADERS_TIMEOUT: 'the server accepted the request and did not answer',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_CLOSED: 'the client has been closed',
  UND_ERR_DESTROYED: 'the client has been closed',
  SELF_SIGNED_CERT_IN_CHAIN:
    "the server's certificate is of an unknown authority: set certificate-authority in the kubeconfig",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "the server's certificate is of an unknown authority: set certificate-authority in the kubeconfig",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the server's certificate is of an unknown authority: set certificate-authority in the kubeconfig",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the server's certificate is of an unknown authority: set certificate-authority in the kubeconfig",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another name: correct the address or set tls-server-name in the kubeconfig",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there: is it http instead of https?',
}

const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Turns what undici or Node threw into a `ConnectionError` that says what to do. */
export function explainFailure(target: string, error: unknown): ConnectionError {
  const code = codeOf(error)
  const found = (code !== undefined && EXPLANATIONS[code]) || (error instanceof Error ? error.message : String(error))
  return new ConnectionError(`no answer from ${target}: ${found}${code === undefined ? '' : ` (${code})`}`, {
    cause: error,
  })
}

/** The connection was cut, as happens when a kept-alive one is used just as the server closes it. */
export function isCut(error: ConnectionError): boolean {
  return CUT.has(codeOf(error.cause) ?? '')
}

function codeOf(error: unknown): string | undefined {
  // a host with several addresses fails with one error for each
  const first = error instanceof AggregateError ? error.errors[0] : error
  const code = (first as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
