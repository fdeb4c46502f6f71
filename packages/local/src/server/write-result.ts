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

/**
 * Characters of all warnings of an answer, and of one of them where they would be more (source: k8s.io/apiserver 0.36,
 * endpoints/filters/warning.go).
 */
const MOST_CHARACTERS = 4096
const MOST_OF_ONE = 256

/** All warnings, or as many as an answer may hold, each cut to its beginning. */
function withinBounds(warnings: readonly string[]): readonly string[] {
  const whole = warnings.map((text) => [...text])
  if (whole.reduce((sum, { length }) => sum + length, 0) <= MOST_CHARACTERS) return warnings
  const kept: string[] = []
  let held = 0
  for (const characters of whole) {
    if (held >= MOST_CHARACTERS) break
    const beginning = characters.slice(0, MOST_OF_ONE)
    kept.push(beginning.join(''))
    held += beginning.length
  }
  return kept
}

/** RFC 9110 warn-values; characters that no header may hold become spaces. */
function warningHeader(warnings: readonly string[]): string {
  return withinBounds(warnings)
    .map((text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
      const safe = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').replaceAll(/["\\]/g, '\\$&')
      return `299 - "${safe}"`
    })
    .join(', ')
}
