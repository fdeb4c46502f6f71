import Handlebars from 'handlebars/dist/handlebars.runtime.min.js'

/** A template that was compiled before, see `compiled.generated.ts`: only the small runtime of Handlebars is loaded. */
export type CompiledTemplate = Readonly<Record<string, unknown>>

/** Fills a compiled template in; it is set up when it is first used. */
export function template<T extends object>(compiled: CompiledTemplate): (data: T) => string {
  let fill: ((data: T) => string) | undefined
  return (data) => {
    fill ??= Handlebars.template<T>(compiled)
    return fill(data)
  }
}
