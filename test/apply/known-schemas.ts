import type { FieldSchema } from '../../packages/local/src/server/apply/field-schema.ts'
import { schemaOf } from '../../packages/local/src/server/apply/schemas.ts'
import { withOtherNames } from '../../packages/local/src/server/other-names.ts'
import { RESOURCES } from '../../packages/local/src/server/resources.ts'

/** How our server lets fields of built-in kinds be owned, by apiVersion and kind, with what says nothing left out. */
export function ourSchemas(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    RESOURCES.filter(({ verbs, custom, schema }) => verbs === undefined && custom !== true && schema === undefined).map(
      (resource) => {
        const { group, version, kind, fieldNames } = resource
        const schema = schemaOf(resource)
        const fields = fieldNames === undefined ? schema.fields : withOtherNames(schema.fields ?? {}, fieldNames)
        return [
          `${group === '' ? version : `${group}/${version}`} ${kind}`,
          spare({ ...schema, ...(fields && { fields }) }),
        ]
      },
    ),
  )
}

/** The same of a custom kind whose definition does not say it: without metadata, about which definitions are silent. */
export function ourCustomSchema(kind: string): unknown {
  const resource = RESOURCES.find((one) => one.custom === true && one.kind === kind)
  const { fields: { metadata: _, ...fields } = {}, ...schema } = resource === undefined ? {} : schemaOf(resource)
  return spare({ ...schema, fields })
}

/** A schema without the parts that say nothing, and without defaults that say as much as a missing key. */
export function spare(schema: FieldSchema | undefined): unknown {
  if (schema === undefined) return undefined
  const { atomic, list, keyDefaults, fields = {}, items } = schema
  if (atomic === true) return { atomic }
  const children = Object.entries(fields)
    .map(([name, child]) => [name, spare(child)] as const)
    .filter(([, child]) => child !== undefined)
  const defaults = Object.entries(keyDefaults ?? {}).filter(([, value]) => value !== '' && value !== 0)
  const values = items === schema ? undefined : spare(items)
  const said = {
    ...(list !== undefined && { list }),
    ...(defaults.length > 0 && { keyDefaults: Object.fromEntries(defaults) }),
    ...(children.length > 0 && { fields: Object.fromEntries(children) }),
    // nobody owns a part of a list without keys
    ...(list !== undefined && values !== undefined && { items: values }),
  }
  return Object.keys(said).length > 0 ? said : undefined
}
