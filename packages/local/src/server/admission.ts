import type { Findings, Issue } from '@trainjob/api'
import type { AdmissionHook, AdmissionRequest } from '@trainjob/controller'
import type { KubeObject, Resource } from '@trainjob/kube'
import { resourceName } from './served-resource.ts'

/** What must agree before an object is stored. */
export interface Admission {
  add(hook: AdmissionHook): void
  /** Checks objects of a resource by a schema from now on; named as in `createAdmission`. */
  addSchemas(schemas: Readonly<Record<string, SchemaCheck>>): void
  /** Runs all defaulting of this kind. */
  mutate(resource: Resource, request: AdmissionRequest): Promise<KubeObject> | KubeObject
  /** The schema's findings, of the status alone on request: unknown fields have the code `unknown-field`. */
  checkSchema(resource: Resource, object: KubeObject, subresource?: 'status'): Promise<Findings> | Findings | undefined
  /** Runs all validation of this kind, each hook whatever the others say. */
  validate(resource: Resource, request: AdmissionRequest): Promise<Verdict> | Verdict
}

/** What hooks object to, all of them together. */
export interface Verdict {
  readonly errors: readonly Issue[]
  readonly warnings: readonly string[]
}

/** Checks an object against the schema of its kind. */
export type SchemaCheck = (object: KubeObject) => Promise<Findings> | Findings

/**
 * Hooks in the order they are added; schemas by the name of their resource (`trainjobs.trainer.kubeflow.org`, with `/status` those of a status).
 *
 * @example
 * import { ConfigMaps } from '@trainjob/api'
 *
 * const admission = createAdmission([
 *   {
 *     resource: ConfigMaps,
 *     mutate: async ({ object }) => ({ ...object, metadata: { ...object.metadata, labels: { seen: 'yes' } } }),
 *   },
 * ])
 * const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
 * const { metadata } = await admission.mutate(ConfigMaps, { operation: 'CREATE', object, dryRun: false })
 * metadata.labels // => { seen: 'yes' }
 */
export function createAdmission(
  hooks: readonly AdmissionHook[] = [],
  schemas: Readonly<Record<string, SchemaCheck>> = {},
): Admission {
  const byResource = new Map<string, AdmissionHook[]>()
  const checks = new Map(Object.entries(schemas))
  const admission: Admission = {
    add(hook) {
      const name = resourceName(hook.resource)
      byResource.set(name, [...(byResource.get(name) ?? []), hook])
    },
    addSchemas(more) {
      for (const [name, check] of Object.entries(more)) checks.set(name, check)
    },
    mutate(resource, request) {
      const mutating = byResource.get(resourceName(resource))?.filter((hook) => hook.mutate !== undefined)
      return mutating === undefined || mutating.length === 0 ? request.object : mutateAll(mutating, request)
    },
    checkSchema(resource, object, subresource) {
      const name = resourceName(resource)
      return checks.get(subresource === undefined ? name : `${name}/${subresource}`)?.(object)
    },
    validate(resource, request) {
      const validating = byResource.get(resourceName(resource))?.filter((hook) => hook.validate !== undefined)
      return validating === undefined || validating.length === 0 ? NO_OBJECTION : validateAll(validating, request)
    },
  }
  for (const hook of hooks) admission.add(hook)
  return admission
}

const NO_OBJECTION: Verdict = { errors: [], warnings: [] }

async function mutateAll(hooks: readonly AdmissionHook[], request: AdmissionRequest): Promise<KubeObject> {
  let object = request.object
  for (const hook of hooks) object = (await hook.mutate?.({ ...request, object })) ?? object
  return object
}

async function validateAll(hooks: readonly AdmissionHook[], request: AdmissionRequest): Promise<Verdict> {
  const verdicts = await Promise.all(hooks.map((hook) => hook.validate?.(request) ?? NO_OBJECTION))
  return {
    errors: verdicts.flatMap((verdict) => verdict.errors),
    warnings: verdicts.flatMap((verdict) => verdict.warnings),
  }
}
