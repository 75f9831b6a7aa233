import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import type { Chain, ChainName } from '../registry.ts'
import type { TransferIntent } from '../sending.ts'
import { offered, quantity, triedCall } from './refusals.ts'
import { wordOf } from './tokenCalls.ts'
import { transactionOf } from './transaction.ts'

/** What gas costs now, in wei. */
export interface GasPrices {
  /** Of the next block. */
  baseFee: bigint
  /** What the middle one of recent transactions gave besides. */
  tip: bigint
}

const gwei = 10n ** 9n

/**
 * The least that a tip may be. Polygon's nodes take nothing below 25 gwei (Polygon docs, "Gas"; `BorDefaultTxPoolPriceLimit` in Erigon);
 * BSC's validators ask for 0.05 gwei (BNB Chain, October 2025), of which this is twice; geth's miners leave out what gives less than
 * 0.001 gwei (`miner.gasprice`).
 */
const minTips: Partial<Record<ChainName, bigint>> = { polygon: 25n * gwei, bsc: gwei / 10n }
const minTipElsewhere = gwei / 1000n

export const minTip = (chain: Pick<Chain, 'name'>): bigint => minTips[chain.name] ?? minTipElsewhere

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** @throws ProviderError */
export async function gasPrices(rpc: JsonRpc, chain: Pick<Chain, 'name'>): Promise<GasPrices> {
  const history = await offered(() => rpc.call('eth_feeHistory', ['0x5', 'latest', [50]]))
  const prices = history === null ? await withoutHistory(rpc) : sound(() => ofHistory(history as FeeHistory))
  return { baseFee: prices.baseFee, tip: larger(prices.tip, minTip(chain)) }
}

interface FeeHistory {
  /** Of the blocks and of the next one. */
  baseFeePerGas: string[]
  /** A row for each block, with one entry: the percentile that was asked for. */
  reward?: string[][] | null
}

function ofHistory({ baseFeePerGas, reward }: FeeHistory): GasPrices {
  const next = baseFeePerGas.at(-1)
  if (next === undefined) throw new ProviderError('a fee history of no block')
  // Of an empty block it is zero, which says nothing.
  const tips = (reward ?? []).map((row) => quantity(row[0], 'a tip')).filter((tip) => tip > 0n)
  tips.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return { baseFee: quantity(next, 'a base fee'), tip: tips[Math.floor(tips.length / 2)] ?? 0n }
}

/** A block's base fee is at most an eighth more than that of the one before (EIP-1559). */
async function withoutHistory(rpc: JsonRpc): Promise<GasPrices> {
  const [price, head] = await Promise.all([rpc.call('eth_gasPrice', []), rpc.call('eth_getBlockByNumber', ['latest', false])])
  const of = (head as { baseFeePerGas?: string } | null)?.baseFeePerGas
  const current = of === undefined ? 0n : quantity(of, 'a base fee')
  const all = quantity(price, 'a gas price')
  return { baseFee: (current * 9n + 7n) / 8n, tip: all > current ? all - current : 0n }
}

/** GasPriceOracle, on all chains of the OP stack (OP docs, "Transaction fees"). */
const gasPriceOracle = '0x420000000000000000000000000000000000000f'
const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])

/**
 * What a chain of the OP stack takes for having the transaction's data on Ethereum; 0 elsewhere, and where there is no such oracle. It is
 * what it costs now: it is not limited by the transaction and moves with Ethereum's gas.
 * @throws ProviderError
 */
export async function l1FeeNow(rpc: JsonRpc, chain: Pick<Chain, 'name' | 'network'>, intent: TransferIntent): Promise<bigint> {
  if (chain.name !== 'base' && chain.name !== 'optimism') return 0n
  // Numbers as long as they may get: the fee goes by the size.
  const terms = { gas: 10n ** 7n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n, l1Fee: 0n }
  const data = encodeFunctionData({ abi: oracleAbi, args: [serializeTransaction(transactionOf(chain, intent, terms, 2n ** 32n))] })
  const tried = await triedCall(() => rpc.call('eth_call', [{ to: gasPriceOracle, data }, 'latest']))
  return 'answered' in tried ? (wordOf(tried.answered) ?? 0n) : 0n
}
