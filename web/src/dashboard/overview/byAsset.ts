import { sumOfDecimals } from './decimals.ts'
import type { Day } from './types.ts'

export interface AssetShare {
  chain: string
  token: string
  /** In whole tokens. */
  tokens: string
  /** In the currency; null where one has no price. */
  amount: string | null
  payments: number
  /** Per cent of all with a price, for a bar. */
  share: number
}

/** What was taken by network and token over the days, the largest first. */
export function byAsset(days: readonly Day[]): AssetShare[] {
  const all = Map.groupBy(
    days.flatMap(({ assets }) => assets),
    ({ chain, token }) => `${chain} ${token}`,
  )
  const sums = [...all.values()].flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const amounts = rows.map(({ amount }) => amount)
    const priced = amounts.filter((each) => each !== null)
    return [
      {
        chain: first.chain,
        token: first.token,
        tokens: sumOfDecimals(rows.map(({ tokens }) => tokens)),
        amount: priced.length === amounts.length ? sumOfDecimals(priced) : null,
        payments: rows.reduce((sum, { payments }) => sum + payments, 0),
      },
    ]
  })
  const total = sums.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0)
  return sums
    .map((each) => ({ ...each, share: total === 0 ? 0 : (100 * Number(each.amount ?? 0)) / total }))
    .sort((a, b) => b.share - a.share)
}
