import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { IssueCode } from '../validate/codes.ts'
import { MAX_DEPTH, TOO_DEEP } from './max-depth.ts'
import { linesFrom, type NodesOf, type Positions, untranslated, yamlPositions } from './positions.ts'
import { resolvePlainScalar, type ScalarValue } from './resolve-scalar.ts'
import { syntaxFaults, type TextFault } from './syntax-faults.ts'

export interface ReadDocument {
  /** Plain JSON; `undefined` when the document is empty or its text is broken. */
  readonly value: unknown
  readonly positions: Positions
  readonly faults: readonly TextFault[]
}

/** Aliases may unfold into this many values at most. */
const MAX_ALIASED_VALUES = 10_000

/**
 * Reads one document as kubectl does (see `resolvePlainScalar`). Faults are collected, not thrown; a document with a
 * syntax error has no value.
 *
 * @param firstLine line of the file on which `text` begins.
 */
export function readYaml(text: string, firstLine = 1): ReadDocument {
  const counter = new LineCounter()
  const lineAt = linesFrom(counter, firstLine)
  try {
    // the failsafe schema leaves every plain scalar a text, which is then read by our own rules
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter: counter,
      stringKeys: false,
    })
    if (document.errors.length > 0) return broken(syntaxFaults(document, lineAt), firstLine)
    const reader = new Reader(lineAt)
    const value = document.contents === null ? undefined : reader.read(document.contents)
    const root = document.contents
    return { value, positions: yamlPositions(value, root, reader.nodesOf, lineAt), faults: reader.faults }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return broken([{ code: 'yaml-syntax', line: firstLine, message: TOO_DEEP }], firstLine)
  }
}

function broken(faults: readonly TextFault[], firstLine: number): ReadDocument {
  return { value: undefined, positions: untranslated(() => firstLine), faults }
}

/** Turns nodes into plain JSON and remembers which node each container came from. */
class Reader {
  readonly nodesOf: NodesOf = new WeakMap()
  readonly faults: TextFault[] = []
  private readonly anchors = new Map<string, Node>()
  private readonly open = new Set<Node>()
  private readonly lineAt: (offset: number) => number
  private aliasDepth = 0
  private aliasedValues = 0

  constructor(lineAt: (offset: number) => number) {
    this.lineAt = lineAt
  }

  read(node: unknown): unknown {
    if (node === null || node === undefined) return null
    if (this.aliasDepth > 0) this.aliasedValues++
    if (isAlias(node)) return this.readAlias(node.source, node)
    const { anchor } = node as { anchor?: string }
    if (anchor !== undefined) this.anchors.set(anchor, node as Node)
    if (isScalar(node)) return this.readScalar(node)
    if (this.open.size >= MAX_DEPTH) {
      if (!this.faults.some(({ message }) => message === TOO_DEEP)) this.report('yaml-syntax', node, TOO_DEEP)
      return null
    }
    this.open.add(node as Node)
    const value = isMap(node) ? this.readMap(node) : isSeq(node) ? this.readSeq(node) : null
    this.open.delete(node as Node)
    return value
  }

  private readSeq(node: YAMLSeq): unknown[] {
    const items: unknown[] = []
    this.nodesOf.set(items, [node])
    for (const item of node.items) items.push(this.read(item))
    return items
  }

  private readMap(node: YAMLMap): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    const nodes: (YAMLMap | YAMLSeq)[] = [node]
    this.nodesOf.set(object, nodes)
    const merges: Pair[] = []
    for (const pair of node.items) {
      if (isMergeKey(pair)) {
        merges.push(pair)
        continue
      }
      const key = this.readKey(pair)
      if (key === undefined) continue
      if (Object.hasOwn(object, key)) {
        this.report(
          'duplicate-key',
          pair.key,
          `the key ${JSON.stringify(key)} is there already; expected each key only once`,
        )
      }
      setOwn(object, key, this.read(pair.value))
    }
    for (const pair of merges) this.merge(object, nodes, pair)
    return object
  }

  private readKey(pair: Pair): string | undefined {
    const key = isAlias(pair.key) ? this.anchors.get(pair.key.source) : pair.key
    if (key !== null && !isScalar(key)) {
      this.report('yaml-syntax', pair.key, 'expected a text as key, found a list or mapping')
      return undefined
    }
    const { anchor } = key ?? {}
    if (anchor !== undefined) this.anchors.set(anchor, key as Scalar)
    const value = key === null ? null : this.readScalar(key, true)
    if (value !== null) return String(value)
    this.report(
      'yaml-syntax',
      pair.key,
      'expected a text as key, found nothing; if the key is the word null, put it in quotes',
    )
    return undefined
  }

  /** `<<: *defaults`: keys that are not there yet are taken over, from the first mapping that has them. */
  private merge(object: Record<string, unknown>, nodes: (YAMLMap | YAMLSeq)[], pair: Pair): void {
    const value = this.read(pair.value)
    for (const source of Array.isArray(value) ? value : [value]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        this.report('yaml-syntax', pair.key, 'expected a mapping, or a list of mappings, to merge with <<')
        continue
      }
      nodes.push(...(this.nodesOf.get(source) ?? []))
      for (const [key, field] of Object.entries(source)) if (!Object.hasOwn(object, key)) setOwn(object, key, field)
    }
  }

  private readAlias(name: string, node: Node): unknown {
    const target = this.anchors.get(name)
    if (target === undefined) {
      this.report('yaml-alias', node, `expected an anchor &${name} further up, found none`)
      return null
    }
    if (this.open.has(target)) {
      this.report('yaml-alias', node, `the alias *${name} stands inside what it refers to`)
      return null
    }
    if (this.aliasedValues > MAX_ALIASED_VALUES) {
      if (!this.faults.some(({ code }) => code === 'yaml-alias')) {
        const message = `expected aliases to stand for at most ${MAX_ALIASED_VALUES} values in all, found more`
        this.report('yaml-alias', node, message)
      }
      return null
    }
    this.aliasDepth++
    const value = this.read(target)
    this.aliasDepth--
    return value
  }

  private readScalar(node: Scalar, isKey = false): ScalarValue {
    const text = String(node.value ?? '')
    const tag = node.tag === undefined ? '' : node.tag.replace('tag:yaml.org,2002:', '')
    const isPlain = node.type === undefined || node.type === Scalar.PLAIN
    if (tag === '' ? !isPlain : !RESOLVED_TAGS.has(tag)) return text
    const value = resolvePlainScalar(text)
    if (value === undefined) {
      if (isKey) return text
      this.report('yaml-syntax', node, `expected a finite number, found ${text}`)
      return null
    }
    const found = typeOf(value)
    const matches = tag === '' || tag === found || (tag === 'float' && found === 'int')
    if (matches) return value
    this.report('yaml-syntax', node, `expected a value of type ${tag}, as the tag says; found ${JSON.stringify(text)}`)
    return null
  }

  private report(code: IssueCode, node: unknown, message: string): void {
    const offset = (node as Node | null)?.range?.[0] ?? 0
    this.faults.push({ code, line: this.lineAt(offset), message })
  }
}

const RESOLVED_TAGS: ReadonlySet<string> = new Set(['null', 'bool', 'int', 'float'])

function typeOf(value: ScalarValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  return Number.isInteger(value) ? 'int' : 'float'
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === Scalar.PLAIN && pair.key.value === '<<'
}

/** Sets a field also when it is called `__proto__`. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}
