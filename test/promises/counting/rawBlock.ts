import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex, RpcLog } from 'viem'

export const evmChains = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism'] as const
export type EvmChain = (typeof evmChains)[number]

export interface RawTransaction {
  hash: Hex
  from: Address
  to: Address | null
  /** Some chains' own types of transactions have none. */
  value?: Hex
}

export interface RawReceipt {
  transactionHash: Hex
  status?: Hex
  contractAddress?: Address | null
  logs: RpcLog[]
}

/** A call as geth's callTracer writes it. */
export interface RawFrame {
  type: string
  from: Address
  to?: Address
  value?: Hex
  error?: string
  calls?: RawFrame[]
}

/** One recorded block as its files have it. */
export interface RawBlock {
  chain: EvmChain
  height: number
  transactions: RawTransaction[]
  receipts: RawReceipt[]
  /** The outermost call of each transaction, by its hash; null where nobody recorded traces. */
  frames: Map<string, RawFrame> | null
}

/** The same folder that all suites read, found anew because nothing of theirs may be imported here. */
export const recordings = process.env.COWRY_FIXTURES ?? join(import.meta.dirname, '../../../../shared/fixtures')

/** The recorded heights of a chain: every folder with a number for a name. */
export function heightsOf(chain: EvmChain, root = recordings): number[] {
  const folder = join(root, chain)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, 'block.json')))
    .map(Number)
    .sort((a, b) => a - b)
}

/** Some recordings hold the whole JSON-RPC answer, some only its result. */
function resultIn(file: string): unknown {
  const content = JSON.parse(readFileSync(file, 'utf8'))
  return content !== null && !Array.isArray(content) && 'result' in content ? content.result : content
}

type RawTrace = RawFrame | { txHash?: Hex; result: RawFrame }

export function rawBlock(chain: EvmChain, height: number, root = recordings): RawBlock {
  const folder = join(root, chain, String(height))
  const { transactions } = resultIn(join(folder, 'block.json')) as { transactions: RawTransaction[] }
  const receipts = resultIn(join(folder, 'receipts.json')) as RawReceipt[]
  const tracesFile = join(folder, 'traces.json')
  const traces = existsSync(tracesFile) ? (resultIn(tracesFile) as RawTrace[]) : null
  return { chain, height, transactions, receipts, frames: traces && framesByHash(traces, transactions) }
}

function framesByHash(traces: RawTrace[], transactions: RawTransaction[]): Map<string, RawFrame> {
  return new Map(
    traces.map((trace, index) => {
      const frame = 'result' in trace ? trace.result : trace
      const hash = ('txHash' in trace && trace.txHash) || transactions[index]?.hash
      if (!hash || typeof frame?.type !== 'string') throw new Error(`trace ${index} is not one of callTracer, or of no transaction`)
      return [hash, frame]
    }),
  )
}
