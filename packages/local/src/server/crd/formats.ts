import { isIP, isIPv4, isIPv6 } from 'node:net'

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const HOST = /^([a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*\.?$/
/** A Go duration (`1h30m`, `-2.5s`), or one in words (`1 hour`, `2 days`). */
const DURATION =
  /^[+-]?((\d+(\.\d*)?|\.\d+)\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|wks?|weeks?)\s*)+$/

/** The formats of texts that a real server checks; all others are remarks (source: k8s.io/kube-openapi, strfmt). */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  datetime: (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => DATE.test(text),
  duration: (text) => text === '0' || DURATION.test(text),
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  hostname: (text) => text.length <= 255 && HOST.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
  uri: (text) => URL.canParse(text) || text.startsWith('/'),
  uuid: (text) => UUID.test(text),
  uuid3: (text) => UUID.test(text),
  uuid4: (text) => UUID.test(text),
  uuid5: (text) => UUID.test(text),
}

/** Whether a text is of a format; unknown formats hold every text. */
export function hasFormat(text: string, format: string): boolean {
  return FORMATS[format.replaceAll('_', '-')]?.(text) ?? true
}

/** `10.0.0.0/8`. */
export function isCidr(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/')
  const family = isIP(address)
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128)
}
