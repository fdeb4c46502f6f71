/** One finding about a document: an error, a warning or advice. What `trainjob validate -o json` prints. */
export interface Issue {
  /** Field path like `spec.parameters[0].name`; `''` for the whole document. */
  readonly path: string
  /** Stable, kebab-case, for example `unknown-field`. */
  readonly code: string
  /** What was expected, what was found, what to do. */
  readonly message: string
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string }
  readonly file?: string
  /** First line is 1. */
  readonly line?: number
}

/** Errors make a document invalid; warnings do not. */
export interface Findings {
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
}
