import type { KubernetesObject, ResourceType } from '@trainjob/api'
import type { StructuralSchema } from './structural-schema.ts'

/** The names under which a custom kind is served. */
export interface DefinedNames {
  readonly plural: string
  readonly singular?: string
  readonly kind: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

/** A column of tables. */
export interface DefinedColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

/** One version of a custom kind. */
export interface DefinedVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema }
  readonly subresources?: {
    readonly status?: object
    readonly scale?: {
      readonly specReplicasPath: string
      readonly statusReplicasPath: string
      readonly labelSelectorPath?: string
    }
  }
  readonly additionalPrinterColumns?: readonly DefinedColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

/** A condition of a definition: `NamesAccepted`, `Established`, `Terminating`. */
export interface DefinitionCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime?: string
}

/** A kind that somebody adds to the API (apiextensions.k8s.io/v1). */
export interface CustomResourceDefinition extends KubernetesObject {
  readonly spec: {
    readonly group: string
    readonly names: DefinedNames
    readonly scope: 'Namespaced' | 'Cluster'
    readonly versions: readonly DefinedVersion[]
    readonly conversion?: { readonly strategy: string }
    readonly preserveUnknownFields?: boolean
  }
  readonly status?: {
    readonly conditions?: readonly DefinitionCondition[]
    readonly acceptedNames?: DefinedNames
    readonly storedVersions?: readonly string[]
  }
}

/** Where definitions are served. */
export const CustomResourceDefinitions: ResourceType<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

/** Whether a condition of a definition holds. */
export function isTrue({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true
}
