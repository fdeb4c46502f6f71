import type { FieldPath } from '../field-path.ts'
import type { Fault } from '../validate/check-schema.ts'
import { FORM_ANNOTATION, FORM_DOCUMENT } from './annotations.ts'
import { type Move, writtenPath } from './written-path.ts'

type Fields = Readonly<Record<string, unknown>>

/** An object that is being translated: changed by copies along the path, so that what was given stays as it is. */
export class Draft {
  value: Fields
  readonly notes: Fault[] = []
  readonly warnings: Fault[] = []
  readonly errors: Fault[] = []
  readonly moves: Move[] = []

  constructor(value: Fields) {
    this.value = value
  }

  get(path: FieldPath): unknown {
    let at: unknown = this.value
    for (const part of path) {
      if (typeof at !== 'object' || at === null) return undefined
      at = (at as Record<string | number, unknown>)[part]
    }
    return at
  }

  /** The object at a path, or an empty one where there is none. */
  fields(path: FieldPath): Fields {
    return fieldsOf(this.get(path))
  }

  /** The list at a path, or an empty one. */
  list(path: FieldPath): readonly unknown[] {
    const value = this.get(path)
    return Array.isArray(value) ? value : []
  }

  /** Objects on the way are made where they are missing. `undefined` removes the field. */
  set(path: FieldPath, value: unknown): void {
    this.value = setAt(this.value, path, 0, value) as Fields
  }

  /** Puts a field somewhere else, perhaps as another value. */
  move(from: FieldPath, to: FieldPath, value: unknown = this.get(from)): void {
    this.set(from, undefined)
    this.set(to, value)
    this.moves.push({ from, to })
  }

  annotate(name: string, value: string): void {
    this.set(['metadata', 'annotations', name], value)
  }

  /** Says what was translated. */
  note(path: FieldPath, message: string): void {
    this.notes.push({ path: writtenPath(path, this.moves), code: 'translated', message })
  }

  /** The same, of something that only the document writes. */
  documentNote(path: FieldPath, message: string): void {
    this.note(path, message)
    this.annotate(FORM_ANNOTATION, FORM_DOCUMENT)
  }

  error(path: FieldPath, message: string): void {
    this.errors.push({ path: writtenPath(path, this.moves), code: 'untranslatable', message })
  }
}

/** The value when it is an object, else an empty one. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function setAt(at: unknown, path: FieldPath, depth: number, value: unknown): unknown {
  if (depth === path.length) return value
  const part = path[depth] as string | number
  if (Array.isArray(at)) {
    const list = at.slice()
    list[part as number] = setAt(list[part as number], path, depth + 1, value)
    return list
  }
  const fields = fieldsOf(at)
  const next = setAt(fields[part], path, depth + 1, value)
  if (next === undefined) {
    if (!Object.hasOwn(fields, part)) return at
    const { [part]: _, ...rest } = fields
    return rest
  }
  return { ...fields, [part]: next }
}
