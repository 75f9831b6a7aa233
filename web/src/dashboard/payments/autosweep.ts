import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { asSentence } from '../../ui/plainError.ts'

export type Autosweep = DashboardAnswerOf<'getAutosweep'>
type SweepSetting = DashboardBodyOf<'setAutosweep'>['sweeps'][number]

/** A row of the table. */
export interface SweepRow extends SweepSetting {
  /** The name of its threshold's field. */
  name: string
}

/** A row for each token on each network that is swept. */
export const sweepRows = ({ networks }: Autosweep): SweepRow[] =>
  networks
    .filter(({ collection }) => collection === 'sweep')
    .flatMap(({ chain, tokens }) =>
      tokens.map((setting) => ({ chain, ...setting, name: `threshold-${chain}-${setting.token}` })),
    )

/** The settings in a sent form, for the rows in their order. An empty threshold is 0. @throws FieldProblem */
export function sweepsIn(rows: readonly SweepRow[], data: FormData): SweepSetting[] {
  const problems: Record<string, string> = {}
  const sweeps = rows.map(({ chain, token, name }) => {
    const threshold = String(data.get(name) ?? '').trim() || '0'
    if (!amountForm.test(threshold)) problems[name] = 'Enter an amount, such as 25 or 12.50.'
    return { chain, token, enabled: data.get(`on-${name}`) !== null, threshold }
  })
  if (Object.keys(problems).length > 0) throw new FieldProblem(problems)
  return sweeps
}

const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

/**
 * An answer's errors at the rows that they name: `sweeps.2.threshold` is of the third one. Other errors stay
 * as they are.
 */
export function atRows(error: unknown, rows: readonly SweepRow[]): unknown {
  const { fields = [] } = (error ?? {}) as { fields?: { field: string; message: string }[] }
  const named = fields.flatMap(({ field, message }): [string, string][] => {
    const row = rows[Number(/^sweeps\.(\d+)(?=\.|$)/.exec(field)?.[1] ?? Number.NaN)]
    return row ? [[row.name, asSentence(message)]] : []
  })
  return named.length > 0 ? new FieldProblem(Object.fromEntries(named)) : error
}
