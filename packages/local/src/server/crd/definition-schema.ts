import type { FieldSchema } from '../apply/field-schema.ts'
import type { CustomResourceDefinition } from './definition.ts'
import type { ObjectSchema } from './object-schema.ts'

/** The schema of definitions themselves. What checks them is loaded with the first one. */
export const DEFINITION_SCHEMA: ObjectSchema = {
  prune: (value) => ({ value, unknown: [] }),
  fill: (object) => fillNames(object as CustomResourceDefinition),
  async check(object, old) {
    const { checkDefinition } = await import('./check-definition.ts')
    return checkDefinition(object as CustomResourceDefinition, old as CustomResourceDefinition | undefined)
  },
  ownership: () => OWNERSHIP,
}

const OWNERSHIP: FieldSchema = {
  fields: { status: { fields: { conditions: { list: ['type'] }, storedVersions: {} } } },
}

/** What a definition gets that says nothing: its other names, and that versions differ in their name only. */
function fillNames(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec } = definition
  const names = spec?.names
  if (typeof names?.kind !== 'string') return definition
  const { kind, singular, listKind } = names
  if (singular && listKind && spec.conversion !== undefined) return definition
  return {
    ...definition,
    spec: {
      ...spec,
      names: { ...names, singular: singular || kind.toLowerCase(), listKind: listKind || `${kind}List` },
      conversion: spec.conversion ?? { strategy: 'None' },
    },
  }
}
