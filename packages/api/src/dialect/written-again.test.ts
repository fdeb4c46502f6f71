import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../trainer/defaults.ts'
import { JSON_PATCHES_ANNOTATION } from './annotations.ts'
import { type Fields, job, runtime, type Translated, translated } from './testing/written.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch
  const result: Fields = isMap(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(result[key], value)
  }
  return result
}

/** What of `before` is not in `after`, as nulls. */
function deletions(before: unknown, after: unknown): Fields | undefined {
  const found = Object.entries(isMap(before) ? before : {}).flatMap(([key, value]): [string, unknown][] => {
    if (!isMap(after) || !Object.hasOwn(after, key)) return [[key, null]]
    const below = deletions(value, after[key])
    return below === undefined ? [] : [[key, below]]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Translated, and with what a server fills in. */
function admitted(object: Fields, stored?: Translated['object']): Translated['object'] {
  return applyDefaults(translated(object, stored as unknown as Fields).object as never)
}

/** What a server makes of `kubectl apply`, and how it is stored after the translation. */
function kubectlApply(object: Fields, stored?: Translated['object']): Translated['object'] {
  const { metadata = {} } = object as { metadata?: Fields }
  const noted = { ...object, metadata: { ...metadata, annotations: { [LAST_APPLIED]: JSON.stringify(object) } } }
  if (stored === undefined) return admitted(noted)
  const before = JSON.parse(stored.metadata.annotations?.[LAST_APPLIED] ?? '{}')
  const sent = merged(merged(stored, noted), deletions(before, object) ?? {}) as Fields
  return admitted(sent, stored)
}

/** What a server makes of server-side apply when nothing is left out. */
function serverSideApply(object: Fields, stored?: Translated['object']): Translated['object'] {
  if (stored === undefined) return admitted(object)
  return admitted(union(stored, object) as Fields, stored)
}

/** Lists of what has a name are merged by it. */
function union(before: unknown, after: unknown): unknown {
  if (
    Array.isArray(before) &&
    Array.isArray(after) &&
    [...before, ...after].every((item) => isMap(item) && item.name)
  ) {
    const names = [...new Set([...before, ...after].map(({ name }) => name))]
    const named = (list: Fields[], name: unknown) => list.find((item) => item.name === name)
    return names.map((name) => {
      const [old, now] = [named(before, name), named(after, name)]
      return old === undefined || now === undefined ? (now ?? old) : union(old, now)
    })
  }
  if (!isMap(before) || !isMap(after)) return after
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...keys].map((key) => [key, Object.hasOwn(after, key) ? union(before[key], after[key]) : before[key]]),
  )
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const count = fc.integer({ min: 1, max: 4 })
const mlPolicy = fc.oneof(
  fc.record({ numGPUsPerNode: count }, { requiredKeys: [] }).map((torch): Fields => ({ torch })),
  count.map((maxReplicas): Fields => ({ torch: { elastic: { maxReplicas } } })),
  fc.record({ numCPUsPerNode: count, sshdPort: count }, { requiredKeys: [] }).map((mpi): Fields => ({ mpi })),
  fc.record({ numMPIWorkersPerNode: count }).map((mpi): Fields => ({ mpi })),
  fc.record({ fluxMinReplicas: fc.constant(1), fluxMaxReplicas: count }).map((flux): Fields => ({ flux })),
)
const podGroupPolicy = fc.oneof(
  fc.record({ minMember: count }, { requiredKeys: [] }).map((cosmoscheduling): Fields => ({ cosmoscheduling })),
  fc
    .record({ minMember: count, queue: fc.constant('q') }, { requiredKeys: [] })
    .map((volcano): Fields => ({ volcano })),
)
const documentRuntime = fc
  .record({
    mlPolicy,
    gang: fc.option(podGroupPolicy, { nil: undefined }),
    name: fc.constantFrom('worker', 'node', 'w'),
    container: fc.constantFrom('trainer', 'node'),
    replicas: count,
    maxRetries: fc.option(count, { nil: undefined }),
  })
  .map(({ name, container, replicas, maxRetries, gang, ...spec }) => {
    const template = { spec: { containers: [{ name: container, image: 'i' }], restartPolicy: 'OnFailure' } }
    return runtime({
      ...spec,
      ...(gang && { podGroupPolicy: gang }),
      template: {
        spec: {
          replicatedJobs: [{ name, replicas, template }],
          ...(maxRetries && { failurePolicy: { maxRetries } }),
        },
      },
    })
  })

const operation = fc.constantFrom('a', 'b').map((name) => ({ op: 'remove', path: `/spec/${name}` }))
const documentJob = fc
  .record(
    {
      trainer: fc.record({ numNodes: count, resources: fc.record({ limits: fc.record({ cpu: count }) }) }),
      initializer: fc.record({ storageUri: fc.constantFrom('s3://a', 's3://b') }),
      runtimePatches: fc.array(
        fc.oneof(
          fc.record({ managerKey: fc.constantFrom('a', 'b'), patch: fc.tuple(operation) }),
          fc.record({ managerKey: fc.constantFrom('c'), trainingRuntimeSpec: fc.constantFrom({}, { template: {} }) }),
        ),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['trainer'] },
  )
  .map((spec) => job(spec))
const written = fc.oneof(documentRuntime, documentJob)

describe('what is written again over what is stored', () => {
  it.each([
    ['kubectl apply', kubectlApply],
    ['server-side apply', serverSideApply],
  ])('changes nothing with %s', (_, apply) => {
    fc.assert(
      fc.property(written, (object) => {
        const stored = apply(object)
        expect(apply(object, stored)).toEqual(stored)
      }),
    )
  })

  it('means what was written, and nothing else that was written before', () => {
    const pair = fc.oneof(fc.tuple(documentRuntime, documentRuntime), fc.tuple(documentJob, documentJob))
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(kubectlApply(after, kubectlApply(before))).toEqual(kubectlApply(after))
      }),
    )
  })

  it('counts more than its canonical twin, which a client kept', () => {
    const { object: stored } = translated(job({ trainer: { resources: { limits: { cpu: 1 } } } }))
    const trainer = { ...(stored.spec.trainer as Fields), resources: { limits: { cpu: 2 } } }
    const again = { ...stored, spec: { ...stored.spec, trainer } } as unknown as Fields
    expect(translated(again, stored as unknown as Fields).object.spec.trainer).toEqual({
      resourcesPerNode: { limits: { cpu: 2 } },
    })
  })

  it('leaves the patches of others where they are', () => {
    const kueue = { manager: 'kueue.x-k8s.io/manager', trainingRuntimeSpec: { template: { spec: {} } } }
    const own = [
      { managerKey: 'me', patch: [{ op: 'remove', path: '/spec/a' }] },
      { managerKey: 'you', trainingRuntimeSpec: {} },
    ]
    const first = kubectlApply(job({ runtimePatches: own }))
    const you = { manager: 'trainjob.dev/you', trainingRuntimeSpec: {} }
    const stored = { ...first, spec: { ...first.spec, runtimePatches: [kueue, you] } }
    expect(kubectlApply(job({ runtimePatches: own }), stored)).toEqual(stored)
    const less = kubectlApply(job({}), stored)
    expect(less.spec.runtimePatches).toEqual([kueue])
    expect(less.metadata.annotations).not.toHaveProperty([JSON_PATCHES_ANNOTATION])
  })

  it('is for others to delete: another client may take every patch out', () => {
    const first = kubectlApply(job({ runtimePatches: [{ managerKey: 'me', trainingRuntimeSpec: {} }] }))
    const { runtimePatches: _, ...spec } = first.spec
    expect(translated({ ...first, spec }, first as unknown as Fields).object.spec).toEqual(spec)
  })

  it.each(['', '{', '[]', '"x"', `{"spec":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`])(
    'is taken whatever the note of kubectl says: %.20s',
    (text) => {
      const noted = (note: string) => ({ name: 'a', annotations: { [LAST_APPLIED]: note } })
      const first = job({ trainer: { resources: {} } }, noted(text))
      const second = job({ trainer: { resources: {} } }, noted(JSON.stringify(first)))
      for (const [object, stored] of [
        [first, second],
        [second, first],
      ] as const) {
        expect(translated(object, stored).object.spec.trainer).toEqual({ resourcesPerNode: {} })
      }
    },
  )
})
