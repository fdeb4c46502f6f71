import { type Document, isMap, isNode, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { sameJson } from '../dialect/same-json.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Makes a node say `value`. What says it already is left alone, comments and all; the rest is replaced piece by piece.
 * Answers the node, which is another one where the kind of the value changes.
 */
export function syncNode(document: Document, node: unknown, value: unknown): unknown {
  if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    syncMap(document, node, value as Fields)
    return node
  }
  if (isSeq(node) && Array.isArray(value)) {
    syncSeq(document, node, value)
    return node
  }
  if (isNode(node) && sameJson(node.toJS(document), value)) return node
  if (isScalar(node) && (typeof value !== 'object' || value === null)) {
    node.value = value
    delete node.source
    return node
  }
  return document.createNode(value)
}

function syncMap(document: Document, node: YAMLMap, value: Fields): void {
  node.items = node.items.filter((pair) => Object.hasOwn(value, keyOf(pair.key)))
  for (const [key, child] of Object.entries(value)) {
    const pair = node.items.find((item) => isPair(item) && keyOf(item.key) === key)
    if (pair === undefined) node.items.push(document.createPair(key, child))
    else pair.value = syncNode(document, pair.value, child)
  }
}

function syncSeq(document: Document, node: YAMLSeq, value: readonly unknown[]): void {
  node.items = value.map((child, index) => syncNode(document, node.items[index], child))
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
