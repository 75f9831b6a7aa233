import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import { formatUnits, parseDecimal, rescale } from '../../money/amount.ts'

/** Sums of payouts that take the same asset, and that go to the same one. */
export interface BatchGroup {
  chain: string
  token: string
  toChain: string | null
  toToken: string | null
  currency: string | null
  payouts: number
  /** Base units, as decimal text. */
  amount: string
  fee: string
  toAmount: string | null
  /** Of banks: units of the currency. */
  localAmount: string | null
  localFee: string | null
}

/** Decimal places that hold every token and the fees of every currency. */
const places = 30

/** What a batch takes by token and chain, and what arrives by currency or token, all exact. */
export function totalsOf(groups: readonly BatchGroup[]) {
  const taken = new Map<string, { chain: string; token: string; amount: bigint; payouts: number }>()
  const received = new Map<string, { currency: string; amount: bigint; fee: bigint; payouts: number }>()
  for (const group of groups) {
    const { chain, token, payouts } = group
    const of = `${chain}:${token}`
    const before = taken.get(of)
    taken.set(of, {
      chain,
      token,
      amount: (before?.amount ?? 0n) + BigInt(group.amount),
      payouts: (before?.payouts ?? 0) + payouts,
    })
    const { currency, amount, fee } = receivedOf(group)
    const had = received.get(currency)
    received.set(currency, {
      currency,
      amount: (had?.amount ?? 0n) + amount,
      fee: (had?.fee ?? 0n) + fee,
      payouts: (had?.payouts ?? 0) + payouts,
    })
  }
  return {
    taken: [...taken.values()].map(({ amount, ...each }) => ({
      ...each,
      amount: formatUnits(amount, tokenDecimals(each.chain, each.token)),
    })),
    received: [...received.values()].map(({ amount, fee, ...each }) => ({
      ...each,
      amount: formatUnits(amount, places),
      fee: formatUnits(fee, places),
    })),
  }
}

function receivedOf(group: BatchGroup): { currency: string; amount: bigint; fee: bigint } {
  const { chain, token, toChain, toToken, toAmount, currency } = group
  if (toChain !== null && toToken !== null)
    return {
      currency: toToken,
      amount: scaled(toAmount ?? '0', tokenDecimals(toChain, toToken)),
      fee: scaled(group.fee, tokenDecimals(chain, token)),
    }
  if (currency === null) throw new Error('a payout goes nowhere')
  return { currency, amount: ofLocal(group.localAmount), fee: ofLocal(group.localFee) }
}

const scaled = (units: string, scale: number): bigint => BigInt(units) * 10n ** BigInt(places - scale)

function ofLocal(text: string | null): bigint {
  const decimal = parseDecimal(text ?? '0')
  if (!decimal) throw new Error(`not a decimal: ${text}`)
  return rescale(decimal, places, 'down')
}
