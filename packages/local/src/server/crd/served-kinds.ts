import type { ServedResource } from '../served-resource.ts'
import type { PrinterColumn } from '../table/column.ts'
import { type CustomResourceDefinition, type DefinedVersion, isTrue } from './definition.ts'
import { createObjectSchema, type ObjectSchema } from './object-schema.ts'
import { eachSchema, type StructuralSchema } from './structural-schema.ts'

/** The kinds that a definition adds, one for each served version; none before its names are accepted. */
export function servedKinds(definition: CustomResourceDefinition): readonly ServedResource[] {
  if (!isTrue(definition, 'Established')) return []
  const served = definition.spec.versions.filter((version) => version.served)
  return byPriority(served).map((version) => servedKind(definition, version))
}

function servedKind(
  { spec: { group, names, scope, versions } }: CustomResourceDefinition,
  version: DefinedVersion,
): ServedResource {
  const { status, scale } = version.subresources ?? {}
  const subresources = [...(scale === undefined ? [] : ['scale']), ...(status === undefined ? [] : ['status'])]
  const schema = version.schema?.openAPIV3Schema ?? { type: 'object' }
  const columns = version.additionalPrinterColumns
  const fields = version.selectableFields?.map(({ jsonPath }) => jsonPath.replace(/^\./, ''))
  return {
    group,
    version: version.name,
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    singular: names.singular ?? names.kind.toLowerCase(),
    ...(names.shortNames !== undefined && { shortNames: names.shortNames }),
    ...(names.categories !== undefined && { categories: names.categories }),
    ...(subresources.length > 0 && { subresources }),
    generation: true,
    custom: true,
    ...(columns !== undefined && columns.length > 0 && { printerColumns: columns as readonly PrinterColumn[] }),
    openApiSchema: schema as NonNullable<ServedResource['openApiSchema']>,
    ...(fields !== undefined && { fieldSelectors: fields }),
    ...(scale !== undefined && {
      scale: {
        spec: scale.specReplicasPath,
        status: scale.statusReplicasPath,
        ...(scale.labelSelectorPath !== undefined && { selector: scale.labelSelectorPath }),
      },
    }),
    schema: objectSchemaOf(schema),
    ...(versions.length > 1 && { sharesStorage: true, versions: versions.map(({ name }) => name) }),
    ...(hasDefaults(schema) && { fillsReads: true }),
  }
}

function hasDefaults(schema: StructuralSchema): boolean {
  let found = false
  eachSchema(schema, '', (part) => {
    found ||= part.default !== undefined
  })
  return found
}

const SCHEMAS = new WeakMap<StructuralSchema, ObjectSchema>()

/** A write of a definition's status leaves its schemas as they are, and what was compiled from them. */
function objectSchemaOf(schema: StructuralSchema): ObjectSchema {
  let found = SCHEMAS.get(schema)
  if (found === undefined) {
    found = createObjectSchema(schema)
    SCHEMAS.set(schema, found)
  }
  return found
}

/** The version that clients should prefer first: `v2`, `v1`, `v1beta2`, `v1beta1`, `v1alpha1`, then all other names. */
function byPriority(versions: readonly DefinedVersion[]): readonly DefinedVersion[] {
  return versions.toSorted((a, b) => {
    const [x, y] = [rankOf(a.name), rankOf(b.name)]
    for (const [index, rank] of x.entries()) {
      const other = y[index] ?? 0
      if (rank !== other) return other - rank
    }
    return a.name < b.name ? -1 : 1
  })
}

const STAGES: Readonly<Record<string, number>> = { alpha: 1, beta: 2 }

function rankOf(name: string): readonly number[] {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name)
  if (match === null) return [0, 0, 0]
  const [, major, stage, minor] = match
  return [stage === undefined ? 3 : (STAGES[stage] ?? 0), Number(major), Number(minor ?? 0)]
}
