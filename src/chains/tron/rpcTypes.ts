/**
 * Answers of a Tron node: the fields that are read (TRON developer docs, "HTTP API"). Addresses in hex:
 * `visible` is not set.
 */
export interface TronBlock {
  /** Absent if the node does not have the block. */
  blockID?: string
  block_header?: { raw_data?: TronHeader }
  transactions?: TronTransaction[]
}

/** Zero values are omitted. */
export interface TronHeader {
  number?: number
  txTrieRoot?: string
  witness_address?: string
  witness_id?: number
  parentHash?: string
  version?: number
  /** Milliseconds. */
  timestamp?: number
  accountStateRoot?: string
}

export interface TronTransaction {
  txID: string
  raw_data_hex: string
  signature?: string[]
  ret?: TronResult[]
}

export interface TronResult {
  contractRet?: string
  fee?: number
  ret?: string
}

export interface TronTransactionInfo {
  id: string
  blockNumber?: number
  /** `FAILED`; absent if it did not fail. */
  result?: string
  receipt?: { result?: string }
  log?: TronLog[]
  internal_transactions?: TronInternal[]
}

/** `address` has twenty bytes, without the chain's prefix. */
export interface TronLog {
  address: string
  topics?: string[]
  data?: string
}

export interface TronInternal {
  caller_address: string
  transferTo_address: string
  callValueInfo?: { callValue?: number; tokenId?: string }[]
  rejected?: boolean
}
