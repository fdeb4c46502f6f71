import {
  type JsonSchema,
  jobSetSpec,
  jsonSchemaOf,
  podSpec,
  trainingRuntimeSpec,
  trainJob,
  trainJobStatus,
} from '@trainjob/api/schema'
import { structSchema } from '@trainjob/runtime'
import { schemaOf } from '../apply/schemas.ts'
import { structOf } from '../decode/struct-of.ts'
import { withOtherNames } from '../other-names.ts'
import { resourceName, type ServedResource } from '../served-resource.ts'
import { described } from './descriptions.ts'
import { StructSchemas, typesFrom } from './struct-schemas.ts'
import { withOwnership } from './with-ownership.ts'

/** What our own kinds hold besides metadata; both kinds of runtime hold the same. */
const OWN: Readonly<Record<string, 'trainJob' | 'runtime'>> = {
  'trainjobs.trainer.kubeflow.org': 'trainJob',
  'trainingruntimes.trainer.kubeflow.org': 'runtime',
  'clustertrainingruntimes.trainer.kubeflow.org': 'runtime',
}

/** Schemas that take long to make: each is made when it is first needed, and once. */
class Converted {
  readonly #made = new Map<string, JsonSchema>()

  get trainJob(): JsonSchema {
    return this.#once('trainJob', () => withStatus(jsonSchemaOf(trainJob), jsonSchemaOf(trainJobStatus)))
  }

  get runtime(): JsonSchema {
    return this.#once('runtime', () => ({ type: 'object', properties: { spec: jsonSchemaOf(trainingRuntimeSpec) } }))
  }

  get jobSet(): JsonSchema {
    return this.#once('jobSet', () => jsonSchemaOf(jobSetSpec))
  }

  get pod(): JsonSchema {
    return this.#once('pod', () => jsonSchemaOf(podSpec))
  }

  #once(name: string, make: () => JsonSchema): JsonSchema {
    let schema = this.#made.get(name)
    if (schema === undefined) {
      schema = make()
      this.#made.set(name, schema)
    }
    return schema
  }
}

/** Kinds that are made of pods. */
const OF_PODS: ReadonlySet<string> = new Set(['Pod', 'Job', 'JobSet'])

/**
 * Schemas of these kinds and of what they are made of, by the names under which Kubernetes publishes them. Lets others
 * have a turn between the kinds.
 */
export async function kindSchemas(resources: readonly ServedResource[]): Promise<Record<string, JsonSchema>> {
  const components: Record<string, JsonSchema> = {}
  const converted = new Converted()
  const structs = new StructSchemas(components, await typesFor(resources, converted))
  const metadata = structs.ref(structSchema('meta.ObjectMeta'))
  for (const resource of resources) {
    await nextTurn()
    const { group, version, kind } = resource
    const stored = withOwnership(schemaOfKind(resource, structs, metadata, converted), schemaOf(resource))
    const { fieldNames: names } = resource
    const schema =
      names === undefined ? stored : { ...stored, properties: withOtherNames(stored.properties ?? {}, names) }
    components[componentName(resource)] = {
      ...described(schema, kind),
      'x-kubernetes-group-version-kind': [{ group, version, kind }],
    }
  }
  return components
}

/** Types of scalars that the type table leaves open, where these kinds need them. */
async function typesFor(
  resources: readonly ServedResource[],
  converted: Converted,
): Promise<ReadonlyMap<string, JsonSchema>> {
  if (!resources.some(({ kind }) => OF_PODS.has(kind))) return new Map()
  const pod = typesFrom(converted.pod, 'core.PodSpec')
  await nextTurn()
  // pods in templates of jobs are the same pods
  if (!resources.some(({ kind }) => kind === 'Job' || kind === 'JobSet')) return pod
  return new Map([...typesFrom(converted.jobSet, 'jobset.JobSetSpec'), ...pod])
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function schemaOfKind(
  resource: ServedResource,
  structs: StructSchemas,
  metadata: JsonSchema,
  converted: Converted,
): JsonSchema {
  const own = OWN[resourceName(resource)]
  const struct = structOf(resource)
  const schema =
    resource.openApiSchema ??
    (own === undefined ? undefined : converted[own]) ??
    (struct === undefined ? UNKNOWN_CONTENT : structs.object(struct))
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
