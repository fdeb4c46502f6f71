import type { KubeObject } from '@trainjob/kube'
import { ApiFailure } from '../../packages/local/src/server/api-failure.ts'
import { applyConfiguration } from '../../packages/local/src/server/apply/apply-configuration.ts'
import { trackUpdate, type Writer } from '../../packages/local/src/server/apply/track-update.ts'
import type { CustomResourceDefinition } from '../../packages/local/src/server/crd/definition.ts'
import { servedKinds } from '../../packages/local/src/server/crd/served-kinds.ts'
import { applyMergePatch } from '../../packages/local/src/server/patch/merge-patch.ts'
import type { ServedResource } from '../../packages/local/src/server/served-resource.ts'
import type { LineProcess } from '../oracle/oracle.ts'
import type { StructuralSchema } from './schema-arbitrary.ts'
import type { Claim, Content, Sequence, Step } from './sequence-arbitrary.ts'

/** What became of a write: the object, or the failure. */
export interface Outcome {
  readonly object?: KubeObject
  readonly code?: number
  readonly error?: string
  readonly causes?: readonly string[]
}

interface Answer {
  readonly object?: KubeObject
  readonly error?: string
  readonly code?: number
  readonly causes?: readonly object[]
  readonly from: number
  readonly to: number
}

/** A write with both verdicts. */
export interface Played {
  readonly step: Step
  readonly ours: Outcome
  readonly theirs: Outcome
}

/** Plays a sequence with our code and with Kubernetes', step by step until they differ. */
export async function play(sequence: Sequence, go: LineProcess): Promise<readonly Played[]> {
  const definition = definitionOf(sequence.schema)
  const [resource] = servedKinds(definition)
  if (resource === undefined) throw new Error('expected that the definition is served')
  const played: Played[] = []
  let live: KubeObject | undefined
  for (const step of sequence.steps) {
    live = live === undefined ? undefined : older(live, step.age)
    const subresource = step.status ? 'status' : undefined
    if (live === undefined && subresource !== undefined) continue
    const object = objectOf(step, live)
    const asked = JSON.stringify({
      definition,
      operation: step.kind === 'apply' ? 'Apply' : 'Update',
      subresource: subresource ?? '',
      manager: step.manager,
      force: step.kind === 'apply' && step.force,
      ...(live !== undefined && { live }),
      object,
    })
    let answer: Answer
    do answer = JSON.parse(await go.send(asked)) as Answer
    while (answer.from !== answer.to)
    const writer = { resource, subresource, manager: step.manager, now: answer.from * 1000 }
    const ours = write(step, writer, live, object)
    const theirs = alike(outcomeOf(answer, resource), ours)
    played.push({ step, ours, theirs })
    if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))) break
    live = theirs.object === undefined ? live : withUid(theirs.object)
  }
  return played
}

function write(step: Step, writer: Writer, live: KubeObject | undefined, object: KubeObject): Outcome {
  const { resource } = writer
  try {
    if (step.kind === 'apply') {
      return { object: stored(applyConfiguration(writer, live, object, step.force), resource) }
    }
    return { object: stored(trackUpdate(writer, live, object), resource) }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { message = '', details } = error.body
    return failure(error.httpCode, message, details?.causes ?? [])
  }
}

function outcomeOf({ object, code = 0, error = '', causes = [] }: Answer, resource: ServedResource): Outcome {
  return object === undefined ? failure(code, error, causes) : { object: stored(object, resource) }
}

function failure(code: number, error: string, causes: readonly object[]): Outcome {
  return { code, error, causes: causes.map((cause) => JSON.stringify(sorted(cause))).sort() }
}

/** Kubernetes looks for faults in no certain order, and stops at an unknown field: of several it tells any. */
function alike(theirs: Outcome, { error = '' }: Outcome): Outcome {
  const [before, after] = error.split(': errors:\n')
  if (before === undefined || after === undefined) return theirs
  return theirs.error?.startsWith(before) === true ? { ...theirs, error } : theirs
}

/** As the object is read again: with defaults and without nulls, metadata without what is empty. */
function stored(object: KubeObject, resource: ServedResource): KubeObject {
  const filled = resource.schema?.fill(object) as KubeObject
  const metadata = Object.entries(filled.metadata).filter(([name, value]) => {
    const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return value !== null && !empty && name !== 'generation'
  })
  const result = { ...filled, metadata: Object.fromEntries(metadata) } as KubeObject
  const last = result.metadata.annotations?.[LAST_APPLIED]
  if (last === undefined) return result
  // Kubernetes happens to default some of what it then notes as applied
  const note = JSON.stringify(sorted(resource.schema?.fill(JSON.parse(last)))) + (last.endsWith('\n') ? '\n' : '')
  const annotations = { ...result.metadata.annotations, [LAST_APPLIED]: note }
  return { ...result, metadata: { ...result.metadata, annotations } }
}

