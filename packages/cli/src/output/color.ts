import type { CommandIO, Output } from '../command-io.ts'

// not imported: see parse-command-line.ts
const { styleText } = process.getBuiltinModule('node:util')

export type Style = Parameters<typeof import('node:util').styleText>[0]

/** Paints text for an output: only on a terminal, never with `NO_COLOR`, always with `FORCE_COLOR`. */
export function painter(output: Output, env: CommandIO['env']): (style: Style, text: string) => string {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const wanted = forced || (output.isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb')
  return (style, text) => (wanted ? styleText(style, text, { validateStream: false }) : text)
}
