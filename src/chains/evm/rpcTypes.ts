/** What nodes answer, as far as it is read (execution-apis of Ethereum). Odd transaction types may lack almost everything. */

export interface RpcHeader {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  logsBloom: string
  receiptsRoot?: string
  transactionsRoot?: string
}

export interface RpcTransaction {
  hash: string
  from?: string | undefined
  to?: string | null | undefined
  value?: string | null
  input?: string
  nonce?: string
  type?: string | undefined
  /** Null while it is pending. */
  blockNumber?: string | null
}

export interface RpcBlock extends RpcHeader {
  miner?: string
  transactions: RpcTransaction[]
}

/** A block as it is answered without its transactions: with their hashes. */
export interface RpcLightBlock extends RpcHeader {
  transactions: string[]
}

export interface RpcLog {
  address: string
  topics: string[]
  data: string
  logIndex: string
  transactionHash: string
  blockHash: string
  removed?: boolean
}

export interface RpcReceipt {
  transactionHash: string
  blockHash: string
  blockNumber: string
  from?: string
  to?: string | null
  type?: string
  root?: string
  status?: string
  gasUsed?: string
  cumulativeGasUsed: string
  contractAddress?: string | null
  /** Of deposits on OP chains, since their Canyon fork. */
  depositNonce?: string
  depositReceiptVersion?: string
  logsBloom: string
  logs: RpcLog[]
}

/** A call as geth's `callTracer` shows it. */
export interface CallFrame {
  type: string
  from: string
  to?: string
  value?: string
  error?: string
  calls?: CallFrame[]
}

/** The accounts that a transaction changed, as geth's `prestateTracer` shows them with `diffMode`. */
export interface PrestateDiff {
  pre: Record<string, { balance?: string }>
  post: Record<string, { balance?: string }>
}

export type TraceResult = CallFrame | PrestateDiff

export const hex = (height: number): string => `0x${height.toString(16)}`

/** Some nodes pad the number. */
export const hasSucceeded = ({ status }: Pick<RpcReceipt, 'status'>): boolean => status === '0x1' || (status !== undefined && Number(status) === 1)

/** Polygon's own transaction that brings state over from Ethereum: of nobody, to nobody. */
export const isStateSync = (transaction: Pick<RpcTransaction, 'from' | 'to'>): boolean =>
  transaction.from === zeroAddress && transaction.to === zeroAddress

export const zeroAddress = '0x0000000000000000000000000000000000000000'
