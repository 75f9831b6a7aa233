import { csvLine } from '../platform/csv.ts'
import type { StatementView } from './statement.ts'

const columns = ['account', 'asset', 'line', 'entries', 'amount', 'symbol'] as const

/** A statement as CSV: of each account its opening, a line for each kind of entry, and its closing. */
export const statementCsv = ({ accounts }: Pick<StatementView, 'accounts'>): string =>
  csvLine(columns) +
  accounts
    .flatMap(({ account, asset, symbol, opening, movements, closing }) => {
      const line = (name: string, entries: number | null, amount: string) =>
        csvLine([
          account,
          asset,
          name,
          entries === null ? null : { number: String(entries) },
          { number: amount },
          symbol,
        ])
      return [
        line('opening', null, opening),
        ...movements.map(({ kind, entries, amount }) => line(kind, entries, amount)),
        line('closing', null, closing),
      ]
    })
    .join('')
