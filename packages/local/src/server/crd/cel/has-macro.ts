import { type ASTNode, type Environment, Optional } from '@marcbachmann/cel-js'
import { isObject } from '../structural-schema.ts'

/** What the library hands to a macro, as far as it is needed here. */
interface Checker {
  check(node: ASTNode, context: unknown): unknown
  getType(name: string): unknown
}
interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
}

const NAME = 'hasField'

/**
 * The library's `has` takes chains of names only; CEL takes a field of any value, as `has(self.matches[0].path)`. This
 * adds a macro that does, and `withOwnHas` makes expressions use it.
 */
export function registerHas(environment: Environment): Environment {
  return environment.registerFunction(`${NAME}(ast): bool`, ({ args }: { args: readonly ASTNode[] }) => {
    const [field] = args
    const [object, name] = (field?.op === '.' ? field.args : []) as readonly [ASTNode?, string?]
    if (object === undefined || name === undefined)
      throw new SyntaxError('has() invalid argument: it takes a field, as in has(self.name)')
    return {
      typeCheck(checker: Checker, _: unknown, context: unknown) {
        checker.check(object, context)
        return checker.getType('bool')
      },
      evaluate: (evaluator: Evaluator, _: unknown, context: unknown) => hasField(evaluator.run(object, context), name),
    }
  })
}

function hasField(value: unknown, name: string): boolean {
  if (value instanceof Optional) return value.hasValue() && hasField(value.value(), name)
  if (!isObject(value)) throw new TypeError(`no such overload: has(${name}) of what is no object`)
  return Object.hasOwn(value, name)
}

const LITERAL_OR_HAS =
  /r?("""[\s\S]*?"""|'''[\s\S]*?''')|r("[^"]*"|'[^']*')|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.])has(?=\s*\()/g

/** The expression with our `has`; what stands in texts stays. */
export function withOwnHas(expression: string): string {
  return expression.replace(LITERAL_OR_HAS, (found) => (found === 'has' ? NAME : found))
}
