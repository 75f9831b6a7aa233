/**
 * The fields of nodes' answers that are read (Ethereum's execution-apis). Unusual transaction types may lack
 * almost all of them.
 */

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
  /** Deposits of OP chains: the coin that is minted for the sender. */
  mint?: string | null
  /** Null while pending. */
  blockNumber?: string | null
}

export interface RpcBlock extends RpcHeader {
  miner?: string
  transactions: RpcTransaction[]
}

/** A block with transaction hashes in place of transactions. */
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
  /** Deposits on OP chains, since the Canyon fork. */
  depositNonce?: string
  depositReceiptVersion?: string
  logsBloom: string
  logs: RpcLog[]
}

/** A call in the output of geth's `callTracer`. */
export interface CallFrame {
  type: string
  from: string
  to?: string
  value?: string
  error?: string
  calls?: CallFrame[]
}

/** The accounts that a transaction changed: output of geth's `prestateTracer` with `diffMode`. */
export interface PrestateDiff {
  pre: Record<string, { balance?: string }>
  post: Record<string, { balance?: string }>
}

export type TraceResult = CallFrame | PrestateDiff

export const hex = (height: number): string => `0x${height.toString(16)}`

/** Some nodes pad the status with zeros. */
export const hasSucceeded = ({ status }: Pick<RpcReceipt, 'status'>): boolean =>
  status === '0x1' || (status !== undefined && Number(status) === 1)

/** Polygon's transaction that brings state from Ethereum: from and to the zero address. */
export const isStateSync = (transaction: Pick<RpcTransaction, 'from' | 'to'>): boolean =>
  transaction.from === zeroAddress && transaction.to === zeroAddress

export const zeroAddress = '0x0000000000000000000000000000000000000000'
