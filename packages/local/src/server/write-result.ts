import type { KubeObject } from '@trainjob/kube'
import type { WriteParameters } from './api-call.ts'
import { ApiFailure } from './api-failure.ts'
import { type ApiResponse, jsonResponse } from './api-response.ts'

/** What a write left behind. */
export interface WriteResult {
  readonly object: KubeObject
  readonly created?: boolean
}

/** The answer to a write: 201 for what is new. */
export function writeResponse({ object, created }: WriteResult): ApiResponse {
  return jsonResponse(object, created === true ? 201 : 200)
}

/** An answer that warns. */
function withWarnings(response: ApiResponse, { warnings }: Pick<WriteParameters, 'warnings'>): ApiResponse {
  if (warnings.size === 0) return response
  return { ...response, headers: { ...response.headers, warning: warningHeader([...warnings]) } }
}

/** The answer of a write, which also warns when it fails. */
export async function warned(
  parameters: Pick<WriteParameters, 'warnings'>,
  write: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return withWarnings(await write(), parameters)
  } catch (error) {
    if (!(error instanceof ApiFailure) || parameters.warnings.size === 0) throw error
    return withWarnings(jsonResponse(error.body, error.httpCode, error.headers), parameters)
  }
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
