import { createObjectSchema, type ObjectSchema } from '../crd/object-schema.ts'
import type { StructuralSchema } from '../crd/structural-schema.ts'
import type { Cause } from '../failures.ts'
import type { WebhookConfiguration } from './configuration.ts'

/** The schema of configurations of webhooks. What checks them is loaded with the first one. */
export function configurationSchema(structure: StructuralSchema): ObjectSchema {
  const shape = createObjectSchema(structure)
  return {
    ...shape,
    async check(object, old) {
      const wrong = (await shape.check(object, old)).filter(({ reason }) => reason === 'FieldValueTypeInvalid')
      return wrong.length > 0 ? wrong : checkContent(object as WebhookConfiguration)
    },
  }
}

async function checkContent(configuration: WebhookConfiguration): Promise<readonly Cause[]> {
  const [{ checkConfiguration }, { conditionFault }] = await Promise.all([
    import('./check-configuration.ts'),
    import('./match-conditions.ts'),
  ])
  return checkConfiguration(configuration, conditionFault)
}
