import { ProviderError } from '../chain.ts'
import type { Rest } from '../providers/rest.ts'
import { askNode, type TronResources, wholeNumber } from './nodeApi.ts'

/** What the chain's committee set, in sun (TRON developer docs, "Chain parameters"). */
export interface Prices {
  /** For a byte of bandwidth, and a unit of energy, that nothing else covers. */
  byte: bigint
  energy: bigint
  /** What a transaction pays that opens an account, and what it pays besides where staked bandwidth does not cover it. */
  newAccount: bigint
  newAccountBandwidth: bigint
  /** The most that a transaction may name as its fee limit. */
  maxFeeLimit: bigint
}

/** @throws ProviderError where the node does not tell a price */
export async function readPrices(rest: Rest): Promise<Prices> {
  const { chainParameter } = await askNode<{ chainParameter?: { key: string; value?: number }[] }>(rest, '/wallet/getchainparameters', {})
  const told = new Map(Array.isArray(chainParameter) ? chainParameter.map(({ key, value }) => [key, value]) : [])
  const price = (key: string) => {
    if (!told.has(key)) throw new ProviderError(`${rest.name} does not tell the chain's ${key}`)
    return wholeNumber(told.get(key))
  }
  return {
    byte: price('getTransactionFee'),
    energy: price('getEnergyFee'),
    newAccount: price('getCreateNewAccountFeeInSystemContract'),
    newAccountBandwidth: price('getCreateAccountFee'),
    maxFeeLimit: price('getMaxFeeLimit'),
  }
}

/** All in sun. */
export interface FeeEstimate {
  expected: bigint
  /** With none of the sender's resources left when the transaction is carried out. */
  max: bigint
  /** With the resources that it has now, and the most energy: an address may live on rented energy and hold no TRX. */
  covered: bigint
  /** For the account that is opened. */
  besides: bigint
}

/** Bytes of a transaction's result that count as its bandwidth (java-tron, Constant.MAX_RESULT_SIZE_IN_TX). */
const resultBytes = 64n

/**
 * How far the energy of a call may grow until it is carried out: the penalty of much-used contracts grows by a fifth at most from one
 * maintenance to the next, six hours later (TRON developer docs, "Dynamic energy model"). What nodes tell includes the penalty of now.
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
 * TRON developer docs, "Resource model": bandwidth is covered as a whole by stake or by what is free each day, or burnt as a whole; of
 * energy, what stake does not cover is burnt. Free bandwidth does not count where an account is opened.
 */
export function estimateFee(prices: Prices, left: TronResources, { bytes, energy, opensAccount }: Usage): FeeEstimate {
  const size = BigInt(bytes) + resultBytes
  if (opensAccount) {
    const isStaked = left.stakedBandwidth >= size
    const bandwidth = prices.newAccountBandwidth
    return {
      expected: 0n,
      max: isStaked ? bandwidth : 0n,
      covered: 0n,
      besides: prices.newAccount + (isStaked ? 0n : bandwidth),
    }
  }
  const isCovered = left.stakedBandwidth >= size || left.freeBandwidth >= size
  const [bandwidth, bandwidthNow] = [prices.byte * size, isCovered ? 0n : prices.byte * size]
  const burnt = (units: bigint) => prices.energy * (units > left.energy ? units - left.energy : 0n)
  return {
    expected: bandwidthNow + burnt(energy),
    max: bandwidth + prices.energy * maxEnergy(energy),
    covered: bandwidthNow + burnt(maxEnergy(energy)),
    besides: 0n,
  }
}
