import { formatFieldPath, type Issue, type KubernetesObject } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'

/** What defaulting could not translate, for a server whose schema keeps all forms and says nothing. */
export function untranslated(object: KubernetesObject): readonly Issue[] {
  const { errors } = toCanonical(object)
  const { namespace = '', name = '' } = object.metadata
  const about = { kind: object.kind, namespace, name }
  return errors.map(({ path, code, message }) => ({ path: formatFieldPath(path), code, message, object: about }))
}
