import { findPayments } from '../indexers/findPayments.ts'
import type { WatchList } from '../indexers/watchList.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { evmBlockReader } from '../src/chains/evm/blockReader.ts'
import { createSurvey } from '../src/chains/evm/capabilities.ts'
import type { JsonRpc } from '../src/chains/providers/jsonRpc.ts'
import { RpcError } from '../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../src/chains/providers/providers.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { createLog } from '../src/platform/log.ts'
import type { Paying, ReplayedChain } from './recordedChain.ts'
import { replayMethods } from './replayMethods.ts'

/** What reading some blocks takes at least, with the answers in memory. Each gives how many payments it found. */
export interface Limit {
  /** Of the answers, for all blocks. */
  megabytes: number
  /** JSON.parse of the very answers that the product asks for, and a look at who is paid. Nothing is verified. */
  bare(): number
  /** The product's reader and matcher, on the same bytes. */
  inProcess(): Promise<number>
}

const codec = addressCodec('evm')

export async function createLimit(
  chain: ConfiguredChain,
  name: ReplayedChain,
  list: WatchList,
  { first, count, paying }: { first: number; count: number; paying: Paying },
): Promise<Limit> {
  const last = first + count - 1
  const methods = replayMethods(name, { head: last + 1000, paying })
  // Made at the first reading, so that none of it is measured.
  const answers = new Map<string, Buffer>()
  const node: JsonRpc = {
    name: 'memory',
    async call(method, params) {
      const key = `${method} ${params.map(String).join(' ')}`
      const answer = answers.get(key) ?? methods.answer(method, params)
      if (!answer) throw new RpcError(`memory: ${method}`, -32601, `the method ${method} does not exist`)
      answers.set(key, answer)
      return JSON.parse(answer.toString())
    },
    callMany: () => Promise.reject(new Error('not a part of reading blocks')),
    close: async () => {},
  }
  const survey = createSurvey(chain, createLog('bench', 'silent'))
  const providers = createProviders([() => node], { observe: { called: () => {}, refused: () => {} }, identify: survey.identify })
  const reader = evmBlockReader({ providers, survey, rules: chain })
  await reader.verify()
  answers.clear()
  const inProcess = async () => {
    const found = await findPayments({ chain, codec, reader, watches: list }, await reader.blocks(first, last))
    return found.reduce((sum, { payments }) => sum + payments.length, 0)
  }
  await inProcess()
  const all = [...answers.values()]
  return {
    megabytes: all.reduce((sum, { length }) => sum + length, 0) / 1e6,
    bare: () => all.reduce((sum, answer) => sum + matched(JSON.parse(answer.toString()), list), 0),
    inProcess,
  }
}

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Whoever is paid by one of these receipts and is watched. */
function matched(answer: unknown, list: WatchList): number {
  if (!Array.isArray(answer)) return 0
  let found = 0
  for (const { to, logs } of answer as { to: string | null; logs: { topics: string[] }[] }[]) {
    if (to && list.has(codec.bytes(to))) found++
    for (const { topics } of logs) {
      if (topics.length === 3 && topics[0] === transferTopic && list.has(codec.bytes(`0x${topics[2]?.slice(26)}`))) found++
    }
  }
  return found
}
