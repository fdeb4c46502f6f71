import { type ApiResponse, jsonResponse, textResponse } from './api-response.ts'
import { resourceName } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'
import { VERSION_INFO } from './version-info.ts'

/** What is checked: that the server answers, and that its store does. */
const CHECKS = ['ping', 'store'] as const
const ENDPOINTS: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz'])

/** Answers `/healthz`, `/livez` and `/readyz` with their checks, `/version` and `/metrics`; `undefined` for other paths. */
export function healthAnswer(
  context: ServerContext,
  path: string,
  { verbose }: Readonly<Record<string, string>>,
): ApiResponse | undefined {
  const [, endpoint = '', check = '', ...more] = path.split('/')
  if (ENDPOINTS.has(endpoint) && more.length === 0) {
    if (check !== '') return (CHECKS as readonly string[]).includes(check) ? textResponse('ok') : undefined
    if (verbose === undefined) return textResponse('ok')
    return textResponse(`${CHECKS.map((one) => `[+]${one} ok\n`).join('')}${endpoint} check passed\n`)
  }
  if (path === '/version' || path === '/version/') return jsonResponse(VERSION_INFO)
  return path === '/metrics' ? metrics(context) : undefined
}

/** What is stored and what it takes, in the form that Prometheus reads. */
function metrics({ store, registry }: ServerContext): ApiResponse {
  const names = new Set(registry.resources.filter(({ verbs }) => verbs === undefined).map(resourceName))
  const objects = [...names]
    .toSorted()
    .map((name): [string, number] => [`apiserver_storage_objects{resource="${name}"}`, store.list(name).items.length])
  const { rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const text = [
    ...family('apiserver_storage_objects', 'gauge', 'Objects that are stored, by resource.', objects),
    ...family('apiserver_storage_version', 'counter', 'Version of the last write.', [
      ['apiserver_storage_version', store.version],
    ]),
    ...family('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', [
      ['process_resident_memory_bytes', rss],
    ]),
    ...family('process_cpu_seconds_total', 'counter', 'CPU time of the process.', [
      ['process_cpu_seconds_total', (user + system) / 1e6],
    ]),
  ].join('\n')
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { ...textResponse(`${text}\n`), headers }
}

function family(name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([sample, value]) => `${sample} ${value}`)]
}
