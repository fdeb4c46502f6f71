import type { KubeObject } from '@trainjob/kube'
import { invalidValue, requiredValue } from '../causes.ts'
import type { Cause } from '../failures.ts'

const KEY = /^[-._a-zA-Z0-9]+$/
const RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const MAX_LENGTH = 253
const MAX_BYTES = 1024 * 1024

interface Holder {
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
}

/** What is wrong with the keys of a ConfigMap or Secret, which become names of files (source: pkg/apis/core/validation). */
export function checkDataKeys(object: KubeObject, old?: KubeObject): readonly Cause[] {
  const causes: Cause[] = []
  const { data = {}, binaryData = {} } = object as Holder
  let bytes = 0
  for (const [field, map] of [
    ['data', data],
    ['binaryData', binaryData],
  ] as const) {
    if (map === (old as Holder | undefined)?.[field]) continue
    for (const [key, value] of Object.entries(map)) {
      const at = `${field}[${key}]`
      if (key.length > MAX_LENGTH) causes.push(invalidValue(at, key, `must be no more than ${MAX_LENGTH} characters`))
      else if (key === '') causes.push(requiredValue(at))
      else if (key === '.' || key === '..') causes.push(invalidValue(at, key, `must not be '${key}'`))
      else if (key.startsWith('..')) causes.push(invalidValue(at, key, "must not start with '..'"))
      else if (!KEY.test(key)) causes.push(invalidValue(at, key, RULE))
      bytes += Buffer.byteLength(value)
    }
  }
  if (bytes > MAX_BYTES) {
    const message = `Too long: may not be more than ${MAX_BYTES} bytes`
    causes.push({ reason: 'FieldValueTooLong', field: '', message })
  }
  return causes
}
