import { findPayments } from '../indexers/findPayments.ts'
import type { WatchList } from '../indexers/watchList.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { memoryNode, readerOf } from './memoryNode.ts'
import type { Paying, ReplayedChain } from './recordedChain.ts'

/**
 * Lower bound of reading some blocks, with all answers in memory. Each function returns the number of
 * payments found.
 */
export interface Limit {
  /** Of the answers, for all blocks. */
  megabytes: number
  /**
   * JSON.parse of the same answers that the product requests, and a match of recipients. Verifies nothing.
   */
  bare(): number
  /** The product's reader and matcher, on the same bytes. */
  inProcess(): Promise<number>
}

const evmCodec = addressCodec('evm')
const solanaCodec = addressCodec('solana')

export async function createLimit(
  chain: ConfiguredChain,
  name: ReplayedChain,
  list: WatchList,
  { first, count, paying }: { first: number; count: number; paying: Paying },
): Promise<Limit> {
  const last = first + count - 1
  const node = memoryNode(name, { head: last + 1000, paying })
  const reader = await readerOf(chain, () => node.rpc)
  node.clear()
  const codec = addressCodec(chain.family)
  const inProcess = async () => {
    const found = await findPayments(
      { chain, codec, reader, watches: list },
      await reader.blocks(first, last),
    )
    return found.reduce((sum, { payments }) => sum + payments.length, 0)
  }
  await inProcess()
  const all = node.answers()
  return {
    megabytes: all.reduce((sum, { length }) => sum + length, 0) / 1e6,
    bare: () =>
      all.reduce(
        (sum, answer) =>
          sum + (chain.family === 'evm' ? matched : matchedOnSolana)(JSON.parse(answer.toString()), list),
        0,
      ),
    inProcess,
  }
}

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Counts watched recipients in receipts. */
function matched(answer: unknown, list: WatchList): number {
  if (!Array.isArray(answer)) return 0
  let found = 0
  for (const { to, logs } of answer as { to: string | null; logs: { topics: string[] }[] }[]) {
    if (to && list.has(evmCodec.bytes(to))) found++
    for (const { topics } of logs) {
      if (
        topics.length === 3 &&
        topics[0] === transferTopic &&
        list.has(evmCodec.bytes(`0x${topics[2]?.slice(26)}`))
      )
        found++
    }
  }
  return found
}

interface SolanaAnswer {
  transactions: {
    meta: {
      err: unknown
      preBalances: number[]
      postBalances: number[]
      postTokenBalances: { owner: string }[]
    }
    transaction: { accountKeys: ({ pubkey: string } | string)[] }
  }[]
}

/** The same for a block of Solana with `transactionDetails: accounts`. */
function matchedOnSolana(answer: unknown, list: WatchList): number {
  const { transactions } = answer as SolanaAnswer
  let found = 0
  for (const { meta, transaction } of transactions) {
    // A full block is requested where a watched receiver is in it: already counted in the other answer.
    if (meta.err !== null || typeof transaction.accountKeys?.[0] !== 'object') continue
    for (const [index, after] of meta.postBalances.entries()) {
      const key = transaction.accountKeys[index]
      if (
        typeof key === 'object' &&
        after > (meta.preBalances[index] ?? 0) &&
        list.has(solanaCodec.bytes(key.pubkey))
      )
        found++
    }
    for (const owner of new Set(meta.postTokenBalances.map((each) => each.owner)))
      if (list.has(solanaCodec.bytes(owner))) found++
  }
  return found
}
