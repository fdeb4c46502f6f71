import type { Pod } from '@trainjob/api'
import { badRequest } from '../failures.ts'

/** The container a request is about: the one it names, else the only one. Throws `ApiFailure` 400. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string | undefined): string {
  const names = [...(spec.initContainers ?? []), ...spec.containers].map((container) => container.name)
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`)
  }
  const [only, second] = spec.containers
  if (only !== undefined && second === undefined) return only.name
  const choices = spec.containers.map((container) => container.name).join(' ')
  const inits = spec.initContainers?.map((container) => container.name) ?? []
  const or = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`
  throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${choices}]${or}`)
}
