import { CliError } from '../cli-error.ts'

/** A form that objects can be printed in; `table` is what a command prints by default. */
export type OutputForm =
  | { readonly kind: 'json' | 'yaml' | 'name' | 'table' | 'wide' }
  | { readonly kind: 'jsonpath' | 'custom-columns'; readonly template: string }

/** Reads the value of `-o`. Throws `CliError` `usage`. */
export function outputForm(text: string | undefined): OutputForm {
  if (text === undefined || text === '') return { kind: 'table' }
  const equals = text.indexOf('=')
  const kind = equals === -1 ? text : text.slice(0, equals)
  switch (kind) {
    case 'json':
    case 'yaml':
    case 'name':
    case 'wide':
      if (equals === -1) return { kind }
      break
    case 'jsonpath':
    case 'custom-columns':
      if (equals !== -1) return { kind, template: text.slice(equals + 1) }
      throw new CliError('usage', `-o ${kind} wants a template: -o ${kind}=…`)
  }
  throw new CliError(
    'usage',
    `-o "${text}" is no form of output; there are json, yaml, name, wide, jsonpath=TEMPLATE and custom-columns=NAME:PATH,...`,
  )
}
