import type { KubeObject } from '@trainjob/kube'
import { type ApiResponse, jsonResponse } from './api-response.ts'

/** What a write left behind. */
export interface WriteResult {
  readonly object: KubeObject
  readonly warnings: readonly string[]
  readonly created?: boolean
}

/** The answer to a write: 201 for what is new, and a `Warning` header. */
export function writeResponse(result: WriteResult): ApiResponse {
  const status = result.created === true ? 201 : 200
  return result.warnings.length === 0
    ? jsonResponse(result.object, status)
    : jsonResponse(result.object, status, { warning: warningHeader(result.warnings) })
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
