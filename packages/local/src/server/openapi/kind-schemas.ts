import {
  clusterTrainingRuntime,
  type JsonSchema,
  jobSetSpec,
  jsonSchemaOf,
  podSpec,
  trainingRuntime,
  trainJob,
  trainJobStatus,
} from '@trainjob/api/schema'
import { structSchema } from '@trainjob/runtime'
import { schemaOf } from '../apply/schemas.ts'
import { structOf } from '../decode/struct-of.ts'
import { resourceName, type ServedResource } from '../served-resource.ts'
import { described } from './descriptions.ts'
import { StructSchemas, typesFrom } from './struct-schemas.ts'
import { withOwnership } from './with-ownership.ts'

const OWN = {
  'trainjobs.trainer.kubeflow.org': () => withStatus(jsonSchemaOf(trainJob), jsonSchemaOf(trainJobStatus)),
  'trainingruntimes.trainer.kubeflow.org': () => jsonSchemaOf(trainingRuntime),
  'clustertrainingruntimes.trainer.kubeflow.org': () => jsonSchemaOf(clusterTrainingRuntime),
} as Readonly<Record<string, () => JsonSchema>>

/** Schemas of these kinds and of what they are made of, by the names under which Kubernetes publishes them. */
export function kindSchemas(resources: readonly ServedResource[]): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {}
  const structs = new StructSchemas(
    components,
    new Map([
      ...typesFrom(jsonSchemaOf(jobSetSpec), 'jobset.JobSetSpec'),
      ...typesFrom(jsonSchemaOf(podSpec), 'core.PodSpec'),
    ]),
  )
  const metadata = structs.ref(structSchema('meta.ObjectMeta'))
  for (const resource of resources) {
    const { group, version, kind } = resource
    const schema = withOwnership(schemaOfKind(resource, structs, metadata), schemaOf(resource))
    components[componentName(resource)] = {
      ...described(schema, kind),
      'x-kubernetes-group-version-kind': [{ group, version, kind }],
    }
  }
  return components
}

function schemaOfKind(resource: ServedResource, structs: StructSchemas, metadata: JsonSchema): JsonSchema {
  const own = OWN[resourceName(resource)]
  const struct = structOf(resource)
  const schema = resource.openApiSchema ?? own?.() ?? (struct === undefined ? UNKNOWN_CONTENT : structs.object(struct))
  return { ...schema, properties: { ...schema.properties, ...TYPE_META, metadata } }
}

const TYPE_META: Readonly<Record<string, JsonSchema>> = {
  apiVersion: { type: 'string', description: 'Group and version of the kind.' },
  kind: { type: 'string', description: 'What kind of object this is.' },
}

/** Nothing is known, so nothing is refused. */
const UNKNOWN_CONTENT: JsonSchema = {
  type: 'object',
  properties: { spec: { type: 'object' }, status: { type: 'object' } },
  'x-kubernetes-preserve-unknown-fields': true,
}

function withStatus(schema: JsonSchema, status: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, status } }
}

const BUILT_IN: Readonly<Record<string, string>> = { '': 'io.k8s.api.core', batch: 'io.k8s.api.batch' }

/** `org.kubeflow.trainer.v1alpha1.TrainJob`, `io.k8s.api.core.v1.Pod`. */
function componentName({ group, version, kind, custom }: ServedResource): string {
  const reversed = group.split('.').toReversed().join('.')
  const prefix = custom === true ? reversed : (BUILT_IN[group] ?? `io.k8s.api.${group.split('.', 1)[0]}`)
  return `${prefix}.${version}.${kind}`
}
