import type { KubeObject } from '@trainjob/kube'

/** How a column of a table is described to clients. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format: string
  readonly description: string
  /** 0: always shown; 1: only in wide output. */
  readonly priority: number
}

/** One value of a row. */
export type Cell = string | number | boolean | null

/** A column and where its values come from. */
export interface Column {
  readonly definition: ColumnDefinition
  cell(object: KubeObject, now: number): Cell
}

/** A column that a custom resource definition declares. */
export interface PrinterColumn {
  readonly name: string
  readonly type: ColumnDefinition['type']
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

/** A column of a built-in kind. */
export function column(name: string, cell: Column['cell'], more: Partial<Omit<ColumnDefinition, 'name'>> = {}): Column {
  return { definition: { name, type: 'string', format: '', description: '', priority: 0, ...more }, cell }
}

/** More of a column that is shown in wide output only. */
export const WIDE: Readonly<{ priority: 1 }> = { priority: 1 }

/** The first column of every kind. */
export const NAME: Column = column('Name', ({ metadata }) => metadata.name ?? '', {
  format: 'name',
  description: 'Name must be unique within a namespace.',
})
