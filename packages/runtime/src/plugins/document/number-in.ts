import type { ObjectMeta } from '@trainjob/api'

/** The whole number in an annotation; nothing where there is none. */
export function numberIn({ annotations }: ObjectMeta, annotation: string): number | undefined {
  const text = annotations?.[annotation]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
