/** A stake's transaction, and the parts of it, by a count of their own. */
export interface Root {
  id: string
  amount: bigint
  apy: string
  penaltyPercent: string
  lockDays: number
  createdAt: number
  /** The time of its block; null: in no block. */
  blockAt: number | null
  /** It failed in a block, which a fork may take away, too. */
  hasFailed: boolean
  parts: Part[]
}

export interface Part {
  id: string
  amount: bigint
  /** Set when it is unstaked. */
  ended: { penalty: bigint; rewards: bigint } | null
  isRequested: boolean
}
