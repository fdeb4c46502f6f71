import ts from 'typescript'
import type * as checks from './checks.ts'

/** Where a name that an example uses comes from. */
export interface Origin {
  /** What an import statement names. */
  readonly module: string
  readonly isType: boolean
}

/** Modules that every example module may use, as seen from it. */
const CHECKS = '../checks.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * An example as a module. Its first line imports what the code uses without declaring it, as far as `origin` knows
 * where from; the others are the lines of the example, so that positions in messages lead back to it. Comments behind a
 * statement become checks:
 *
 * - `// => value`: the expression, or the variable just declared, equals it; with `…` in an object, has at least these fields
 * - `// throws text`: it throws, and the text is the error's code or part of its name and message
 * - `// prints text`: what `console.log` writes meanwhile
 *
 * The text may go on in comments on the lines below.
 */
export function exampleModule(code: string, origin: (name: string) => Origin | undefined): string {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true)
  const edits = [...checksOf(source)]
  const imports = new Map<string, string[]>()
  const use = (name: string, { module, isType }: Origin): void => {
    const names = imports.get(module) ?? []
    imports.set(module, [...names, isType ? `type ${name}` : name])
  }
  for (const name of freeNames(source)) {
    const from = origin(name)
    if (from !== undefined) use(name, from)
  }
  for (const name of CHECK_NAMES) {
    if (edits.some(({ text }) => text.includes(`${name}(`))) use(name, { module: CHECKS, isType: false })
  }
  const header = [...imports].map(([module, names]) => `import { ${names.join(', ')} } from '${module}'`)
  let body = code
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    body = `${body.slice(0, start)}${text}${body.slice(end)}`
  }
  return `${header.join('; ')}\n${body}\nexport {}\n`
}

const CHECK_NAMES: readonly (keyof typeof checks)[] = ['$equals', '$matches', '$throws', '$prints']

/** Names that the code uses and neither declares nor imports. */
function freeNames(source: ts.SourceFile): Set<string> {
  const used = new Set<string>()
  const declared = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node
      if (isDeclaredBy(node, parent)) declared.add(node.text)
      else if (!isMember(node, parent)) used.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return new Set([...used].filter((name) => !declared.has(name)))
}

function isDeclaredBy(node: ts.Identifier, parent: ts.Node): boolean {
  return (
    (ts.isVariableDeclaration(parent) && parent.name === node) ||
    (ts.isParameter(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.name === node) ||
    (ts.isFunctionDeclaration(parent) && parent.name === node) ||
    (ts.isClassDeclaration(parent) && parent.name === node) ||
    ((ts.isInterfaceDeclaration(parent) || ts.isTypeAliasDeclaration(parent)) && parent.name === node) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent)
  )
}

function isMember(node: ts.Identifier, parent: ts.Node): boolean {
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isPropertySignature(parent) && parent.name === node) ||
    (ts.isMethodDeclaration(parent) && parent.name === node) ||
    (ts.isPropertyDeclaration(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node)
  )
}

function* checksOf(source: ts.SourceFile): Iterable<Edit> {
  const visit = function* (node: ts.Node): Iterable<Edit> {
    const own = ts.isStatement(node) && !ts.isBlock(node) ? checkOf(node, source) : undefined
    if (own !== undefined) yield own
    else for (const child of childrenOf(node)) yield* visit(child)
  }
  yield* visit(source)
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  return children
}

function checkOf(statement: ts.Statement, source: ts.SourceFile): Edit | undefined {
  const comment = commentBehind(statement, source)
  const match = comment && /^(=>|throws|prints) (.*)$/s.exec(comment.text)
  if (!comment || !match) return undefined
  const [, kind, wanted = ''] = match
  const start = statement.getStart(source)
  const code = source.text.slice(start, statement.end)
  const edit = (text: string): Edit => ({ start, end: comment.end, text: text + '\n'.repeat(comment.lines) })
  if (kind === 'throws') return edit(`await $throws(async () => { ${code} }, ${JSON.stringify(wanted)})`)
  if (kind === 'prints') return edit(`await $prints(async () => { ${code} }, ${JSON.stringify(wanted)})`)
  const part = wanted.includes('…')
  const check = part ? '$matches' : '$equals'
  const value = part ? wanted.replaceAll(/,?\s*…/g, '') : wanted
  if (ts.isExpressionStatement(statement)) {
    return edit(`;${check}((${statement.expression.getText(source)}), (${value}))`)
  }
  const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations.at(-1)?.name : undefined
  if (declared !== undefined && ts.isIdentifier(declared))
    return edit(`${code}; ${check}(${declared.text}, (${value}))`)
  throw new Error(`"=> ${wanted}" has to follow an expression or the declaration of one variable, found: ${code}`)
}

interface Comment {
  readonly text: string
  readonly end: number
  /** How many line breaks it takes in. */
  readonly lines: number
}

/** The line comment behind a statement, with the comments on the lines below it. */
function commentBehind(statement: ts.Statement, source: ts.SourceFile): Comment | undefined {
  const { text } = source
  const rest = text.slice(statement.end)
  const match = /^[ \t;]*(?:\n[ \t]*)?\/\/ ?((?:=>|throws|prints) [^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/.exec(rest)
  if (match?.[1] === undefined) return undefined
  const words = match[1].split('\n').map((line) => line.trim().replace(/^\/\/\s*/, ''))
  return { text: words.join(' '), end: statement.end + match[0].length, lines: match[0].split('\n').length - 1 }
}
