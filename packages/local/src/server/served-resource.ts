import type { JsonSchema } from '@trainjob/api/schema'
import { apiVersionOf, type Resource } from '@trainjob/kube'
import type { ObjectSchema } from './crd/object-schema.ts'
import type { FieldNames } from './other-names.ts'
import type { PrinterColumn } from './table/column.ts'

/** Where the numbers of a kind that can be scaled stand: `.spec.replicas`. */
export interface ScalePaths {
  readonly spec: string
  readonly status: string
  /** Of a text: the label selector of the pods. */
  readonly selector?: string
}

/** A kind that the API server serves, and how it treats it. */
export interface ServedResource extends Resource {
  readonly singular: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** `status` splits writes: the object's path leaves status alone, the status path leaves all else alone. */
  readonly subresources?: readonly string[]
  /** Whether `metadata.generation` counts changes of what is neither metadata nor status. */
  readonly generation?: boolean
  /**
   * Served by a custom resource definition on a real cluster: strategic patches are refused, PUT needs a
   * resourceVersion, and the status path takes no metadata.
   */
  readonly custom?: boolean
  /** Columns of a custom kind's table behind its name; its age alone when left out. */
  readonly printerColumns?: readonly PrinterColumn[]
  /** What is done with the content of its objects; nothing when left out. */
  readonly schema?: ObjectSchema
  /** Its objects may lack defaults that its definition has by now. */
  readonly fillsReads?: boolean
  /** Its objects may have been written in another version of the kind. */
  readonly sharesStorage?: boolean
  /** Another kind that its objects are stored as, and owned as. */
  readonly storedAs?: Resource
  /** Fields that have other names there. */
  readonly fieldNames?: FieldNames
  /** All versions of the kind where there are several. */
  readonly versions?: readonly string[]
  /** Holds an object that is deleted until a controller has cleaned up. */
  readonly cleanupFinalizer?: string
  /** The structural schema that a custom resource definition declares. */
  readonly openApiSchema?: JsonSchema
  /** What can be done with the kind; everything when left out. */
  readonly verbs?: readonly string[]
  /** Field selectors besides `metadata.name` and `metadata.namespace`. */
  readonly fieldSelectors?: readonly string[]
  /** For kinds with the subresource `scale`. */
  readonly scale?: ScalePaths
  /** Status of a new object whatever the request says; without it the request's status is kept. */
  readonly initialStatus?: Readonly<Record<string, unknown>>
  /** What DELETE does with dependents when the request does not say. */
  readonly orphansByDefault?: boolean
}

/** `pods`, `jobs.batch`: how messages name a resource. */
export function resourceName(resource: Pick<Resource, 'plural' | 'group'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

/** Name of the collection in the store that holds its objects. */
export function collectionOf(resource: ServedResource): string {
  return resourceName(resource.storedAs ?? resource)
}

/** The version whose fields are owned, since they are stored in its form. */
export function ownedVersionOf(resource: ServedResource): string {
  return apiVersionOf(resource.storedAs ?? resource)
}

/** `Pod`, `Job.batch`: how messages name a kind. */
export function kindName(resource: Pick<Resource, 'kind' | 'group'>): string {
  return resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`
}

/** Key of an object in the resource's collection. */
export function storeKey(resource: Pick<Resource, 'namespaced'>, namespace: string, name: string): string {
  return resource.namespaced ? `${namespace}/${name}` : name
}

/** Whether the status of this kind is written through its own path. */
export function hasStatusPath(resource: ServedResource): boolean {
  return resource.subresources?.includes('status') === true
}
