import type { Hex } from 'viem'
import { ProviderError } from '../../../src/chains/chain.ts'
import { type JsonRpc, RpcError } from '../../../src/chains/providers/jsonRpc.ts'
import type { Gate } from '../../../src/chains/providers/providers.ts'
import { type Dice, one } from '../histories/dice.ts'
import { type Chain, type ChainTransaction, decode, gasOfTransfer, type Pool, placeOf } from './chain.ts'

/**
 * A node of the model: its own pool, perhaps behind the newest block. Answers in the form and with the errors
 * of geth.
 */
export interface ModelNode {
  pool: Pool
  /** Blocks that it has not seen yet. */
  lag: number
  /** It refuses a transaction whose maximum fee is below the base fee, as nitro does. */
  isStrict: boolean
  isDown: boolean
  answer(method: string, params: readonly unknown[]): Promise<unknown>
  /** Removes what blocks have used, and evicts what pays too little. */
  tidy(): void
}

const costOf = ({ value, gas, maxFee }: ChainTransaction): bigint => value + gas * maxFee

/** A pool keeps what pays this share of the base fee, in percent. */
const minShare = 60n
/** geth's `txpool.pricebump`. */
const minBump = 110n

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
const refuse = (message: string, code = -32000): never => {
  throw new RpcError('model', code, message)
}

