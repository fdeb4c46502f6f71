import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { type Translation, toCanonical } from '../dialect/to-canonical.ts'
import type { FieldPath } from '../field-path.ts'
import { splitYaml } from '../parse/split-yaml.ts'
import { syncNode } from './sync-node.ts'

/** A text in canonical form. */
export interface FixedManifest {
  /** The very text that was given, when there was nothing to translate. */
  readonly text: string
  /** Objects that were translated. */
  readonly fixed: number
}

/**
 * Translates every TrainJob and runtime of a text into canonical form, where that can be done without guessing. Comments
 * stay with what they are about, and documents that are canonical already stay as they are, to the letter. JSON is
 * written with two spaces.
 *
 * @example
 * const { text } = fixManifest(`apiVersion: trainer.kubeflow.org/v1alpha1
 * kind: TrainJob
 * metadata: { name: a }
 * spec:
 *   runtimeRef: { name: r }
 *   managedBy: trainjob-controller # ours
 * `)
 * text.includes('managedBy: trainer.kubeflow.org/trainjob-controller # ours') // => true
 */
export function fixManifest(source: string): FixedManifest {
  if (/^\s*[{[]/.test(source)) return fixJson(source)
  let text = ''
  let fixed = 0
  let at = 0
  for (const chunk of splitYaml(source).chunks) {
    const start = source.indexOf(chunk.text, at)
    const result = fixYaml(chunk.text)
    text += source.slice(at, start) + result.text
    fixed += result.fixed
    at = start + chunk.text.length
  }
  return fixed === 0 ? { text: source, fixed } : { text: text + source.slice(at), fixed }
}

function fixJson(source: string): FixedManifest {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return { text: source, fixed: 0 }
  }
  let fixed = 0
  const translated = mapObjects(value, (object) => {
    const translation = toCanonical(object)
    if (!isFixable(object, translation)) return object
    fixed++
    return translation.object
  })
  return fixed === 0 ? { text: source, fixed } : { text: `${JSON.stringify(translated, null, 2)}\n`, fixed }
}

function mapObjects(value: unknown, map: (object: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  if (kind !== 'List' || !Array.isArray(items)) return map(value)
  return { ...value, items: items.map((item) => mapObjects(item, map)) }
}

function fixYaml(text: string): FixedManifest {
  const document = parseDocument(text)
  if (document.errors.length > 0 || !isMap(document.contents)) return { text, fixed: 0 }
  const fixed = fixNode(document, document.contents)
  return fixed === 0 ? { text, fixed } : { text: document.toString({ lineWidth: 0 }), fixed }
}

function fixNode(document: Document, node: YAMLMap): number {
  const items = node.get('items')
  if (node.get('kind') === 'List' && isSeq(items)) {
    return items.items.reduce<number>((sum, item) => sum + (isMap(item) ? fixNode(document, item) : 0), 0)
  }
  const object = node.toJS(document) as object
  const translation = toCanonical(object)
  if (!isFixable(object, translation)) return 0
  // first the nodes go where their values went, so that comments go with them
  for (const { from, to } of translation.moves) moveNode(document, node, from, to)
  syncNode(document, node, translation.object)
  return 1
}

function isFixable(object: object, translation: Translation<object>): boolean {
  return translation.errors.length === 0 && translation.object !== object
}

function moveNode(document: Document, root: YAMLMap, from: FieldPath, to: FieldPath): void {
  const node = root.getIn(from, true)
  if (node === undefined) return
  const parent = root.getIn(from.slice(0, -1), true)
  const key = isMap(parent) ? parent.items.find((pair) => String(pair.key) === String(from.at(-1)))?.key : undefined
  if (isMap(node) && to.length > from.length && from.every((part, depth) => part === to[depth])) return
  root.deleteIn(from)
  makeMaps(document, root, to.slice(0, -1))
  const target = root.getIn(to.slice(0, -1), true)
  if (!isMap(target)) return
  target.set(to.at(-1), node)
  const { commentBefore } = (key ?? {}) as { commentBefore?: string | null }
  const pair = target.items.find((item) => String(item.key) === String(to.at(-1)))
  if (commentBefore && pair) {
    pair.key = document.createNode(to.at(-1))
    ;(pair.key as { commentBefore?: string }).commentBefore = commentBefore
  }
}

function makeMaps(document: Document, root: YAMLMap, path: FieldPath): void {
  for (let depth = 1; depth <= path.length; depth++) {
    const at = path.slice(0, depth)
    if (root.getIn(at, true) === undefined) root.setIn(at, document.createNode({}))
  }
}
