import type { JsonSchema } from '../schema/json-schema.ts'
import { trainJob } from '../schema/train-job.ts'
import { trainJobStatus } from '../schema/train-job-status.ts'
import { clusterTrainingRuntime, trainingRuntime } from '../schema/training-runtime.ts'
import { TRAINER_GROUP } from '../trainer/types.ts'
import { type StructuralOptions, structuralSchemaOf } from './structural-schema.ts'

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`, as far as ours need it. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly names: {
      readonly kind: string
      readonly listKind: string
      readonly plural: string
      readonly singular: string
    }
    readonly scope: 'Namespaced' | 'Cluster'
    readonly versions: readonly CustomResourceDefinitionVersion[]
  }
}

/** One version of the resource. */
export interface CustomResourceDefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly schema: { readonly openAPIV3Schema: JsonSchema }
  readonly subresources?: { readonly status: Readonly<Record<string, never>> }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
}

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'date'
  readonly jsonPath: string
}

/**
 * The definitions of TrainJob, TrainingRuntime and ClusterTrainingRuntime: the same fields, defaults, limits and rules
 * as upstream's of v2.3.0, made from the schemas of this package. With `dialect` they also keep what only the dialect
 * has, for a cluster whose webhook translates it.
 *
 * @example
 * customResourceDefinitions().map(({ metadata }) => metadata.name)
 * // => [
 * //   'trainjobs.trainer.kubeflow.org',
 * //   'trainingruntimes.trainer.kubeflow.org',
 * //   'clustertrainingruntimes.trainer.kubeflow.org',
 * // ]
 */
export function customResourceDefinitions(options: StructuralOptions = {}): readonly CustomResourceDefinition[] {
  const status = structuralSchemaOf(trainJobStatus, options)
  return [
    definition('TrainJob', 'Namespaced', {
      schema: { openAPIV3Schema: topLevel(structuralSchemaOf(trainJob, options), { status }) },
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: 'State', type: 'string', jsonPath: '.status.conditions[-1:].type' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    }),
    definition('TrainingRuntime', 'Namespaced', {
      schema: { openAPIV3Schema: topLevel(structuralSchemaOf(trainingRuntime, options)) },
    }),
    definition('ClusterTrainingRuntime', 'Cluster', {
      schema: { openAPIV3Schema: topLevel(structuralSchemaOf(clusterTrainingRuntime, options)) },
    }),
  ]
}

function definition(
  kind: string,
  scope: 'Namespaced' | 'Cluster',
  version: Pick<CustomResourceDefinitionVersion, 'schema' | 'subresources' | 'additionalPrinterColumns'>,
): CustomResourceDefinition {
  const singular = kind.toLowerCase()
  const plural = `${singular}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${TRAINER_GROUP}` },
    spec: {
      group: TRAINER_GROUP,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope,
      versions: [{ name: 'v1alpha1', served: true, storage: true, ...version }],
    },
  }
}

/** The server knows type and metadata itself, and wants nothing said of them. */
function topLevel({ required: _, ...schema }: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return {
    ...schema,
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of the kind.' },
      kind: { type: 'string', description: 'What kind of object this is.' },
      metadata: { type: 'object' },
      ...(schema.properties?.spec && { spec: schema.properties.spec }),
      ...more,
    },
  }
}
