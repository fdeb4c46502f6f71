import type { Duplicates } from '../decode/duplicates.ts'

const FIELDS = new Set(['op', 'path', 'from', 'value'])

/**
 * What is in a JSON patch without a meaning: fields that its operations have twice, and fields that no operation has
 * (source: k8s.io/apiserver 0.36, `jsonPatchOp`). `undefined` when there is nothing.
 */
export function operationFaults(patch: unknown, duplicates: Duplicates | undefined): Duplicates | undefined {
  const unknown = !Array.isArray(patch)
    ? []
    : patch.flatMap((operation: unknown, index) =>
        Object.keys(operation ?? {})
          .filter((name) => !FIELDS.has(name))
          .map((name) => `unknown field "[${index}].${name}"`),
      )
  const warnings = [...(duplicates?.warnings ?? []), ...unknown].map((text) => `json patch ${text}`)
  return warnings.length === 0 ? undefined : { strict: warnings.join(', '), warnings }
}
