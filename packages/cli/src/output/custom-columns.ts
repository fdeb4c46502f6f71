import { CliError } from '../cli-error.ts'
import { textOf, valuesAt } from './json-path/evaluate.ts'
import { parsePath } from './json-path/parse.ts'
import { printTable } from './table.ts'

/**
 * kubectl's `-o custom-columns=NAME:.metadata.name,NODES:.spec.trainer.numNodes`: a table with a row per object; what
 * an object does not have is `<none>`. Throws `CliError` `usage`.
 */
export function printCustomColumns(spec: string, objects: readonly unknown[], headers = true): string {
  const columns = spec.split(/,(?=[^,:\]]+:)/).map((column) => {
    const colon = column.indexOf(':')
    if (colon <= 0 || colon === column.length - 1) {
      throw new CliError('usage', `custom-columns wants NAME:PATH[,NAME:PATH...]; found "${column}".`)
    }
    const path = column.slice(colon + 1).replace(/^\{(.*)\}$/, '$1')
    return { header: column.slice(0, colon), steps: parsePath(path) }
  })
  const rows = objects.map((object) =>
    columns.map(({ steps }) => {
      const found = valuesAt(steps, object).filter((value) => value !== null && value !== undefined)
      return found.length === 0 ? '<none>' : found.map(textOf).join(',')
    }),
  )
  return printTable(
    columns.map(({ header }) => header),
    rows,
    { headers },
  )
}
