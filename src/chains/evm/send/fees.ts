import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils'
import type { Action } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { Chain, ChainName } from '../../registry.ts'
import { ActionRefusedError, type MarketPrice } from '../../sending.ts'
import { ifSupported, quantity, tryCall } from '../refusals.ts'
import { wordOf } from '../tokenCalls.ts'
import { gasPriceOracle } from './gasPriceOracle.ts'
import { type FeePrice, marketPrice } from './replacementPrice.ts'
import { transactionOf } from './transaction.ts'

const gwei = 10n ** 9n

/**
 * Minimum tips. Polygon's nodes refuse less than 25 gwei (Polygon docs, "Gas"; `BorDefaultTxPoolPriceLimit`
 * in Erigon). BSC's validators require 0.05 gwei (BNB Chain, October 2025); this is twice that. geth's miners
 * skip tips below 0.001 gwei (`miner.gasprice`).
 */
const minTips: Partial<Record<ChainName, bigint>> = { polygon: 25n * gwei, bsc: gwei / 10n }
const defaultMinTip = gwei / 1000n

export const minTip = (chain: Pick<Chain, 'name'>): bigint => minTips[chain.name] ?? defaultMinTip

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** @throws ProviderError */
export async function gasPrices(rpc: JsonRpc, chain: Pick<Chain, 'name'>): Promise<MarketPrice> {
  const history = await ifSupported(() => rpc.call('eth_feeHistory', ['0x5', 'latest', [50]]))
  const prices =
    ifReadable(() => pricesFromHistory((history ?? {}) as FeeHistory)) ?? (await pricesWithoutHistory(rpc))
  return { baseFee: prices.baseFee, tip: larger(prices.tip, minTip(chain)) }
}

/** Null where the history has another form: `eth_gasPrice` has the same. */
function ifReadable<T>(read: () => T): T | null {
  try {
    return sound(read)
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

interface FeeHistory {
  /** One for each block, and one for the next block. */
  baseFeePerGas?: string[] | null
  /** A row for each block, with one entry for the requested percentile. */
  reward?: (string[] | null)[] | null
}

/** Null where the history has no base fee, as on nodes of other kinds. */
function pricesFromHistory({ baseFeePerGas, reward }: FeeHistory): MarketPrice | null {
  const next = baseFeePerGas?.at(-1)
  if (next === undefined) return null
  // An empty block has a tip of zero, or no tip: ignore it.
  const given = (reward ?? []).flatMap((row) => row?.slice(0, 1) ?? [])
  const tips = given.map((tip) => quantity(tip, 'a tip')).filter((tip) => tip > 0n)
  tips.sort((a, b) => Number(a > b) - Number(a < b))
  return { baseFee: quantity(next, 'a base fee'), tip: tips[Math.floor(tips.length / 2)] ?? 0n }
}

/** A base fee grows by at most one eighth per block (EIP-1559). */
async function pricesWithoutHistory(rpc: JsonRpc): Promise<MarketPrice> {
  const [price, head] = await Promise.all([
    rpc.call('eth_gasPrice', []),
    rpc.call('eth_getBlockByNumber', ['latest', false]),
  ])
  const baseFee = (head as { baseFeePerGas?: string } | null)?.baseFeePerGas
  const current = baseFee === undefined ? 0n : quantity(baseFee, 'a base fee')
  const all = quantity(price, 'a gas price')
  return { baseFee: (current * 9n + 7n) / 8n, tip: all > current ? all - current : 0n }
}

const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

/**
 * The L1 data fee of an OP stack chain, in wei; 0 on other chains and without the oracle. This is the current
 * fee: it follows Ethereum's gas price, and the transaction cannot limit it.
 * @throws ProviderError
 */
export async function l1FeeNow(
  rpc: JsonRpc,
  chain: Pick<Chain, 'name' | 'network'>,
  action: Action,
): Promise<bigint> {
  if (chain.name !== 'base' && chain.name !== 'optimism') return 0n
  // The fee depends on the size: use numbers of the maximum length.
  const terms = { gas: 10n ** 7n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n, l1Fee: 0n }
  const data = encodeFunctionData({
    abi: oracleAbi,
    args: [serializeTransaction(transactionOf(chain, action, terms, 2n ** 32n))],
  })
  const tried = await tryCall(() => rpc.call('eth_call', [{ to: gasPriceOracle, data }, 'latest']))
  return 'answered' in tried ? (wordOf(tried.answered) ?? 0n) : 0n
}

/**
 * A quarter more of what a rollup adds: the L1 data fee follows Ethereum's gas price, the operator fee its
 * owner's settings, and no limit of the transaction bounds them.
 */
export const l1FeeMargin = (l1Fee: bigint): bigint => (l1Fee * 5n + 3n) / 4n

/** Gas of a native transfer to an account without code (Yellow Paper, appendix G). */
export const plainGas = 21_000n

/** A caller's gas price includes base fee and tip. */
export function priceOf(chain: Chain, gasPrice: bigint | null, market: MarketPrice): FeePrice {
  if (gasPrice === null) return marketPrice(market)
  const min = larger(market.baseFee, minTip(chain))
  if (gasPrice < min)
    throw new ActionRefusedError(
      'fee_too_low',
      `The gas price must be at least ${min} wei for the next block.`,
      'gasPrice',
    )
  return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
}

/**
 * A fifth more than estimated: the gas of a call may change until the block. No margin for a native transfer
 * that takes `plainGas`; on Arbitrum it takes more, because gas also pays for the data on Ethereum.
 * @param isExact the gas cannot change
 */
export function gasLimit(
  { given, isExact }: { given: bigint | null; isExact: boolean },
  estimated: bigint | null,
  need: bigint,
): bigint {
  if (given === null) return estimated === null || isExact ? need : (need * 6n + 4n) / 5n
  const min = larger(estimated ?? plainGas, plainGas)
  if (given < min)
    throw new ActionRefusedError('fee_too_low', `The gas limit must be at least ${min}.`, 'gasLimit')
  return given
}
