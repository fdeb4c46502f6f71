/** Every code that this package gives an issue. They are stable; other packages add their own. */
export const ISSUE_CODES = [
  /** The text is no YAML or JSON, or no form of it that kubectl reads. */
  'yaml-syntax',
  /** A key stands twice in a mapping, or twice among the items of a list that is keyed by it. */
  'duplicate-key',
  /** Aliases unfold into too much, or into themselves. */
  'yaml-alias',
  /** No such field here. */
  'unknown-field',
  /** A text where a number belongs, and the like. */
  'wrong-type',
  /** A field that must be there is not. */
  'required',
  /** The right type, but not a value that is accepted. */
  'invalid-value',
  'too-long',
  'too-short',
  'too-many',
  'too-few',
  /** The field may not change once the object exists. */
  'immutable',
  /** A server accepts the number, and no job can run with it (a warning). */
  'out-of-range',
  /** No such kind of object in this API group. */
  'not-supported-kind',
  /** Written in another form, and understood (advice). */
  'translated',
  /** Written in another form that can mean more than one thing, or that has no place here. */
  'untranslatable',
] as const

/** One of `ISSUE_CODES`. */
export type IssueCode = (typeof ISSUE_CODES)[number]