export function createNode(chain: Chain, rules: { finalizedDepth: number }, isStrict: boolean): ModelNode {
  const pool: Pool = new Map()
  const height = () => Math.max(0, chain.tip().height - node.lag)
  const latest = () => chain.blocks[height()] ?? chain.tip()
  const stateOf = (address: string) => chain.accountAt(height(), address)
  const ofSender = (from: string) =>
    [...pool.values()].filter((each) => each.from === from).sort((a, b) => a.nonce - b.nonce)

  /** Without those behind a gap: geth's legacypool does not count them in `ExistingExpenditure`. */
  const ready = (from: string, used: number) => ofSender(from).filter(({ nonce }, i) => nonce === used + i)

  function heightOf(tag: unknown): number {
    if (tag === 'latest' || tag === 'pending') return height()
    if (tag === 'finalized') return Math.max(0, height() - rules.finalizedDepth)
    const asked = Number(tag)
    return asked > height() ? refuse('header not found') : asked
  }

  function countOf(address: string, tag: unknown): number {
    const used = chain.accountAt(heightOf(tag), address).nonce
    if (tag !== 'pending') return used
    return ofSender(address).reduce((next, { nonce }) => (nonce === next ? next + 1 : next), used)
  }

  async function send(raw: Hex): Promise<Hex> {
    const sent = await decode(raw)
    const { baseFee, tip } = latest().price
    const { nonce, balance } = stateOf(sent.from)
    const waiting = pool.get(placeOf(sent))
    if (waiting?.hash === sent.hash) return refuse('already known')
    if (sent.nonce < nonce) return refuse(`nonce too low: next nonce ${nonce}, tx nonce ${sent.nonce}`)
    if (isStrict && sent.maxFee < baseFee)
      return refuse(
        `max fee per gas less than block base fee: address ${sent.from}, maxFeePerGas: ${sent.maxFee}, baseFee: ${baseFee}`,
      )
    if (tooCheap(sent))
      return refuse(`transaction underpriced: gas tip cap ${sent.maxTip}, minimum needed ${tip / 4n}`)
    const cost = [...ready(sent.from, nonce).filter((each) => each.nonce !== sent.nonce), sent].reduce(
      (sum, each) => sum + costOf(each),
      0n,
    )
    if (cost > balance)
      return refuse(
        `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
      )
    if (
      waiting &&
      (sent.maxFee * 100n < waiting.maxFee * minBump || sent.maxTip * 100n < waiting.maxTip * minBump)
    )
      return refuse('replacement transaction underpriced')
    pool.set(placeOf(sent), sent)
    return sent.hash
  }

  const tooCheap = ({ maxFee, maxTip }: ChainTransaction): boolean => {
    const { baseFee, tip } = latest().price
    return maxTip * 4n < tip || maxFee * 100n < baseFee * minShare
  }

  function receiptOf(hash: string) {
    const found = chain.find(hash, height())
    if (!found) return null
    const { block, price } = found
    const where = { blockHash: block.id, blockNumber: hex(block.height), transactionHash: hash }
    return { ...where, status: '0x1', gasUsed: hex(gasOfTransfer), effectiveGasPrice: hex(price) }
  }

  function header(tag: unknown) {
    const block = chain.blocks[heightOf(tag)]
    if (!block) return null
    const { id, parentId, price } = block
    return {
      number: hex(block.height),
      hash: id,
      parentHash: parentId,
      timestamp: hex(1_700_000_000 + 2 * block.height),
      baseFeePerGas: hex(price.baseFee),
    }
  }

  function feeHistory(count: unknown, percentiles: unknown) {
    const seen = chain.blocks.slice(Math.max(0, height() + 1 - Number(count)), height() + 1)
    const shares = (percentiles as number[] | undefined) ?? []
    return {
      oldestBlock: hex(seen[0]?.height ?? 0),
      // The node knows the base fee of the next block from the newest one.
      baseFeePerGas: [...seen, latest()].map(({ price }) => hex(price.baseFee)),
      gasUsedRatio: seen.map(() => 0.5),
      reward: seen.map(({ price }) =>
        shares.map((share) => hex((price.tip * BigInt(100 + Math.round(share / 2))) / 100n)),
      ),
    }
  }

  const node: ModelNode = {
    pool,
    lag: 0,
    isStrict,
    isDown: false,
    async answer(method, params) {
      if (node.isDown) throw new ProviderError('model: no answer')
      const [first, second, third] = params
      switch (method) {
        case 'eth_sendRawTransaction':
          return send(first as Hex)
        case 'eth_getTransactionCount':
          return hex(countOf(String(first), second))
        case 'eth_getBalance':
          return hex(chain.accountAt(heightOf(second), String(first)).balance)
        case 'eth_getCode':
          return '0x'
        case 'eth_estimateGas':
          return hex(gasOfTransfer)
        case 'eth_gasPrice':
          return hex(latest().price.baseFee + latest().price.tip)
        case 'eth_maxPriorityFeePerGas':
          return hex((latest().price.tip * 5n) / 4n)
        case 'eth_getBlockByNumber':
          return header(first)
        case 'eth_getTransactionReceipt':
          return receiptOf(String(first))
        case 'eth_getTransactionByHash':
          return transactionOf(String(first))
        case 'eth_feeHistory':
          return feeHistory(first, third)
        default:
          return refuse(`the method ${method} does not exist`, -32601)
      }
    },
    tidy() {
      for (const [place, each] of pool)
        if (each.nonce < stateOf(each.from).nonce || tooCheap(each)) pool.delete(place)
    },
  }

  function transactionOf(hash: string) {
    const found = chain.find(hash, height())
    const waiting = [...pool.values()].find((each) => each.hash === hash)
    const known = found?.transaction ?? waiting
    if (!known) return null
    const { from, to, nonce, value, gas, maxFee, maxTip } = known
    const prices = { maxFeePerGas: hex(maxFee), maxPriorityFeePerGas: hex(maxTip) }
    const where = { blockHash: found?.block.id ?? null, blockNumber: found ? hex(found.block.height) : null }
    return {
      hash,
      from,
      to,
      nonce: hex(nonce),
      value: hex(value),
      gas: hex(gas),
      input: '0x',
      ...prices,
      ...where,
    }
  }

  return node
}

/**
 * One URL in front of several nodes: each request goes to one of them by chance. @param meddle runs around
 * each request; may throw
 */
export const endpoint =
  (
    name: string,
    nodes: readonly ModelNode[],
    dice: Dice,
    meddle: (ask: () => Promise<unknown>) => Promise<unknown>,
  ) =>
  (gate: Gate): JsonRpc => {
    const call = (method: string, params: unknown) =>
      meddle(() => one(dice, nodes).answer(method, params as unknown[]))
    return {
      name,
      call: (method, params) => gate(method, () => call(method, params)),
      callMany: (method, params) => gate(method, () => Promise.all(params.map((each) => call(method, each)))),
      close: async () => {},
    }
  }
