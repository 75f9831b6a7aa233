import { ProviderError } from '../chain.ts'
import type { Rest } from '../providers/rest.ts'
import { queryNode, type TronResources, wholeNumber } from './nodeApi.ts'

/** Set by the chain's committee, in sun (TRON developer docs, "Chain parameters"). */
export interface Prices {
  /** Per byte of bandwidth and per unit of energy that resources do not cover. */
  byte: bigint
  energy: bigint
  /** Price of opening an account; and of its bandwidth, unless staked bandwidth covers it. */
  newAccount: bigint
  newAccountBandwidth: bigint
  /** The highest fee limit of a transaction. */
  maxFeeLimit: bigint
}

/** @throws ProviderError if the node omits a price */
export async function readPrices(rest: Rest): Promise<Prices> {
  const { chainParameter } = await queryNode<{ chainParameter?: { key: string; value?: number }[] }>(
    rest,
    '/wallet/getchainparameters',
    {},
  )
  const values = new Map(
    Array.isArray(chainParameter) ? chainParameter.map(({ key, value }) => [key, value]) : [],
  )
  const price = (key: string) => {
    if (!values.has(key)) throw new ProviderError(`${rest.name} returned no chain parameter ${key}`)
    return wholeNumber(values.get(key))
  }
  return {
    byte: price('getTransactionFee'),
    energy: price('getEnergyFee'),
    newAccount: price('getCreateNewAccountFeeInSystemContract'),
    newAccountBandwidth: price('getCreateAccountFee'),
    maxFeeLimit: price('getMaxFeeLimit'),
  }
}

/** The committee changes prices by votes that take days, and announces each change. */
const priceTtlMs = 300_000

/** Reads prices, and remembers them for some minutes. */
export function cachedPrices(): (rest: Rest) => Promise<Prices> {
  let cached: { prices: Prices; until: number } | null = null
  return async (rest) => {
    if (cached && cached.until > Date.now()) return cached.prices
    const read = await readPrices(rest)
    cached = { prices: read, until: Date.now() + priceTtlMs }
    return read
  }
}

/** In sun. */
export interface FeeEstimate {
  expected: bigint
  /** With the sender's resources used up when the transaction is executed. */
  max: bigint
  /**
   * With its current resources and the maximum energy: an address may live on rented energy and hold no TRX.
   */
  covered: bigint
  /** For the account that the transfer opens. */
  otherCosts: bigint
}

/** Bytes that a transaction's result adds to its bandwidth (java-tron, Constant.MAX_RESULT_SIZE_IN_TX). */
export const resultBytes = 64n

/**
 * The maximum energy of a call at its execution. The penalty on heavily used contracts grows by at most a
 * fifth per maintenance period of six hours (TRON developer docs, "Dynamic energy model"). The energy that
 * nodes report includes the current penalty.
 */
export const maxEnergy = (energy: bigint): bigint => (energy * 6n + 4n) / 5n

interface Usage {
  /** Of the signed transaction. */
  bytes: number
  /** Zero for a transfer of TRX. */
  energy: bigint
  opensAccount: boolean
}

/**
 * TRON developer docs, "Resource model": bandwidth is covered in full by stake or by the free daily amount,
 * or TRX is burnt for all of it. Only energy beyond the stake is burnt. Free bandwidth does not count if an
 * account is opened.
 */
export function estimateFee(
  prices: Prices,
  left: TronResources,
  { bytes, energy, opensAccount }: Usage,
): FeeEstimate {
  const size = BigInt(bytes) + resultBytes
  if (opensAccount) {
    const isStaked = left.stakedBandwidth >= size
    const bandwidth = prices.newAccountBandwidth
    return {
      expected: 0n,
      max: isStaked ? bandwidth : 0n,
      covered: 0n,
      otherCosts: prices.newAccount + (isStaked ? 0n : bandwidth),
    }
  }
  const isCovered = left.stakedBandwidth >= size || left.freeBandwidth >= size
  const [bandwidth, bandwidthNow] = [prices.byte * size, isCovered ? 0n : prices.byte * size]
  const burnt = (units: bigint) => prices.energy * (units > left.energy ? units - left.energy : 0n)
  return {
    expected: bandwidthNow + burnt(energy),
    max: bandwidth + prices.energy * maxEnergy(energy),
    covered: bandwidthNow + burnt(maxEnergy(energy)),
    otherCosts: 0n,
  }
}
