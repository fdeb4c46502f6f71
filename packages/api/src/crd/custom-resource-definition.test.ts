import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../schema/json-schema.ts'
import { RUNTIME_DEFAULTS, TRAINJOB_DEFAULTS } from '../trainer/default-rules.ts'
import { UNNAMED_MANAGER } from '../trainer/unnamed-manager.ts'
import { RUNTIME_UPDATE_RULES, TRAINJOB_UPDATE_RULES } from '../validate/update-rules.ts'
import { type CustomResourceDefinition, customResourceDefinitions } from './custom-resource-definition.ts'

type Fields = Readonly<Record<string, JsonSchema>>

function schemaOf({ spec }: CustomResourceDefinition): JsonSchema {
  return spec.versions[0]?.schema.openAPIV3Schema as JsonSchema
}

/** The node at a path such as `spec.runtimePatches[].manager`. */
function at(schema: JsonSchema, path: string): JsonSchema {
  const steps = path.replaceAll('[]', '.[]').split('.')
  const found = steps.reduce<JsonSchema | undefined>(
    (node, step) => (step === '[]' ? node?.items : node?.properties?.[step]),
    schema,
  )
  if (found === undefined) throw new Error(`There is no ${path} in the schema.`)
  return found
}

function nodesIn(schema: JsonSchema, path = ''): [path: string, node: JsonSchema][] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => nodesIn(node, `${path}.${name}`))
  const items = schema.items ? nodesIn(schema.items, `${path}[]`) : []
  const values = schema.additionalProperties ? nodesIn(schema.additionalProperties, `${path}{}`) : []
  return [[path, schema], ...below, ...items, ...values]
}

describe.each([false, true])('definitions with dialect: %s', (dialect) => {
  const definitions = customResourceDefinitions({ dialect })

  it.each(definitions.map((crd) => [crd.spec.names.kind, crd] as const))('%s has a structural schema', (_, crd) => {
    for (const [path, node] of nodesIn(schemaOf(crd))) {
      const says = [
        node.type !== undefined,
        node['x-kubernetes-int-or-string'] === true,
        node['x-kubernetes-preserve-unknown-fields'] === true,
      ]
      expect([path, says.filter(Boolean).length]).toEqual([path, 1])
      expect([path, node.properties !== undefined && node.additionalProperties !== undefined]).toEqual([path, false])
      const foreign = Object.keys(node).filter((key) => key.startsWith('$') || /^x-(?!kubernetes-)/.test(key))
      expect([path, foreign]).toEqual([path, []])
    }
  })

  it.each(definitions.map((crd) => [crd.spec.names.kind, crd] as const))(
    '%s tells list items apart by fields that are there',
    (_, crd) => {
      for (const [path, node] of nodesIn(schemaOf(crd))) {
        for (const key of (node['x-kubernetes-list-map-keys'] ?? []) as readonly string[]) {
          const isThere = node.items?.required?.includes(key) || node.items?.properties?.[key]?.default !== undefined
          expect([`${path}: ${key}`, isThere]).toEqual([`${path}: ${key}`, true])
        }
      }
    },
  )

  it.each(definitions.map((crd) => [crd.spec.names.kind, crd] as const))(
    '%s fits into the annotation of kubectl apply',
    (_, crd) => {
      expect(JSON.stringify(crd).length).toBeLessThan(262_144 / 2)
    },
  )
})

