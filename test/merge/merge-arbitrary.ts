import fc from 'fast-check'
import { partial } from '../render/pod-arbitrary.ts'

/** A strategic merge patch of an object of a built-in type. */
export interface MergeQuestion {
  readonly type: string
  readonly original: Fields
  readonly patch: Fields
}

type Fields = Readonly<Record<string, unknown>>

const name = fc.constantFrom('a', 'b', 'c', 'd')
const value = fc.constantFrom('x', 'y', 'z')
const map = fc.dictionary(name, value, { maxKeys: 3 })
const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constant(null) })

/** A list joined by a key: the field's name, the key, and what an item may hold besides. */
interface KeyedList {
  readonly field: string
  readonly key: string
  readonly keys: readonly unknown[]
  readonly item: fc.Arbitrary<Fields>
}

const env: KeyedList = { field: 'env', key: 'name', keys: ['a', 'b', 'c', 'd'], item: partial({ value }) }
const ports: KeyedList = {
  field: 'ports',
  key: 'containerPort',
  keys: [1, 2, 3],
  item: partial({ name: value, protocol: value }),
}
const volumes: KeyedList = {
  field: 'volumes',
  key: 'name',
  keys: ['a', 'b', 'c'],
  item: partial({ emptyDir: partial({ medium: value }), configMap: partial({ name: value }) }),
}

function original({ field, key, keys, item }: KeyedList): fc.Arbitrary<Fields> {
  return fc
    .shuffledSubarray([...keys])
    .chain((chosen) => fc.tuple(...chosen.map((id) => item.map((rest) => ({ [key]: id, ...rest })))))
    .map((list) => ({ [field]: list }))
}

/** A patch of such a list, with directives between the items and around them. */
function patch({ field, key, keys, item }: KeyedList): fc.Arbitrary<Fields> {
  const element = (id: unknown): fc.Arbitrary<Fields> =>
    fc.oneof(
      { weight: 6, arbitrary: item.map((rest) => ({ [key]: id, ...rest })) },
      { weight: 1, arbitrary: fc.constant({ [key]: id, $patch: 'delete' }) },
      { weight: 1, arbitrary: fc.constant({ $patch: 'replace' }) },
    )
  return fc
    .record({
      all: fc.shuffledSubarray([...keys], { minLength: keys.length }),
      whole: fc.constantFrom('list', 'list', 'ordered', 'disordered', 'order', 'null'),
    })
    .chain(({ all, whole }) =>
      fc.record({
        list: fc.subarray(all).chain((chosen) => fc.tuple(...chosen.map(element))),
        order: fc.subarray(all, { minLength: 1 }),
        all: fc.constant(all),
        whole: fc.constant(whole),
      }),
    )
    .map(({ list, order, all, whole }) => {
      const orderOf = (ids: readonly unknown[]): Fields => ({
        [`$setElementOrder/${field}`]: ids.map((id) => ({ [key]: id })),
      })
      if (whole === 'null') return { [field]: null }
      if (whole === 'order') return orderOf(order)
      // Kubernetes refuses an item that only says "replace" at the end of an ordered list; we do not
      const items = list.filter((item) => key in item)
      if (whole === 'ordered') return { [field]: items, ...orderOf(all) }
      if (whole === 'disordered') return { [field]: items, ...orderOf(order) }
      return { [field]: list }
    })
}

/** Arbitrary fields joined into one object. */
function joined(...parts: readonly fc.Arbitrary<Fields>[]): fc.Arbitrary<Fields> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Fields)
}

const container = joined(
  original(env),
  original(ports),
  partial({ image: value, command: fc.array(value, { maxLength: 2 }) }),
)
const containerPatch = joined(
  patch(env),
  patch(ports),
  partial({ image: nullable(value), command: nullable(fc.array(value, { maxLength: 2 })) }),
)

const tolerations = fc.array(partial({ key: value }), { maxLength: 2 })

/** `$retainKeys` that names what the patch sets, and sometimes more. */
const retained = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.subarray(['restartPolicy', 'nodeSelector', 'tolerations', 'volumes', 'containers', 'hostname']),
  },
)

const pod: fc.Arbitrary<MergeQuestion> = fc
  .record({
    originalNames: fc.shuffledSubarray(['a', 'b', 'c']),
    spec: joined(original(volumes), partial({ restartPolicy: value, nodeSelector: map, tolerations })),
    metadata: partial({ labels: map, finalizers: fc.uniqueArray(value) }),
  })
  .chain(({ originalNames, spec, metadata }) =>
    fc
      .record({
        containers: fc.tuple(...originalNames.map((id) => container.map((rest) => ({ name: id, ...rest })))),
        patched: fc
          .shuffledSubarray(originalNames)
          .chain((ids) => fc.tuple(...ids.map((id) => containerPatch.map((rest) => ({ name: id, ...rest }))))),
        added: fc.constantFrom([], [{ name: 'new', image: 'x' }]),
        specPatch: joined(
          patch(volumes),
          partial({ restartPolicy: nullable(value), nodeSelector: nullable(map), tolerations: nullable(tolerations) }),
        ),
        retained,
        metadataPatch: partial({
          labels: nullable(joined(map, fc.constantFrom({}, { $patch: 'replace' }, { $patch: 'delete' }))),
        }),
        finalizers: fc.constantFrom(
          {},
          { finalizers: ['z', 'x'] },
          { '$deleteFromPrimitiveList/finalizers': ['x'] },
          { finalizers: ['z'], '$setElementOrder/finalizers': ['z', 'y', 'x'] },
        ),
      })
      .map(({ containers, patched, added, specPatch, retained: keys, metadataPatch, finalizers }) => ({
        type: 'core.Pod',
        original: { metadata, spec: { ...spec, containers } },
        patch: {
          metadata: { ...metadataPatch, ...finalizers },
          spec: { ...specPatch, containers: [...patched, ...added], ...(keys && { $retainKeys: keys }) },
        },
      })),
  )

const service: fc.Arbitrary<MergeQuestion> = fc
  .record({
    original: joined(
      original({ ...ports, key: 'port', item: partial({ name: value, targetPort: value }) }),
      partial({ selector: map }),
    ),
    patch: joined(
      patch({ ...ports, key: 'port', item: partial({ name: value, targetPort: value }) }),
      partial({ selector: nullable(map) }),
    ),
  })
  .map((specs) => ({ type: 'core.Service', original: { spec: specs.original }, patch: { spec: specs.patch } }))

/** Patches of pods and services with every directive. */
export const mergeQuestion: fc.Arbitrary<MergeQuestion> = fc.oneof(
  { weight: 4, arbitrary: pod },
  { weight: 1, arbitrary: service },
)
