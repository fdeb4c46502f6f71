import { invalidValue, requiredValue, unsupportedValue } from '../causes.ts'
import type { Cause } from '../failures.ts'
import { applyDefaults } from './apply-defaults.ts'
import { checkValue } from './check-value.ts'
import type { CustomResourceDefinition, DefinedVersion } from './definition.ts'
import { hasRules } from './object-schema.ts'
import { pruneUnknown } from './prune.ts'
import { structuralFaults } from './structural-faults.ts'
import { eachSchema, isObject, type StructuralSchema } from './structural-schema.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const VERSION = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const COLUMN_TYPES: readonly string[] = ['integer', 'number', 'string', 'boolean', 'date']

/**
 * Everything that is wrong with a definition, rules included; `old` is the definition that it replaces (source:
 * apiextensions-apiserver, pkg/apis/apiextensions/validation).
 */
export async function checkDefinition(
  definition: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): Promise<readonly Cause[]> {
  const { spec, metadata } = definition
  if (!isObject(spec) || !isObject(spec.names) || !Array.isArray(spec.versions)) {
    return ['names', 'versions']
      .filter((name) => !isObject(spec) || !isObject((spec as Record<string, unknown>)[name]))
      .map((name) => requiredValue(`spec.${name}`))
  }
  const { group, names, scope, versions, conversion } = spec
  const causes: Cause[] = []
  if (metadata.name !== `${names.plural}.${group}`) {
    causes.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'))
  }
  checkGroup(definition, causes)
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    causes.push(
      scope === undefined
        ? requiredValue('spec.scope')
        : unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced']),
    )
  }
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const)
    checkName(names[field], `spec.names.${field}`, causes)
  if (names.kind === names.listKind)
    causes.push(invalidValue('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'))
  for (const [index, name] of (names.shortNames ?? []).entries()) {
    if (!LABEL.test(name)) causes.push(invalidValue(`spec.names.shortNames[${index}]`, name, NOT_A_LABEL))
  }
  if (conversion !== undefined && conversion.strategy !== 'None') {
    causes.push({
      ...unsupportedValue('spec.conversion.strategy', conversion.strategy, ['None']),
      message: `Unsupported value: ${JSON.stringify(conversion.strategy)}: this cluster converts by changing apiVersion only: supported values: "None"`,
    })
  }
  if (spec.preserveUnknownFields === true) {
    causes.push(
      invalidValue(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    )
  }
  checkStorage(versions, causes)
  for (const [index, version] of versions.entries()) await checkVersion(version, `spec.versions[${index}]`, causes)
  if (old !== undefined) checkUnchanged(definition, old, causes)
  return causes
}

function checkGroup({ spec: { group }, metadata }: CustomResourceDefinition, causes: Cause[]): void {
  if (!group) causes.push(requiredValue('spec.group'))
  else if (!group.split('.').every((part) => LABEL.test(part)) || !group.includes('.')) {
    causes.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'))
  } else if (/(^|\.)(k8s|kubernetes)\.io$/.test(group)) {
    const approval = metadata.annotations?.['api-approved.kubernetes.io']
    if (approval === undefined || approval === '') {
      const text =
        'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111'
      causes.push(requiredValue('metadata.annotations[api-approved.kubernetes.io]', text))
    }
  }
}

const NOT_A_LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"

function checkName(name: string | undefined, field: string, causes: Cause[]): void {
  if (!name) causes.push(requiredValue(field))
  else if (!VERSION.test(name.toLowerCase()) || (!field.endsWith('ind') && name !== name.toLowerCase())) {
    causes.push(invalidValue(field, name, NOT_A_LABEL))
  }
}

