import fc from 'fast-check'
import { customSchema, type StructuralSchema } from './schema-arbitrary.ts'
import { instanceOf, type Oddities } from './value-arbitrary.ts'

/** The content of an object: its own metadata, spec and status. */
export type Content = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> }

/** What a write does to `metadata.managedFields`, besides what the server does. */
export type Claim = 'keep' | 'omit' | 'null' | 'reset' | 'otherVersion' | 'unknownVersion' | 'broken'

interface Write {
  readonly manager: string
  readonly status: boolean
  /** Seconds since the write before. */
  readonly age: number
}

/** One write of a sequence. An update replaces the content, or is laid over it as a merge patch. */
export type Step =
  | (Write & { readonly kind: 'apply'; readonly force: boolean; readonly content: Content })
  | (Write & { readonly kind: 'update' | 'merge'; readonly claim: Claim; readonly content: Content })
  | (Write & { readonly kind: 'clientApply'; readonly content: Content })

/** Writes of one object of a custom kind. */
export interface Sequence {
  readonly schema: StructuralSchema
  readonly steps: readonly Step[]
}

const REGULAR: Oddities = { nulls: false, faults: false, doubles: false }
const STORED: Oddities = { nulls: false, faults: false, doubles: true }
const WITH_NULLS: Oddities = { nulls: true, faults: false, doubles: false }
const ANY: Oddities = { nulls: true, faults: true, doubles: true }

const texts = fc.dictionary(fc.constantFrom('l', 'm/n', 'o'), fc.constantFrom('1', '2'), { maxKeys: 3 })
const owner = fc
  .record({ uid: fc.constantFrom('u1', 'u2'), controller: fc.boolean() })
  .map(({ uid, controller }) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller }))

const metadata = fc.record(
  {
    labels: texts,
    annotations: texts,
    finalizers: fc.uniqueArray(fc.constantFrom('f/a', 'f/b', 'f/<c>'), { maxLength: 3 }),
    ownerReferences: fc.uniqueArray(owner, { maxLength: 2, selector: ({ uid }) => uid }),
  },
  { requiredKeys: [] },
)

function contentOf(schema: StructuralSchema, odd: Oddities): fc.Arbitrary<Content> {
  const { spec = {}, status = {} } = schema.properties ?? {}
  return fc.record(
    { metadata, spec: instanceOf(spec, odd), status: instanceOf(status, odd) },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Content>
}

const manager = fc.constantFrom('x', 'y', 'z', 'kubectl')
const write = {
  manager,
  status: fc.constantFrom(false, false, false, true),
  age: fc.constantFrom(0, 0, 1, 5),
}

const CLAIMS = ['omit', 'null', 'reset', 'unknownVersion', 'broken', 'otherVersion'] as const

/** Kubernetes cannot convert an object between versions that has an item twice, so the two do not go together. */
function stepOf(schema: StructuralSchema, doubles: boolean): fc.Arbitrary<Step> {
  const usual = fc.oneof(
    { weight: 10, arbitrary: contentOf(schema, REGULAR) },
    { weight: 2, arbitrary: contentOf(schema, WITH_NULLS) },
    { weight: 2, arbitrary: contentOf(schema, ANY) },
  )
  const claim = fc.oneof(
    { weight: 12, arbitrary: fc.constant('keep' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Claim>(...CLAIMS.slice(0, doubles ? -1 : undefined)),
    },
  )
  return fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        ...write,
        kind: fc.constant('apply' as const),
        force: fc.constantFrom(false, false, true),
        content: usual,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        ...write,
        kind: fc.constantFrom('update' as const, 'merge' as const),
        claim,
        content: contentOf(schema, doubles ? STORED : REGULAR),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...write,
        manager: fc.constant('kubectl-client-side-apply'),
        status: fc.constant(false),
        kind: fc.constant('clientApply' as const),
        content: contentOf(schema, REGULAR),
      }),
    },
  ) as fc.Arbitrary<Step>
}

/** Sequences of writes by several managers. */
export const sequence: fc.Arbitrary<Sequence> = fc.tuple(customSchema, fc.boolean()).chain(([schema, doubles]) =>
  fc.record({
    schema: fc.constant(schema),
    steps: fc.array(stepOf(schema, doubles), { minLength: 1, maxLength: 9 }),
  }),
)

/** Updates by more managers than an object keeps. */
export const crowd: fc.Arbitrary<Sequence> = customSchema.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    steps: fc.array(
      fc.record({
        ...write,
        manager: fc.integer({ min: 0, max: 20 }).map((id) => `m${id}`),
        kind: fc.constantFrom('update' as const, 'merge' as const),
        claim: fc.constantFrom<Claim>('keep', 'keep', 'keep', 'keep', 'keep', 'otherVersion'),
        content: contentOf(schema, REGULAR),
      }) as fc.Arbitrary<Step>,
      { minLength: 12, maxLength: 24 },
    ),
  }),
)