/** Kubernetes takes an object without one for new. */
function withUid(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'u' } }
}

/** The object that a step asks for. */
function objectOf(step: Step, live: KubeObject | undefined): KubeObject {
  const fresh = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'default' } }
  const given = fresh as unknown as KubeObject
  if (step.kind === 'apply') return withContent(given, step.content)
  const base = live ?? given
  if (step.kind === 'clientApply') {
    const config = withContent(given, withoutStatus(step.content))
    const next = withContent(base, withoutStatus(step.content))
    const annotations = { ...next.metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(config)}\n` }
    return asWritten({ ...next, metadata: { ...next.metadata, annotations } }, live, false)
  }
  const next =
    step.kind === 'merge'
      ? (applyMergePatch(base, step.content) as KubeObject)
      : withContent(withoutContent(base), step.content)
  return claimed(asWritten(next, live, step.status), live, step.claim)
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

function withContent(base: KubeObject, { metadata, ...rest }: Content): KubeObject {
  return { ...base, ...rest, metadata: { ...base.metadata, ...metadata } }
}

function withoutStatus({ status: _, ...content }: Content): Content {
  return content
}

function withoutContent({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { labels: _, annotations: __, finalizers: ___, ownerReferences: ____, ...kept } = metadata
  return { apiVersion, kind, metadata: kept } as KubeObject
}

/** With what a write through the path may not change as it was: the server sees to that before it looks for owners. */
function asWritten(next: KubeObject, live: KubeObject | undefined, status: boolean): KubeObject {
  const part = (object: KubeObject | undefined, name: string): object => {
    const value = (object as unknown as Record<string, unknown> | undefined)?.[name]
    return value === undefined ? {} : { [name]: value }
  }
  if (status) {
    const { managedFields } = next.metadata
    const base = live as KubeObject
    const metadata = { ...base.metadata, ...(managedFields !== undefined && { managedFields }) }
    return { ...withoutContent(base), metadata, ...part(base, 'spec'), ...part(next, 'status') } as KubeObject
  }
  const { status: _, ...rest } = next as KubeObject & { status?: unknown }
  return { ...rest, ...part(live, 'status') } as KubeObject
}

function claimed(next: KubeObject, live: KubeObject | undefined, claim: Claim): KubeObject {
  const { managedFields, ...metadata } = next.metadata
  const entries = (managedFields ?? []) as Readonly<Record<string, unknown>>[]
  const set = (value: unknown) => ({ ...next, metadata: { ...metadata, managedFields: value } }) as KubeObject
  switch (claim) {
    case 'omit':
      return { ...next, metadata } as KubeObject
    case 'null':
      return set(null)
    case 'reset':
      return set([{}])
    case 'otherVersion':
      // Kubernetes lets the object's path take status from those who wrote it in another version
      return set(
        entries.map((entry, index) =>
          index % 2 === 0 && entry.subresource === undefined ? { ...entry, apiVersion: 'example.com/v1beta1' } : entry,
        ),
      )
    case 'unknownVersion':
      return set(entries.map((entry, index) => (index % 2 === 0 ? { ...entry, apiVersion: 'example.com/v9' } : entry)))
    case 'broken':
      return set(entries.map((entry, index) => (index === 0 ? { ...entry, operation: 'Guess' } : entry)))
    default:
      return live === undefined ? ({ ...next, metadata } as KubeObject) : next
  }
}

/** The object with its entries as they would be had they been written earlier. */
function older(object: KubeObject, seconds: number): KubeObject {
  const { managedFields } = object.metadata
  if (managedFields === undefined || seconds === 0) return object
  const entries = (managedFields as readonly { readonly time?: string }[]).map((entry) => {
    if (entry.time === undefined) return entry
    const time = new Date(Date.parse(entry.time) - seconds * 1000).toISOString().replace('.000Z', 'Z')
    return { ...entry, time }
  })
  return { ...object, metadata: { ...object.metadata, managedFields: entries } } as KubeObject
}

function definitionOf(schema: StructuralSchema): CustomResourceDefinition {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {} },
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [version('v1', true), version('v1beta1', false)],
    },
    status: { conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '' }] },
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, item]) => [key, sorted(item)]))
}
