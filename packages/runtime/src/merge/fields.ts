/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether the value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
