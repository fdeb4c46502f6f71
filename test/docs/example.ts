/** A piece of documentation that is a program. */
export interface Example {
  /** What it is about: the declared name, or the heading above it. */
  readonly title: string
  /** Relative to the root of the repository. */
  readonly file: string
  /** Line of the file that the code begins on, from 1. */
  readonly line: number
  readonly code: string
  /** In doc comments the exports of the file and of its package can be used without an import. */
  readonly ownNames: boolean
}
