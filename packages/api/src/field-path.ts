/** A field path in parts: names of fields and positions in lists. */
export type FieldPath = readonly (string | number)[]

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$-]*$/

/**
 * Writes a path as in `Issue.path`: `spec.trainer.env[0].name`; keys that are no plain names in brackets:
 * `metadata.labels[trainer.kubeflow.org/framework]`.
 *
 * @example
 * formatFieldPath(['spec', 'trainer', 'env', 0, 'name']) // => 'spec.trainer.env[0].name'
 * formatFieldPath(['metadata', 'labels', 'example.com/team']) // => 'metadata.labels[example.com/team]'
 */
export function formatFieldPath(path: FieldPath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number' || !PLAIN.test(part)) text += `[${part}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

/**
 * Reads what `formatFieldPath` writes. A bracket with digits only is a position.
 *
 * @example
 * parseFieldPath('spec.trainer.env[0].name') // => ['spec', 'trainer', 'env', 0, 'name']
 */
export function parseFieldPath(text: string): FieldPath {
  const path: (string | number)[] = []
  const part = /\[([^\]]*)\]|([^.[\]]+)/g
  for (const [, bracket, name] of text.matchAll(part)) {
    if (name !== undefined) path.push(name)
    else if (bracket !== undefined) path.push(/^\d+$/.test(bracket) ? Number(bracket) : bracket)
  }
  return path
}
