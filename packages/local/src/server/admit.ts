import type { AdmissionRequest } from '@trainjob/controller'
import type { KubeObject } from '@trainjob/kube'
import type { Admission } from './admission.ts'
import type { WriteParameters } from './api-call.ts'
import { causeOf } from './cause-of.ts'
import { checkMetadata } from './check-metadata.ts'
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
  const { name = '' } = request.object.metadata
  const object = await conformToSchema(admission, resource, request.object, parameters)
  if (resource.schema !== undefined) await checkContent(resource, object, request.oldObject)
  const causes = [
    ...checkMetadata(resource, object.metadata, request.oldObject?.metadata),
    ...(treatmentOf(resource).validate?.(object, request.oldObject) ?? []),
  ]
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

/**
 * Checks an object against its schema, or with `status` its status alone. Answers it without unknown fields. Throws
 * `ApiFailure` 400 and 422.
 */
export async function conformToSchema(
  admission: Pick<Admission, 'checkSchema'>,
  resource: ServedResource,
  object: KubeObject,
  parameters: WriteParameters,
  subresource?: 'status',
): Promise<KubeObject> {
  const check = admission.checkSchema(resource, object, subresource)
  const schema = check instanceof Promise ? await check : check
  if (schema === undefined) return object
  const unknown = schema.errors.filter((issue) => issue.code === 'unknown-field').map((issue) => issue.path)
  const errors = schema.errors.filter((issue) => issue.code !== 'unknown-field')
  reportUnknownFields(resource, unknown, parameters)
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors.map(causeOf))
  return unknown.length > 0 ? prune(object, unknown) : object
}
