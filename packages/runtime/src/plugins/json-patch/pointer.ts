import { POD_FIELDS } from '@trainjob/api'

/** A JSON Pointer in parts. */
export type Pointer = readonly string[]

/** Maps whose keys are names with slashes in them: what is left of a path is one key. */
const NAMED_MAPS: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'overhead',
  'requests',
])

/**
 * Reads a path of a patch, rooted at the JobSet. `~1` and `~0` are RFC 6901's escapes; the last part of a path into
 * labels, resources and the like may also be written as kubectl's `nvidia\.com/gpu`, slash and all. Pod fields directly
 * below a job's spec mean those of its pod template.
 *
 * @example
 * readPointer('/spec/replicatedJobs/0/template/spec/containers/0/resources/limits/nvidia\\.com/gpu')
 */
export function readPointer(text: string): Pointer {
  const parts = text.split('/').slice(1).map(unescaped)
  const map = parts.findIndex((part, depth) => NAMED_MAPS.has(part) && isMapAt(parts, depth))
  const joined =
    map === -1 || parts.length <= map + 2 ? parts : [...parts.slice(0, map + 1), parts.slice(map + 1).join('/')]
  return withPodTemplate(joined)
}

/** Writes a pointer as a path with RFC 6901's escapes. */
export function writePointer(pointer: Pointer): string {
  return pointer.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function unescaped(part: string): string {
  return part.replaceAll('\\.', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A key of a map is no map: the label `labels` of a pod is one key. */
function isMapAt(parts: readonly string[], depth: number): boolean {
  return !parts.slice(0, depth).some((part) => NAMED_MAPS.has(part))
}

/** `/spec/replicatedJobs/0/template/spec/containers` → `/spec/replicatedJobs/0/template/spec/template/spec/containers` */
function withPodTemplate(parts: Pointer): Pointer {
  const [spec, jobs, , template, jobSpec, field] = parts
  const isJobSpec = spec === 'spec' && jobs === 'replicatedJobs' && template === 'template' && jobSpec === 'spec'
  if (!isJobSpec || field === undefined || !POD_FIELDS.has(field)) return parts
  return [...parts.slice(0, 5), 'template', 'spec', ...parts.slice(5)]
}
