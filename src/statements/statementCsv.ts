import { csvLine } from '../platform/csv.ts'
import type { StatementView } from './statement.ts'

const columns = ['account', 'asset', 'line', 'entries', 'amount', 'symbol', 'fiat', 'currency'] as const

/**
 * A statement as CSV: of each account its opening, a line for each kind of entry, and its closing; then, as
 * account `all`, what all of them gained and lost, with fees by themselves.
 */
export const statementCsv = ({ accounts, lines }: Pick<StatementView, 'accounts' | 'lines'>): string =>
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
          null,
          null,
        ])
      return [
        line('opening', null, opening),
        ...movements.map(({ kind, entries, amount }) => line(kind, entries, amount)),
        line('closing', null, closing),
      ]
    })
    .join('') +
  lines
    .map(({ line, asset, symbol, entries, amount, fiat }) =>
      csvLine([
        'all',
        asset,
        line,
        { number: String(entries) },
        { number: amount },
        symbol,
        fiat && { number: fiat.amount },
        fiat?.currency ?? null,
      ]),
    )
    .join('')
