import type { KubernetesObject } from '@trainjob/api'

/** Something that two renderings of a job do not have in common. */
export interface Difference {
  /** As in `JobSet spec.replicatedJobs[node].template.spec.parallelism`. */
  readonly path: string
  readonly wanted: unknown
}

/** Where objects differ from those that are wanted; items with a name are found by it, in whatever order. */
export function differences(
  wanted: readonly KubernetesObject[],
  found: readonly KubernetesObject[],
): readonly Difference[] {
  const kinds = [...new Set([...wanted, ...found].map(({ kind }) => kind))]
  return kinds.flatMap((kind) => {
    const [a, b] = [wanted, found].map((objects) => objects.filter((object) => object.kind === kind))
    return compare(a, b, kind, ' ')
  })
}

function compare(wanted: unknown, found: unknown, path: string, dot = '.'): readonly Difference[] {
  if (isEmpty(wanted) && isEmpty(found)) return []
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.every(isNamed) && found.every(isNamed)) {
    const names = new Set([...wanted, ...found].map(({ name }) => name))
    return [...names].flatMap((name) => {
      const [a, b] = [wanted, found].map((list) => list.find((item) => item.name === name))
      return compare(a, b, `${path}[${name}]`)
    })
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((item, index) =>
      compare(item, found[index], wanted.length === 1 ? path : `${path}[${index}]`, dot),
    )
  }
  if (isFields(wanted) && isFields(found)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(found)])
    return [...keys].flatMap((key) => compare(wanted[key], found[key], `${path}${dot}${key}`))
  }
  return wanted === found ? [] : [{ path, wanted }]
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNamed(value: unknown): value is Fields & { readonly name: string } {
  return isFields(value) && typeof value.name === 'string'
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
