/** Answers of a Solana node: the fields that are read (Solana docs, "getBlock" and "getTransaction"). */
export interface RpcBlock {
  blockhash: string
  previousBlockhash: string
  /** Slot of the parent block; slots between were skipped. */
  parentSlot: number
  /** Unix seconds. */
  blockTime: number | null
  transactions?: RpcTransaction[]
}

export interface RpcTransaction {
  /** In the encoding `json`, or bytes in base64. */
  transaction: RpcMessage | [string, 'base64']
  meta: RpcMeta | null
}

export interface RpcMessage {
  signatures: string[]
  message: { accountKeys: string[]; instructions?: RpcInstruction[] }
}

export interface RpcInstruction {
  programIdIndex: number
  accounts: number[]
  /** Base58. */
  data: string
}

export interface RpcMeta {
  err: unknown
  /** Lamports, paid by the first account. */
  fee: number
  /** Lamports, by account: those of the message, then those of lookup tables. */
  preBalances: number[]
  postBalances: number[]
  preTokenBalances?: RpcTokenBalance[] | null
  postTokenBalances?: RpcTokenBalance[] | null
  innerInstructions?: { index: number; instructions: RpcInstruction[] }[] | null
  loadedAddresses?: { writable: string[]; readonly: string[] } | null
}

export interface RpcTokenBalance {
  accountIndex: number
  mint: string
  owner?: string
  uiTokenAmount: { amount: string }
}

/** A block with `transactionDetails: accounts`: without instructions and logs, the bulk of a block. */
export interface RpcLightBlock extends Omit<RpcBlock, 'transactions'> {
  transactions?: {
    transaction: { accountKeys: { pubkey: string }[]; signatures: string[] }
    meta: RpcMeta | null
  }[]
}