describe('definitions', () => {
  const [trainJob, runtime, clusterRuntime] = customResourceDefinitions().map(schemaOf) as [
    JsonSchema,
    JsonSchema,
    JsonSchema,
  ]

  it('have the defaults that this package fills in itself', () => {
    expect(defaultsIn(trainJob)).toEqual(TRAINJOB_DEFAULTS)
    expect(defaultsIn(runtime)).toEqual(RUNTIME_DEFAULTS)
    expect(defaultsIn(clusterRuntime)).toEqual(RUNTIME_DEFAULTS)
  })

  it('let no update change what this package lets none change', () => {
    // of an item's key there is nothing to compare
    delete (at(trainJob, 'spec.runtimePatches[].manager') as Record<string, unknown>)['x-kubernetes-validations']
    expect(immutableIn(trainJob)).toEqual(TRAINJOB_UPDATE_RULES)
    expect(immutableIn(runtime)).toEqual(RUNTIME_UPDATE_RULES)
  })

  it('describe every field of the specs that is ours and not of pods', () => {
    const own = nodesIn(at(trainJob, 'spec')).filter(
      ([path]) => !/runtimePatches\[\]\.trainingRuntimeSpec\.|\.env\[|resources|secretRef\.|\[\]$/.test(path),
    )
    expect(own.filter(([, { description }]) => description === undefined).map(([path]) => path)).toEqual([])
  })

  it('print the state and the age of jobs', () => {
    const [jobs] = customResourceDefinitions()
    expect(jobs?.spec.versions[0]?.additionalPrinterColumns?.map(({ name }) => name)).toEqual(['State', 'Age'])
  })
})

describe('definitions for the dialect', () => {
  const [trainJob, runtime] = customResourceDefinitions({ dialect: true }).map(schemaOf) as [JsonSchema, JsonSchema]

  it.each([
    'spec.trainer.resources',
    'spec.initializer.storageUri',
    'spec.runtimePatches[].managerKey',
    'spec.runtimePatches[].patch',
    'spec.podSpecOverrides',
  ])('keep %s of jobs', (path) => {
    expect(at(trainJob, path)).toEqual({ 'x-kubernetes-preserve-unknown-fields': true })
  })

  it.each([
    'spec.mlPolicy.torch.elastic',
    'spec.mlPolicy.xgboost.numXGBoostWorkersPerNode',
    'spec.podGroupPolicy.cosmoscheduling',
    'spec.podGroupPolicy.volcano.queue',
    'spec.template.spec.failurePolicy.maxRetries',
    'spec.template.spec.replicatedJobs[].template.spec.containers',
  ])('keep %s of runtimes', (path) => {
    expect(at(runtime, path)).toEqual({ 'x-kubernetes-preserve-unknown-fields': true })
  })

  it('leave what a Job has itself as it is', () => {
    const field = 'spec.template.spec.replicatedJobs[].template.spec.activeDeadlineSeconds'
    expect(at(runtime, field)).toEqual({ type: 'integer', format: 'int64' })
  })

  it('do not fill in what a webhook must find out', () => {
    expect(at(trainJob, 'spec.runtimeRef.kind').default).toBeUndefined()
    expect(at(trainJob, 'spec.runtimeRef.apiGroup').default).toBe('trainer.kubeflow.org')
    expect(at(runtime, 'spec.mlPolicy.mpi.numProcPerNode').default).toBeUndefined()
  })

  it('have a default for the key of patches, which the dialect writes otherwise', () => {
    expect(at(trainJob, 'spec.runtimePatches[].manager').default).toBe(UNNAMED_MANAGER)
  })
})

/** The defaults of a schema in the form of `DefaultRules`. */
function defaultsIn({ properties = {}, items }: JsonSchema): object | undefined {
  const set = mapped(properties, ({ default: value }) => value as string | undefined)
  const fields = mapped(properties, defaultsIn)
  const each = items && defaultsIn(items)
  return some({ set, fields, each })
}

/** The transition rules of a schema in the form of `UpdateRules`. */
function immutableIn(node: JsonSchema): object | undefined {
  const { properties = {}, items } = node
  const rules = items && immutableIn(items)
  const [key] = (node['x-kubernetes-list-map-keys'] ?? []) as readonly string[]
  const checks = (node['x-kubernetes-validations'] ?? []) as readonly { readonly rule: string }[]
  return some({
    immutable: checks.some(({ rule }) => rule === 'self == oldSelf') || undefined,
    fields: mapped(properties, immutableIn),
    each: rules && { key, rules },
  })
}

function mapped<T>(fields: Fields, of: (node: JsonSchema) => T | undefined): Record<string, T> | undefined {
  const found = Object.entries(fields).flatMap(([name, node]) => {
    const value = of(node)
    return value === undefined ? [] : [[name, value] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function some(rules: object): object | undefined {
  const kept = Object.entries(rules).filter(([, value]) => value !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
