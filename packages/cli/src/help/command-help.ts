/** One flag: its spelling, and how the parser reads it. */
export interface FlagHelp {
  /** `-n, --namespace <name>`, `--follow`, `--no-fit`, `--local[=name]`. */
  readonly flags: string
  readonly does: string
  /** May be given several times; the values form a list. */
  readonly repeat?: true
  readonly choices?: readonly string[]
  /** Of a flag like `--local[=name]`: its value when it stands alone. Such a value never is a word of its own. */
  readonly alone?: string
}

/**
 * All there is to know about a command without loading it: its help text and its flags. The one source of both, so
 * that neither can say something that the other does not.
 */
export interface CommandHelp {
  /** `run`, `local up`. */
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** Behind the program's name, one line per form. */
  readonly usage: readonly string[]
  readonly description?: string
  readonly flags: readonly FlagHelp[]
  readonly examples: readonly { readonly does: string; readonly command: string }[]
  /** Only where it says more than 0 and 1. */
  readonly exitCodes?: readonly string[]
}

/** Commands that belong together in the overview. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly CommandHelp[]
}
