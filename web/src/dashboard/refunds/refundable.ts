import type { Session } from '../posSessions/types.ts'
import { counts } from './refundLabels.ts'
import type { Refund, RefundList } from './types.ts'

/** Money of a session that can be refunded, of one asset. */
export interface Refundable {
  chain: Refund['chain']
  token: string
  /** All that came; null where some of it was refunded. */
  whole: string | null
  /** What is held of an overpaid session: it is there, regardless of payouts. Null if nothing is. */
  excess: string | null
  rest: string
  /** The part of the rest that the balance covers now. */
  now: string
}

/** What can be refunded of a session, as the API lists it: the balance may change before. */
export const refundableOf = (
  { chain, token, refunds, held }: Session,
  listed: RefundList['refundable'],
): Refundable[] =>
  listed.map((asset) => {
    const ofAsset = (each: { chain: string; token: string }) =>
      each.chain === asset.chain && each.token === asset.token
    const isRefunded = refunds.some((refund) => ofAsset(refund) && counts(refund))
    const { amount: rest, amountNow: now } = asset
    return {
      ...{ chain: asset.chain, token: asset.token, rest, now },
      whole: isRefunded ? null : rest,
      excess: ofAsset({ chain, token }) ? (held?.amount ?? null) : null,
    }
  })

/** Checks if the balance covers an amount of an asset now. */
export const covers = ({ now }: Pick<Refundable, 'now'>, amount: string): boolean =>
  difference([amount], [now]) === null

/** The sum of some decimals less that of others; null unless it is above zero. */
export function difference(plus: readonly string[], minus: readonly string[]): string | null {
  const scale = Math.max(0, ...[...plus, ...minus].map((each) => each.split('.')[1]?.length ?? 0))
  const sum = (decimals: readonly string[]) =>
    decimals.reduce((total, each) => total + unitsOf(each, scale), 0n)
  const units = sum(plus) - sum(minus)
  if (units <= 0n) return null
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function unitsOf(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
