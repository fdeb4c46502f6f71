import fc from 'fast-check'

/** The object with one to three changes somewhere inside its spec or status: fields and items removed, added, replaced. */
export function mutated(objects: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(objects, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([object, changes]) => changes.reduce(apply, object))
}

/** The object with one to three characters of its JSON text changed, where it can still be read. */
export function scratched(objects: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(objects, fc.array(scratch, { minLength: 1, maxLength: 3 }))
    .map(([object, scratches]) => scratches.reduce(scratchOnce, JSON.stringify(object)))
    .map(read)
    .filter((object) => object !== undefined)
}

const JUNK: readonly unknown[] = [
  '',
  'x',
  'node',
  'Upper',
  '1',
  '500m',
  's3://b',
  '2026-01-01T00:00:00Z',
  'x'.repeat(254),
  'x'.repeat(2049),
  0,
  1,
  -1,
  3.5,
  2 ** 31,
  2 ** 53,
  true,
  false,
  null,
  {},
  [],
  [null],
  ['x', 'x'],
  { name: 'x' },
  [{ name: 'x' }, { name: 'x' }],
]

const FIELDS = ['name', 'env', 'image', 'suspend', 'torch', 'mpi', 'flux', 'numNodes', 'dependsOn', 'startupPolicy']
const MORE = ['replicas', 'value', 'key', 'protocol', 'namespace', 'managedBy', 'storageUri', 'unknown', 'metadata']

const change = fc.record({
  place: fc.nat(),
  item: fc.nat(),
  kind: fc.constantFrom('remove', 'replace', 'add', 'double'),
  field: fc.constantFrom(...FIELDS, ...MORE),
  junk: fc.constantFrom(...JUNK),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function apply(object: unknown, { place, item, kind, field, junk }: Change): unknown {
  const copy = JSON.parse(JSON.stringify(object)) as Readonly<Record<string, unknown>>
  const places = [copy.spec, copy.status].flatMap(containersIn)
  if (places.length === 0) return { ...copy, spec: junk }
  const container = places[place % places.length] as unknown[] | Record<string, unknown>
  if (Array.isArray(container)) {
    const index = item % (container.length + 1)
    if (kind === 'remove') container.splice(index, 1)
    else if (kind === 'double' && container.length > 0) container.push(container[item % container.length])
    else container[index] = junk
  } else {
    const names = Object.keys(container)
    const name = names[item % Math.max(1, names.length)] ?? field
    if (kind === 'remove') delete container[name]
    else container[kind === 'replace' ? name : field] = junk
  }
  return copy
}

function containersIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersIn)]
}

const scratch = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'insert', 'remove'),
  text: fc.constantFrom(...'09azAZ"{}[],:-./ ', 'true', 'null'),
})
type Scratch = typeof scratch extends fc.Arbitrary<infer T> ? T : never

function scratchOnce(json: string, { at, kind, text }: Scratch): string {
  const index = at % json.length
  const rest = json.slice(kind === 'insert' ? index : index + 1)
  return json.slice(0, index) + (kind === 'remove' ? '' : text) + rest
}

function read(json: string): unknown {
  try {
    const object = JSON.parse(json) as unknown
    return typeof object === 'object' && object !== null ? object : undefined
  } catch {
    return undefined
  }
}
