import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { asSentence } from '../../ui/plainError.ts'
import { textOf } from '../formData.ts'
import type { Destination } from './types.ts'

export type Autopayout = DashboardAnswerOf<'getAutopayout'>
type Setting = Autopayout['networks'][number]['tokens'][number]
type NewSetting = DashboardBodyOf<'setAutopayout'>['payouts'][number]

/** A row of the table. */
export interface AutopayoutRow extends Setting {
  chain: Autopayout['networks'][number]['chain']
  /** The name of its destination's field. */
  name: string
}

/** A row for each token on each network. */
export const autopayoutRows = ({ networks }: Autopayout): AutopayoutRow[] =>
  networks.flatMap(({ chain, tokens }) =>
    tokens.map((setting) => ({ ...setting, chain, name: `destination-${chain}-${setting.token}` })),
  )

/** The destinations that a token can be paid to: bank accounts, and wallets on a network that has it. */
export const destinationsFor = (
  { networks }: Autopayout,
  token: AutopayoutRow['token'],
  destinations: readonly Destination[],
): Destination[] =>
  destinations.filter(
    ({ chain }) =>
      chain === null ||
      networks.some(
        (network) => network.chain === chain && network.tokens.some((each) => each.token === token),
      ),
  )

/** The settings in a sent form, for the rows in their order. @throws FieldProblem */
export function autopayoutIn(rows: readonly AutopayoutRow[], data: FormData): NewSetting[] {
  const problems: Record<string, string> = {}
  const payouts = rows.map(({ chain, token, name }) => {
    const enabled = data.get(`on-${name}`) !== null
    const destinationId = textOf(data, name) || null
    if (enabled && destinationId === null) problems[name] = 'Choose a destination.'
    return { chain, token, enabled, destinationId }
  })
  if (Object.keys(problems).length > 0) throw new FieldProblem(problems)
  return payouts
}

/**
 * An answer's errors at the rows that they name: `payouts.2.destinationId` is of the third one. Other errors
 * stay as they are.
 */
export function atRows(error: unknown, rows: readonly AutopayoutRow[]): unknown {
  const { fields = [] } = (error ?? {}) as { fields?: { field: string; message: string }[] }
  const named = fields.flatMap(({ field, message }): [string, string][] => {
    const row = rows[Number(/^payouts\.(\d+)(?=\.|$)/.exec(field)?.[1] ?? Number.NaN)]
    return row ? [[row.name, asSentence(message)]] : []
  })
  return named.length > 0 ? new FieldProblem(Object.fromEntries(named)) : error
}

export const problemLabels: Record<NonNullable<Setting['problem']>, string> = {
  destination_archived: 'The destination is archived.',
  chain_unavailable: 'The network of this wallet is not offered any more.',
  token_unavailable: 'The network of this wallet has no such token.',
  no_partner: 'This platform has no partner for bank accounts.',
  no_legal_profile: 'Bank payouts need your legal profile.',
}