function checkStorage(versions: readonly DefinedVersion[], causes: Cause[]): void {
  const stored = versions.filter(({ storage }) => storage === true)
  if (versions.length === 0) causes.push(requiredValue('spec.versions'))
  else if (stored.length !== 1) {
    causes.push(invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'))
  }
  const names = versions.map(({ name }) => name)
  if (new Set(names).size !== names.length) {
    causes.push(invalidValue('spec.versions', versions, 'must contain unique version names'))
  }
}

async function checkVersion(version: DefinedVersion, path: string, causes: Cause[]): Promise<void> {
  if (!version.name) causes.push(requiredValue(`${path}.name`))
  else if (!VERSION.test(version.name)) causes.push(invalidValue(`${path}.name`, version.name, NOT_A_LABEL))
  for (const field of ['served', 'storage'] as const) {
    if (typeof version[field] !== 'boolean') causes.push(requiredValue(`${path}.${field}`))
  }
  checkColumns(version, path, causes)
  checkScale(version, path, causes)
  const schema = version.schema?.openAPIV3Schema
  if (schema === undefined)
    causes.push({ ...requiredValue(`${path}.schema.openAPIV3Schema`), message: 'Required value: schemas are required' })
  else await checkSchema(schema, `${path}.schema.openAPIV3Schema`, causes)
}

function checkColumns(version: DefinedVersion, path: string, causes: Cause[]): void {
  for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
    const at = `${path}.additionalPrinterColumns[${index}]`
    for (const field of ['name', 'type', 'jsonPath'] as const)
      if (!column[field]) causes.push(requiredValue(`${at}.${field}`))
    if (column.type && !COLUMN_TYPES.includes(column.type)) {
      causes.push(unsupportedValue(`${at}.type`, column.type, COLUMN_TYPES))
    }
  }
}

function checkScale(version: DefinedVersion, path: string, causes: Cause[]): void {
  const { scale } = version.subresources ?? {}
  if (scale === undefined) return
  for (const [field, root] of [
    ['specReplicasPath', '.spec.'],
    ['statusReplicasPath', '.status.'],
  ] as const) {
    if (!scale[field]) causes.push(requiredValue(`${path}.subresources.scale.${field}`))
    else if (!scale[field].startsWith(root)) {
      causes.push(
        invalidValue(
          `${path}.subresources.scale.${field}`,
          scale[field],
          `should be a json path under ${root.slice(0, -1)}`,
        ),
      )
    }
  }
}

async function checkSchema(schema: StructuralSchema, path: string, causes: Cause[]): Promise<void> {
  const faults = structuralFaults(schema, path)
  causes.push(...faults)
  if (faults.length > 0) return
  checkDefaults(schema, path, causes)
  if (!hasRules(schema)) return
  const { compileRules } = await import('./cel/rules.ts')
  causes.push(...compileRules(schema).faults(path))
}

/** A default must be what its schema asks of everybody. */
function checkDefaults(schema: StructuralSchema, path: string, causes: Cause[]): void {
  eachSchema(schema, path, (part, at) => {
    const { default: value, ...rest } = part
    if (value === undefined) return
    const faults = checkValue(applyDefaults(value, rest), rest, undefined, `${at}.default`)
    causes.push(...faults)
    const { unknown } = pruneUnknown({ value }, { properties: { value: rest } })
    if (faults.length === 0 && unknown.length > 0) {
      causes.push(invalidValue(`${at}.default`, value, 'must not have unknown fields'))
    }
  })
}

/** Objects are stored under these. */
function checkUnchanged({ spec }: CustomResourceDefinition, old: CustomResourceDefinition, causes: Cause[]): void {
  const pairs = [
    ['spec.group', spec.group, old.spec.group],
    ['spec.scope', spec.scope, old.spec.scope],
    ['spec.names.plural', spec.names.plural, old.spec.names.plural],
    ['spec.names.kind', spec.names.kind, old.spec.names.kind],
  ] as const
  for (const [field, now, before] of pairs) {
    if (now !== before) causes.push(invalidValue(field, now, 'field is immutable'))
  }
  for (const name of old.status?.storedVersions ?? []) {
    if (spec.versions.some((version) => version.name === name)) continue
    causes.push(
      invalidValue(
        'status.storedVersions[0]',
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    )
  }
}
