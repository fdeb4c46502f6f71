import { type Document, isCollection, isMap, isPair, isScalar, isSeq, type Node, Scalar, type YAMLError } from 'yaml'
import type { IssueCode } from '../validate/codes.ts'

/** A fault of the text itself. */
export interface TextFault {
  readonly code: IssueCode
  readonly line: number
  readonly message: string
}

/**
 * What the YAML parser found wrong, one fault a line, since it often reports what follows from the first. What is not
 * closed is reported where it was opened, because where the parser notices, at the end, there is nothing to mend.
 */
export function syntaxFaults(document: Document.Parsed, lineAt: (offset: number) => number): TextFault[] {
  const faults = new Map<number, TextFault>()
  let byEnd: ReadonlyMap<number, readonly Node[]> | undefined
  for (const error of document.errors) {
    let unclosed: { offset: number; message: string } | undefined
    if (error.code === 'MISSING_CHAR' || error.code === 'BAD_INDENT') {
      byEnd ??= bracketsByEnd(document.contents)
      unclosed = findUnclosed(byEnd.get(error.pos[0]) ?? [], error)
    }
    const line = lineAt(unclosed?.offset ?? error.pos[0])
    const message = unclosed?.message ?? messageOf(error)
    if (!faults.has(line)) faults.set(line, { code: 'yaml-syntax', line, message })
  }
  return [...faults.values()]
}

function messageOf({ code, message }: YAMLError): string {
  if (code === 'TAB_AS_INDENT') return 'expected spaces as indentation, found a tab: YAML allows spaces only'
  if (code === 'MULTIPLE_DOCS') return 'expected the document to end here: begin another one with a line ---'
  return `no valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

/** Everything that has an opening and a closing character, by where it ends; outer ones first. */
function bracketsByEnd(root: Node | null): ReadonlyMap<number, readonly Node[]> {
  const byEnd = new Map<number, Node[]>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const node = open.pop()
    if (isPair(node)) open.push(node.value, node.key)
    else if (isCollection(node)) for (const item of node.items.toReversed()) open.push(item)
    const end = (node as Node | null)?.range?.[1]
    if (end === undefined || !(isScalar(node) || (isCollection(node) && node.flow === true))) continue
    const ending = byEnd.get(end)
    if (ending === undefined) byEnd.set(end, [node])
    else ending.push(node)
  }
  return byEnd
}

/** The innermost text, list or mapping that the parser gave up on. */
function findUnclosed(nodes: readonly Node[], { message }: YAMLError): { offset: number; message: string } | undefined {
  for (const node of nodes.toReversed()) {
    const what = unclosedBy(node, message)
    const offset = node.range?.[0]
    if (what !== undefined && offset !== undefined) {
      return { offset, message: `expected ${what} that begins here, found none` }
    }
  }
  return undefined
}

function unclosedBy(node: Node, message: string): string | undefined {
  if (isScalar(node) && message.includes('quote')) {
    if (node.type === Scalar.QUOTE_DOUBLE) return 'a closing " for the text'
    if (node.type === Scalar.QUOTE_SINGLE) return "a closing ' for the text"
  }
  if (isSeq(node) && message.startsWith('Flow sequence')) return 'a closing ] for the list'
  if (isMap(node) && message.startsWith('Flow map')) return 'a closing } for the mapping'
  return undefined
}
