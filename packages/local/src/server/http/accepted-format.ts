import { ApiFailure } from '../api-failure.ts'

/** How an answer is written. */
export interface Format {
  readonly syntax: 'json' | 'yaml'
  /** For people: with line breaks. */
  readonly pretty: boolean
  readonly gzip: boolean
}

const READABLE = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  // whoever reads this also reads the JSON that comes instead
  'application/vnd.kubernetes.protobuf',
  'application/*',
  '*/*',
  '',
])

/** Programs that people look at. */
const PEOPLE = /^(curl|Wget|Mozilla)\//

/** What a client wants to read. Throws `ApiFailure` 406 when that is nothing this server writes. */
export function acceptedFormat(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  query: Readonly<Record<string, string>>,
): Format {
  const { accept = '', 'accept-encoding': encoding = '', 'user-agent': agent = '' } = headers
  const { pretty } = query
  return {
    syntax: syntaxOf(String(accept)),
    pretty: pretty === undefined ? PEOPLE.test(String(agent)) : pretty !== 'false' && pretty !== '0',
    gzip: String(encoding)
      .split(',')
      .some((one) => one.split(';', 1)[0]?.trim() === 'gzip'),
  }
}

function syntaxOf(accept: string): 'json' | 'yaml' {
  // what nearly everybody sends
  if (accept === '' || accept === '*/*' || accept.startsWith('application/json')) {
    if (!accept.includes(';as=') || accept.includes('meta.k8s.io') || accept.includes('apidiscovery.k8s.io'))
      return 'json'
  }
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const as = parameters.some((parameter) => parameter.startsWith('as='))
    if (as && !parameters.some((parameter) => /^g=(meta|apidiscovery)\.k8s\.io$/.test(parameter))) continue
    if (type === 'application/yaml') return 'yaml'
    if (JSON_TYPES.has(type)) return 'json'
  }
  throw new ApiFailure(406, 'NotAcceptable', `only the following media types are accepted: ${READABLE}`)
}
