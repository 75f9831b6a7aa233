import type { ReactNode } from 'react'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** Buttons: the heading is for screen readers only. */
  actions?: boolean
  /** A short text that stays on one line. */
  whole?: boolean
}

interface Props<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
}

/** A table whose first column names the row. On a narrow screen each row is a card. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table className="table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, actions }) => (
            <th key={head} scope="col">
              <span className={actions ? 'unseen' : undefined}>{head}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, actions, whole }, index) =>
              index === 0 ? (
                <th key={head} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={head} data-head={actions ? undefined : head} className={classOf(actions, whole)}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf(actions: boolean | undefined, whole: boolean | undefined): string | undefined {
  if (actions) return 'row-actions'
  return whole ? 'whole' : undefined
}
