import { findPayments } from '../indexers/findPayments.ts'
import type { WatchList } from '../indexers/watchList.ts'
import type { BlockReader } from '../src/chains/chain.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { evmBlockReader } from '../src/chains/evm/blockReader.ts'
import { createSurvey } from '../src/chains/evm/capabilities.ts'
import type { JsonRpc } from '../src/chains/providers/jsonRpc.ts'
import { RpcError } from '../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../src/chains/providers/providers.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { solanaBlockReader } from '../src/chains/solana/blockReader.ts'
import { createLog } from '../src/platform/log.ts'
import type { Paying, ReplayedChain } from './recordedChain.ts'
import { replayMethods } from './replayMethods.ts'

const [before, after] = [Buffer.from('{"jsonrpc":"2.0","id":1,"result":'), Buffer.from('}')]

/** Lower bound of reading some blocks, with all answers in memory. Each function returns the number of payments found. */
export interface Limit {
  /** Of the answers, for all blocks. */
  megabytes: number
  /** JSON.parse of the same answers that the product requests, and a match of recipients. Verifies nothing. */
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
  const methods = replayMethods(name, { head: last + 1000, paying })
  // Built during the first read, so that this is not measured.
  const answers = new Map<string, Buffer>()
  const answerTo = (method: string, params: unknown): Buffer => {
    const key = `${method} ${JSON.stringify(params)}`
    const answer = answers.get(key) ?? methods.answer(method, params as unknown[])
    if (!answer) throw new RpcError(`memory: ${method}`, -32601, `the method ${method} does not exist`)
    answers.set(key, answer)
    return answer
  }
  const node: JsonRpc = {
    name: 'memory',
    call: async (method, params) => JSON.parse(answerTo(method, params).toString()),
    read: async (method, params, scan) => {
      const answer = answerTo(method, params)
      const scanned = await scan([before, answer, after], 1)
      return scanned === null ? { result: JSON.parse(answer.toString()) } : { scanned }
    },
    callMany: () => Promise.reject(new Error('reading blocks needs no batch calls')),
    close: async () => {},
  }
  const reader = readerOf(chain, node)
  await reader.verify()
  const codec = addressCodec(chain.family)
  answers.clear()
  const inProcess = async () => {
    const found = await findPayments({ chain, codec, reader, watches: list }, await reader.blocks(first, last))
    return found.reduce((sum, { payments }) => sum + payments.length, 0)
  }
  await inProcess()
  const all = [...answers.values()]
  return {
    megabytes: all.reduce((sum, { length }) => sum + length, 0) / 1e6,
    bare: () => all.reduce((sum, answer) => sum + (chain.family === 'evm' ? matched : matchedOnSolana)(JSON.parse(answer.toString()), list), 0),
    inProcess,
  }
}

function readerOf(chain: ConfiguredChain, node: JsonRpc): BlockReader {
  const observe = { called: () => {}, refused: () => {} }
  if (chain.family === 'solana')
    return solanaBlockReader({ providers: createProviders([() => node], { observe, identify: async () => {} }), withoutLight: new Set() })
  const survey = createSurvey(chain, createLog('bench', 'silent'))
  return evmBlockReader({ providers: createProviders([() => node], { observe, identify: survey.identify }), survey, rules: chain })
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
      if (topics.length === 3 && topics[0] === transferTopic && list.has(evmCodec.bytes(`0x${topics[2]?.slice(26)}`))) found++
    }
  }
  return found
}

interface SolanaAnswer {
  transactions: {
    meta: { err: unknown; preBalances: number[]; postBalances: number[]; postTokenBalances: { owner: string }[] }
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
      if (typeof key === 'object' && after > (meta.preBalances[index] ?? 0) && list.has(solanaCodec.bytes(key.pubkey))) found++
    }
    for (const owner of new Set(meta.postTokenBalances.map((each) => each.owner))) if (list.has(solanaCodec.bytes(owner))) found++
  }
  return found
}
