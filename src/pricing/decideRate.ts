import { parseDecimal, rescale } from '../money/amount.ts'

/** Buy and sell, as decimal strings. */
export interface Sides {
  buy: string
  sell: string
}

/** The accepted rate that jumps are measured from: a day old or less while rates come. */
export interface Anchor extends Sides {
  /** When it was accepted. */
  at: Date
}

export interface RateLimits {
  /** Buy and sell may differ by this share of the mid rate. */
  maxSpreadPercent: number
  /** The mid rate may move by this share of the anchor's for each day started since, five days at most. */
  maxJumpPercent: number
}

export type RateRefusal = 'spread' | 'jump'

const dayMs = 86_400_000
const maxDays = 5

/**
 * Compares an offered rate with the limits. Null accepts it. The spread that was accepted before is accepted
 * again: only an operator lets one in that is above the limit.
 */
export function refusalOf(
  anchor: Anchor | null,
  offered: Sides,
  now: Date,
  limits: RateLimits,
): RateRefusal | null {
  const [old, rate] = alike(anchor, offered)
  // Twice the mid rate: the half is not needed to compare.
  const mids = rate.buy + rate.sell
  const spread = difference(rate.buy, rate.sell)
  const isUsual = spread * 200n <= BigInt(limits.maxSpreadPercent) * mids
  if (!isUsual && !(old && spread * (old.buy + old.sell) <= difference(old.buy, old.sell) * mids))
    return 'spread'
  if (!anchor || !old) return null
  const oldMids = old.buy + old.sell
  const allowed = BigInt(limits.maxJumpPercent * daysBegun(anchor, now)) * oldMids
  return difference(mids, oldMids) * 100n <= allowed ? null : 'jump'
}

/** The anchor after a rate was accepted. It stays for a day, so that many small steps are one jump. */
export function anchorAfter(anchor: Anchor | null, accepted: Sides, now: Date): Anchor {
  if (anchor && now.getTime() - anchor.at.getTime() < dayMs) return anchor
  return { buy: accepted.buy, sell: accepted.sell, at: now }
}

const daysBegun = ({ at }: Anchor, now: Date) =>
  Math.min(Math.max(Math.ceil((now.getTime() - at.getTime()) / dayMs), 1), maxDays)

const difference = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

/** All four numbers as integers of one scale. */
function alike(anchor: Sides | null, offered: Sides): [Pair | null, Pair] {
  const decimals = [anchor, offered].flatMap((each) =>
    each ? [decimalOf(each.buy), decimalOf(each.sell)] : [],
  )
  const scale = Math.max(...decimals.map((each) => each.scale))
  const pairOf = ({ buy, sell }: Sides) => ({
    buy: rescale(decimalOf(buy), scale, 'down'),
    sell: rescale(decimalOf(sell), scale, 'down'),
  })
  return [anchor && pairOf(anchor), pairOf(offered)]
}

interface Pair {
  buy: bigint
  sell: bigint
}

function decimalOf(text: string) {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not a rate: ${text}`)
  return decimal
}
