import { z } from 'zod'
import type { ObjectMeta } from '../kubernetes/meta.ts'
import {
  ANNOTATIONS_MAX_BYTES,
  dnsLabelFault,
  dnsSubdomainFault,
  labelValueFault,
  qualifiedNameFault,
} from '../names/names.ts'
import { flag, int, text, textMap, texts } from './simple-fields.ts'

/** Metadata of a template inside another object: the fields upstream's CRDs keep. */
export const embeddedMetadata: z.ZodType<ObjectMeta> = z.lazy(() =>
  z.strictObject({
    name: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    finalizers: texts,
  }),
)

function ownerReferences() {
  return z.array(
    z.strictObject({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      controller: flag,
      blockOwnerDeletion: flag,
    }),
  )
}

/**
 * Metadata of an object of its own, with the rules every API server applies; `nameFault` is the kind's rule for names.
 * Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go.
 */
export function metadataWith(nameFault: (name: string) => string | undefined): z.ZodType<ObjectMeta> {
  return z
    .strictObject({
      name: text,
      generateName: text,
      namespace: text,
      labels: textMap,
      annotations: textMap,
      uid: text,
      resourceVersion: text,
      generation: int,
      creationTimestamp: text,
      deletionTimestamp: text,
      deletionGracePeriodSeconds: int,
      ownerReferences: z.lazy(ownerReferences).exactOptional(),
      finalizers: texts,
      managedFields: z.array(z.unknown()).exactOptional(),
      selfLink: text,
    })
    .superRefine((metadata, context) => checkMetadata(metadata, context, nameFault), { when: () => true })
}

/** Metadata of an object whose name is a DNS-1123 subdomain, as most are. */
export const objectMeta: z.ZodType<ObjectMeta> = z.lazy(() => metadataWith(dnsSubdomainFault))

function checkMetadata(
  metadata: unknown,
  context: z.RefinementCtx,
  nameFault: (name: string) => string | undefined,
): void {
  if (typeof metadata !== 'object' || metadata === null) return
  const { name, generateName, namespace, labels, annotations } = metadata as Record<string, unknown>
  if ((name === undefined || name === '') && (generateName === undefined || generateName === '')) {
    add(context, ['name'], 'required', 'expected a name (or generateName), found neither: add one')
  }
  if (typeof name === 'string' && name !== '') addFault(context, ['name'], nameFault(name))
  if (typeof generateName === 'string' && generateName !== '') {
    // the server appends five characters, so a prefix may end in '-'
    addFault(context, ['generateName'], dnsSubdomainFault(generateName.replace(/-$/, 'a')))
  }
  if (typeof namespace === 'string' && namespace !== '') addFault(context, ['namespace'], dnsLabelFault(namespace))
  for (const [key, value] of entriesOf(labels)) {
    addFault(context, ['labels', key], qualifiedNameFault(key))
    if (typeof value === 'string') addFault(context, ['labels', key], labelValueFault(value))
  }
  let bytes = 0
  for (const [key, value] of entriesOf(annotations)) {
    addFault(context, ['annotations', key], qualifiedNameFault(key.toLowerCase()))
    if (typeof value === 'string') bytes += utf8Length(key) + utf8Length(value)
  }
  if (bytes > ANNOTATIONS_MAX_BYTES) {
    add(
      context,
      ['annotations'],
      'too-long',
      `expected at most ${ANNOTATIONS_MAX_BYTES} bytes of annotations in all, found ${bytes}`,
    )
  }
}

function entriesOf(map: unknown): [string, unknown][] {
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.entries(map) : []
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}

function addFault(context: z.RefinementCtx, path: string[], message: string | undefined): void {
  if (message !== undefined) add(context, path, /at most \d/.test(message) ? 'too-long' : 'invalid-value', message)
}

function add(context: z.RefinementCtx, path: string[], code: string, message: string): void {
  context.addIssue({ code: 'custom', path, message, params: { code } })
}
