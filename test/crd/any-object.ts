import { customResourceDefinitions } from '@trainjob/api/crd'
import type { JsonSchema } from '@trainjob/api/schema'
import fc from 'fast-check'
import { instanceOf } from './schema-arbitrary.ts'

const schemas = customResourceDefinitions().map(({ spec: { names, versions } }) => ({
  kind: names.kind,
  fields: versions[0]?.schema.openAPIV3Schema.properties as Readonly<Record<string, JsonSchema>>,
}))

/** Objects of all kinds, made of our schemas; many are valid. */
export const anyObject: fc.Arbitrary<unknown> = fc
  .constantFrom(...schemas)
  .chain(({ kind, fields: { spec, status } }) =>
    fc
      .record(
        { spec: instanceOf(spec as JsonSchema), ...(status && { status: instanceOf(status) }) },
        { requiredKeys: ['spec'] },
      )
      .map((rest) => ({ apiVersion: 'trainer.kubeflow.org/v1alpha1', kind, metadata: { name: 'x' }, ...rest })),
  )
