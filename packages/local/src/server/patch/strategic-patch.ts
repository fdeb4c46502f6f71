import type { KubeObject } from '@trainjob/kube'
import { RenderError, strategicMerge } from '@trainjob/runtime'
import { clone } from '../../object/clone.ts'
import { structOf } from '../decode/struct-of.ts'
import { badRequest } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'

/** Applies a strategic merge patch of a built-in kind; the object is not changed. Throws `ApiFailure` 400. */
export function applyStrategicPatch(current: KubeObject, patch: object, resource: ServedResource): unknown {
  try {
    // the merge may keep parts of the patch, and the patch is applied again when another write came between
    return strategicMerge(current, clone(patch), structOf(resource))
  } catch (error) {
    if (error instanceof RenderError) throw badRequest(`error decoding patch: ${error.message}`, error)
    throw error
  }
}
