import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BlockReader } from '../src/chains/chain.ts'
import { evmBlockReader } from '../src/chains/evm/read/blockReader.ts'
import { createSurvey } from '../src/chains/evm/read/capabilities.ts'
import { type JsonRpc, RpcError } from '../src/chains/providers/jsonRpc.ts'
import { createProviders, type Gate } from '../src/chains/providers/providers.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { solanaBlockReader } from '../src/chains/solana/read/blockReader.ts'
import type { ComputeThreads } from '../src/platform/computeThreads.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { limited } from './limited.ts'
import type { Paying, ReplayedChain } from './recordedChain.ts'
import { replayMethods } from './replayMethods.ts'

/**
 * A node in this process that answers recorded blocks. An answer is made once; after that it costs nothing.
 */
export interface MemoryNode {
  rpc: JsonRpc
  /** All answers so far. */
  answers(): Buffer[]
  /** Forgets them. */
  clear(): void
}

interface NodeOptions {
  head: number
  paying: Paying
  /**
   * Answers arrive as from the sockets of a pool: some at a time, each in pieces, one in each turn of the
   * event loop. At once, if not.
   */
  asFromSockets?: boolean
}

const [before, after] = [Buffer.from('{"jsonrpc":"2.0","id":1,"result":'), Buffer.from('}')]
/** As in src/chains/providers/http.ts. */
const connections = 16
/** What one read of a socket returns at most. */
const pieceBytes = 65_536

export function memoryNode(
  name: ReplayedChain,
  { asFromSockets = false, ...options }: NodeOptions,
): MemoryNode {
  const methods = replayMethods(name, options)
  const made = new Map<string, Buffer>()
  const answerTo = (method: string, params: unknown): Buffer => {
    const key = `${method} ${JSON.stringify(params)}`
    const answer = made.get(key) ?? methods.answer(method, params as unknown[])
    if (!answer) throw new RpcError(`memory: ${method}`, -32601, `the method ${method} does not exist`)
    made.set(key, answer)
    return answer
  }
  const connection = limited(connections)
  const arrived = async (method: string, params: unknown): Promise<Buffer> => {
    if (!asFromSockets) return answerTo(method, params)
    return connection(async () => {
      const answer = answerTo(method, params)
      for (let at = 0; at < answer.length; at += pieceBytes) await nextTurn()
      return answer
    })
  }
  return {
    answers: () => [...made.values()],
    clear: () => made.clear(),
    rpc: {
      name: 'memory',
      call: async (method, params) => JSON.parse((await arrived(method, params)).toString()),
      read: async (method, params, scan) => {
        const answer = await arrived(method, params)
        const scanned = await scan([before, answer, after], 1)
        return scanned === null ? { result: JSON.parse(answer.toString()) } : { scanned }
      },
      callMany: () => Promise.reject(new Error('reading blocks needs no batch calls')),
      close: async () => {},
    },
  }
}

/** The product's reader of a node, after it has verified it. */
export async function readerOf(
  chain: ConfiguredChain,
  open: (gate: Gate) => JsonRpc,
  threads?: ComputeThreads,
): Promise<BlockReader> {
  const observe = { called: () => {}, refused: () => {} }
  const survey = createSurvey(chain, createLog('bench', 'silent'))
  const isSolana = chain.family === 'solana'
  const providers = createProviders([open], {
    observe,
    identify: isSolana ? async () => {} : survey.identify,
  })
  const reader = isSolana
    ? solanaBlockReader({ providers, withoutLight: new Set(), threads })
    : evmBlockReader({ providers, survey, rules: chain, threads })
  await reader.verify()
  return reader
}
