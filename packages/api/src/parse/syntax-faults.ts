import { type Document, isMap, isScalar, isSeq, Scalar, visit, type YAMLError } from 'yaml'
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
  for (const error of document.errors) {
    const unclosed = findUnclosed(document, error)
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

/** The text, list or mapping that the parser gave up on at the place of an error. */
function findUnclosed(document: Document.Parsed, error: YAMLError): { offset: number; message: string } | undefined {
  if (error.code !== 'MISSING_CHAR' && error.code !== 'BAD_INDENT') return undefined
  let found: { offset: number; message: string } | undefined
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? []
      if (start === undefined || end !== error.pos[0]) return
      const what = unclosedBy(node, error.message)
      if (what !== undefined) found = { offset: start, message: `expected ${what} that begins here, found none` }
    },
  })
  return found
}

function unclosedBy(node: unknown, message: string): string | undefined {
  if (isScalar(node) && message.includes('quote')) {
    if (node.type === Scalar.QUOTE_DOUBLE) return 'a closing " for the text'
    if (node.type === Scalar.QUOTE_SINGLE) return "a closing ' for the text"
  }
  if (isSeq(node) && node.flow === true && message.startsWith('Flow sequence')) return 'a closing ] for the list'
  if (isMap(node) && node.flow === true && message.startsWith('Flow map')) return 'a closing } for the mapping'
  return undefined
}
