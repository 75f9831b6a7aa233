import type { Address, Hex, RpcLog } from 'viem'
import { isRecorded, readRecording } from './readRecording.ts'

export const evmChains = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism'] as const
export type EvmChain = (typeof evmChains)[number]

export interface RawTransaction {
  hash: Hex
  from: Address
  to: Address | null
  /** Absent in some chains' own transaction types. */
  value?: Hex
}

export interface RawReceipt {
  transactionHash: Hex
  status?: Hex
  contractAddress?: Address | null
  logs: RpcLog[]
}

/** A call in the format of geth's callTracer. */
export interface RawFrame {
  type: string
  from: Address
  to?: Address
  value?: Hex
  error?: string
  calls?: RawFrame[]
}

/** In the format of execution-apis: amounts in gwei. */
export interface RawWithdrawal {
  index: Hex
  validatorIndex: Hex
  address: Address
  amount: Hex
}

/** A recorded block, from its files. */
export interface RawBlock {
  chain: EvmChain
  height: number
  hash: Hex
  /** Empty before the Shanghai fork. */
  withdrawals: RawWithdrawal[]
  transactions: RawTransaction[]
  receipts: RawReceipt[]
  /** Each transaction's outermost call, by hash; null without recorded traces. */
  frames: Map<string, RawFrame> | null
}

/** Some recordings are the whole JSON-RPC answer, some only its result. */
function resultIn(file: string): unknown {
  const content = readRecording<object>(file)
  return 'result' in content ? content.result : content
}

type RawTrace = RawFrame | { txHash?: Hex; result: RawFrame }

export function rawBlock(chain: EvmChain, height: number): RawBlock {
  const folder = `${chain}/${height}`
  const {
    hash,
    transactions,
    withdrawals = [],
  } = resultIn(`${folder}/block.json`) as Pick<RawBlock, 'hash' | 'transactions'> & Partial<RawBlock>
  const receipts = resultIn(`${folder}/receipts.json`) as RawReceipt[]
  const tracesFile = `${folder}/traces.json`
  const traces = isRecorded(tracesFile) ? (resultIn(tracesFile) as RawTrace[]) : null
  return {
    chain,
    height,
    hash,
    withdrawals,
    transactions,
    receipts,
    frames: traces && framesByHash(traces, transactions),
  }
}

function framesByHash(traces: RawTrace[], transactions: RawTransaction[]): Map<string, RawFrame> {
  return new Map(
    traces.map((trace, index) => {
      const frame = 'result' in trace ? trace.result : trace
      const hash = ('txHash' in trace && trace.txHash) || transactions[index]?.hash
      if (!hash || typeof frame?.type !== 'string')
        throw new Error(`trace ${index} is not from callTracer, or has no transaction`)
      return [hash, frame]
    }),
  )
}
