import type { Session } from '../posSessions/types.ts'
import { counts } from './refundWords.ts'
import type { Refund } from './types.ts'

/** Money of a session that can be refunded, of one asset. */
export interface Refundable {
  chain: Refund['chain']
  token: string
  /** All that came; null where some of it was refunded. */
  whole: string | null
  /** What is held of an overpaid session: it is there, whatever was paid out. Null if nothing is. */
  excess: string | null
  rest: string
}

/** What can be refunded of a session, to show it: the API works it out again. */
export function refundableOf({ chain, token, status, payments, refunds, held }: Session): Refundable[] {
  if (status === 'pending') return []
  const confirmed = payments.filter((payment) => payment.status === 'confirmed')
  const assets = new Map(confirmed.map((payment) => [`${payment.chain}:${payment.token}`, payment]))
  return [...assets.values()].flatMap((asset) => {
    const ofAsset = (each: { chain: string; token: string }) => each.chain === asset.chain && each.token === asset.token
    const came = confirmed.filter(ofAsset).map(({ amount }) => amount)
    const given = refunds.filter((refund) => ofAsset(refund) && counts(refund)).map(({ amount }) => amount)
    const rest = difference(came, given)
    if (rest === null) return []
    const whole = given.length === 0 ? rest : null
    const excess = asset.chain === chain && asset.token === token ? (held?.amount ?? null) : null
    return [{ chain: asset.chain, token: asset.token, whole, excess, rest }]
  })
}

/** The sum of some decimals less that of others; null unless it is above zero. */
export function difference(plus: readonly string[], minus: readonly string[]): string | null {
  const scale = Math.max(0, ...[...plus, ...minus].map((each) => each.split('.')[1]?.length ?? 0))
  const sum = (decimals: readonly string[]) => decimals.reduce((total, each) => total + unitsOf(each, scale), 0n)
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
