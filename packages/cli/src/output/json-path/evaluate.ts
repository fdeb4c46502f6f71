import type { Node, Operand, Step } from './parse.ts'

/** The text that a template gives for a value; what is not there counts as nothing. */
export function evaluateTemplate(nodes: readonly Node[], root: unknown, current: unknown = root): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      const found = valuesAt(node.steps, current)
      if (node.kind === 'range') return found.map((value) => evaluateTemplate(node.body, root, value)).join('')
      return found.map(textOf).join(' ')
    })
    .join('')
}

/** Every value that a path leads to. */
export function valuesAt(steps: readonly Step[], root: unknown): readonly unknown[] {
  let found: readonly unknown[] = [root]
  for (const step of steps) found = found.flatMap((value) => follow(step, value))
  return found
}

/** Strings as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function follow(step: Step, value: unknown): readonly unknown[] {
  switch (step.kind) {
    case 'field':
      return isMap(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
    case 'every':
      return Array.isArray(value) ? value : isMap(value) ? Object.values(value) : []
    case 'descend':
      return descendants(value)
    case 'index':
      return Array.isArray(value) ? value.slice(step.at, step.at === -1 ? undefined : step.at + 1) : []
    case 'slice':
      return Array.isArray(value)
        ? value.slice(step.from ?? 0, step.to).filter((_, at) => at % Math.max(1, step.by ?? 1) === 0)
        : []
    case 'union':
      return step.steps.flatMap((one) => follow(one, value))
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => holds(step, item)) : []
  }
}

function descendants(value: unknown): readonly unknown[] {
  const children = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : []
  return [value, ...children.flatMap(descendants)]
}

function holds(filter: Step & { kind: 'filter' }, item: unknown): boolean {
  const left = operandValue(filter.left, item)
  if (filter.operator === undefined || filter.right === undefined) return left !== undefined && left !== false
  const right = operandValue(filter.right, item)
  if (left === undefined) return false
  if (filter.operator === '==') return left === right
  if (filter.operator === '!=') return left !== right
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false
  const order = left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[filter.operator] ?? false
}

function operandValue(operand: Operand, item: unknown): unknown {
  return 'value' in operand ? operand.value : valuesAt(operand.path, item)[0]
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
