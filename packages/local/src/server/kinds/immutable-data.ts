import type { KubeObject } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { forbiddenValue } from '../causes.ts'
import type { Cause } from '../failures.ts'

interface Data extends KubeObject {
  readonly immutable?: boolean
  readonly data?: object
  readonly binaryData?: object
}

/** What an update of a ConfigMap or Secret may not change once it says that it is immutable. */
export function validateImmutableData(object: KubeObject, old?: KubeObject): readonly Cause[] {
  const [next, before] = [object as Data, old as Data | undefined]
  if (before?.immutable !== true) return []
  const fields = (['data', 'binaryData'] as const).filter((field) => !equal(next[field], before[field]))
  const changed = [...(next.immutable === true ? [] : ['immutable']), ...fields]
  return changed.map((field) => forbiddenValue(field, 'field is immutable when `immutable` is set'))
}
