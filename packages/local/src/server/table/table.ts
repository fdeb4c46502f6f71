import type { KubeObject } from '@trainjob/kube'
import { badRequest } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'
import { builtinColumns } from './builtin-columns.ts'
import type { Cell, Column, ColumnDefinition } from './column.ts'
import { customColumns } from './custom-columns.ts'
import { podRowConditions } from './pod-columns.ts'

/** How much of each object a table carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** A table without its rows. */
interface TableHead {
  readonly kind: 'Table'
  readonly apiVersion: 'meta.k8s.io/v1'
  readonly metadata: object
  readonly columnDefinitions: readonly ColumnDefinition[] | null
}

/** One line of a table. */
interface TableRow {
  readonly cells: readonly Cell[]
  readonly conditions?: readonly object[]
  readonly object: object | null
}

/** A table as it is sent. */
export type Table = TableHead & { readonly rows: readonly TableRow[] }

/** Makes tables of the objects of one kind, as a client prints them. */
export interface TablePrinter {
  /** `headings: false` leaves out the columns, which a client has seen already. */
  head(metadata: object, headings?: boolean): TableHead
  row(object: KubeObject): TableRow
}

/** `now` is the time that ages are counted to. Throws `ApiFailure` 400 for what `includeObject` cannot be. */
export function tablePrinter(
  resource: ServedResource,
  includeObject: string | undefined,
  now: () => number,
): TablePrinter {
  const include = includeOf(includeObject)
  const columns = columnsOf(resource)
  const definitions = columns.map(({ definition }) => definition)
  const conditionsOf = resource.kind === 'Pod' && resource.group === '' ? podRowConditions : undefined
  return {
    head: (metadata, headings = true) => ({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: headings ? definitions : null,
    }),
    row(object) {
      const at = now()
      const conditions = conditionsOf?.(object)
      return {
        cells: columns.map((column) => cellOf(column, object, at)),
        ...(conditions !== undefined && { conditions }),
        object: include === 'None' ? null : include === 'Object' ? object : partialMetadata(object),
      }
    },
  }
}

/** Objects of some kinds may be stored in any shape; what cannot be shown is no reason to refuse the list. */
function cellOf(column: Column, object: KubeObject, now: number): Cell {
  try {
    return column.cell(object, now)
  } catch {
    return null
  }
}

/** An object without all but its metadata. */
export function partialMetadata({ metadata }: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}

function columnsOf(resource: ServedResource): readonly Column[] {
  return resource.custom === true ? customColumns(resource.printerColumns) : builtinColumns(resource.kind)
}

function includeOf(text: string | undefined): IncludeObject {
  if (text === undefined || text === '') return 'Metadata'
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text
  throw badRequest(
    `includeObject: Invalid value: ${JSON.stringify(text)}: must be one of "None", "Metadata" or "Object"`,
  )
}
