import type { KubeObject } from '@trainjob/kube'
import type { WriteParameters } from './api-call.ts'
import { type ApiResponse, jsonResponse } from './api-response.ts'

/** What a write left behind. */
export interface WriteResult {
  readonly object: KubeObject
  readonly created?: boolean
}

/** The answer to a write: 201 for what is new, and a `Warning` header. */
export function writeResponse({ object, created }: WriteResult, { warnings }: WriteParameters): ApiResponse {
  const status = created === true ? 201 : 200
  return warnings.size === 0
    ? jsonResponse(object, status)
    : jsonResponse(object, status, { warning: warningHeader([...warnings]) })
}

/** RFC 9110 warn-values; characters that no header may hold become spaces. */
function warningHeader(warnings: readonly string[]): string {
  return warnings
    .map((text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
      const safe = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').replaceAll(/["\\]/g, '\\$&')
      return `299 - "${safe}"`
    })
    .join(', ')
}
