import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { formatUnits } from '../money/amount.ts'
import type { BusinessDay, TakenRow } from './businessDays.ts'
import { type Valuation, type Worth, worthFrom } from './valuation.ts'

interface Asset {
  chain: string
  token: string
  decimals: number
  payments: number
  units: bigint
  worth: Worth
  /** Without a price, in base units. */
  unpriced: bigint
}

interface Sum {
  amount: string
  payments: number
}

/** What was taken: by day, in sums, and what has no price. */
export function presentTaken(days: ReadonlyMap<string, BusinessDay>, valuation: Valuation) {
  const shown = [...days].map(([date, { taken }]) => ({
    date,
    assets: taken.map((row) => valued(row, valuation)),
  }))
  const lastDays = (count: number): Sum =>
    sumOf(
      shown.slice(-count).flatMap(({ assets }) => assets),
      valuation,
    )
  const last30Days = lastDays(shown.length)
  const unpaid = [...days.values()].reduce((sum, day) => sum + day.unpaid, 0)
  return {
    sessions: { paid: last30Days.payments, unpaid },
    taken: { today: lastDays(1), last7Days: lastDays(7), last30Days },
    days: shown.map(({ date, assets }) => ({
      date,
      ...sumOf(assets, valuation),
      assets: assets.map(({ chain, token, decimals, payments, units, worth, unpriced }) => ({
        chain,
        token,
        tokens: formatUnits(units, decimals),
        amount: unpriced === units && units > 0n ? null : valuation.show(worth),
        payments,
      })),
    })),
    unpriced: unpricedOf(shown.flatMap(({ assets }) => assets)),
  }
}

function valued({ chain, token, payments, units, local, unpriced }: TakenRow, valuation: Valuation): Asset {
  const decimals = tokenDecimals(chain, token)
  const asset = { chain, token, decimals, payments, units: BigInt(units) }
  const known = worthFrom(local)
  const rest = valuation.worthOf({ chain, token }, BigInt(unpriced), decimals)
  return rest === null
    ? { ...asset, worth: known, unpriced: BigInt(unpriced) }
    : { ...asset, worth: known + rest, unpriced: 0n }
}

const sumOf = (assets: readonly Asset[], { show }: Valuation): Sum => ({
  amount: show(assets.reduce((sum, { worth }) => sum + worth, 0n)),
  payments: assets.reduce((sum, { payments }) => sum + payments, 0),
})

function unpricedOf(assets: readonly Asset[]): { chain: string; token: string; amount: string }[] {
  const sums = new Map<string, Asset>()
  for (const asset of assets.filter(({ unpriced }) => unpriced > 0n)) {
    const key = `${asset.chain}:${asset.token}`
    sums.set(key, { ...asset, unpriced: asset.unpriced + (sums.get(key)?.unpriced ?? 0n) })
  }
  return [...sums.values()].map(({ chain, token, decimals, unpriced }) => ({
    chain,
    token,
    amount: formatUnits(unpriced, decimals),
  }))
}
