import type { AdmissionRequest } from '@trainjob/controller'
import type { KubeObject } from '@trainjob/kube'
import type { WriteParameters } from './api-call.ts'
import { causeOf } from './cause-of.ts'
import { reportUnknownFields } from './decode/unknown-fields.ts'
import { invalid } from './failures.ts'
import { treatmentOf } from './kinds/treatment.ts'
import { prune } from './prune.ts'
import type { ServedResource } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'

/**
 * Checks an object against its schema, then asks all validating hooks. Answers the object without unknown fields and
 * notes warnings in the parameters. Throws `ApiFailure` 400, or 422 with a cause for each error.
 */
export async function admit(
  { admission }: ServerContext,
  resource: ServedResource,
  request: AdmissionRequest,
  parameters: WriteParameters,
): Promise<KubeObject> {
  let { object } = request
  const { name = '' } = object.metadata
  const schemaCheck = admission.checkSchema(resource, object)
  const schema = schemaCheck instanceof Promise ? await schemaCheck : schemaCheck
  if (schema !== undefined) {
    const unknown = schema.errors.filter((issue) => issue.code === 'unknown-field').map((issue) => issue.path)
    const errors = schema.errors.filter((issue) => issue.code !== 'unknown-field')
    reportUnknownFields(resource, unknown, parameters)
    if (unknown.length > 0) object = prune(object, unknown)
    if (errors.length > 0) throw invalid(resource, name, errors.map(causeOf))
  }
  if (resource.schema !== undefined) await checkContent(resource, object, request.oldObject)
  const causes = treatmentOf(resource).validate?.(object) ?? []
  if (causes.length > 0) throw invalid(resource, name, causes)
  const verdict = admission.validate(resource, { ...request, object })
  const { errors, warnings } = verdict instanceof Promise ? await verdict : verdict
  if (errors.length > 0) throw invalid(resource, name, errors.map(causeOf))
  for (const text of warnings) parameters.warnings.add(text)
  return object
}

/** Compares an object with the schema of its definition, if it has one. Throws `ApiFailure` 422. */
export async function checkContent(
  resource: ServedResource,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<void> {
  const checked = resource.schema?.check(object, old)
  if (checked === undefined) return
  const causes = checked instanceof Promise ? await checked : checked
  if (causes.length > 0) throw invalid(resource, object.metadata.name ?? '', causes)
}
