import { type Cell, type Column, column, NAME, type PrinterColumn } from './column.ts'
import { ageText } from './duration-text.ts'
import { parseJsonPath } from './json-path.ts'

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

/** The columns of a custom kind: its name, then the printer columns of its definition, or its age alone. */
export function customColumns(printerColumns: readonly PrinterColumn[] = [AGE]): readonly Column[] {
  return [NAME, ...printerColumns.map(columnOf)]
}

function columnOf({ name, type, jsonPath, format = '', description, priority = 0 }: PrinterColumn): Column {
  const find = parseJsonPath(jsonPath)
  return column(name, (object, now) => cellOf(find(object), type, now), {
    type,
    format,
    priority,
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
  })
}

/** A value that does not have the column's type is shown as nothing; texts show whatever there is. */
function cellOf(found: readonly unknown[], type: PrinterColumn['type'], now: number): Cell {
  const [value] = found
  if (value === undefined || value === null) return null
  switch (type) {
    case 'string':
      return found.map(textOf).join(' ')
    case 'date':
      return ageText(value, now)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    default:
      return typeof value === type ? (value as Cell) : null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
