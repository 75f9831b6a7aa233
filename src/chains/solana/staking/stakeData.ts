import { base58 } from '@scure/base'

/**
 * A stake's account as the stake program stores it (solana-program/stake, `StakeStateV2` in bincode): the
 * kind in four bytes; rent, staker, withdrawer and lockup; then the delegation.
 */
export interface StakeData {
  staker: string
  withdrawer: string
  /** Null if it was never delegated. */
  delegation: Delegation | null
}

export interface Delegation {
  /** The vote account. */
  voter: string
  /** Lamports, with rewards that the chain has added. */
  stake: bigint
  /** `never` for a stake of genesis. */
  activationEpoch: bigint
  /** `never` until it is deactivated. */
  deactivationEpoch: bigint
}

/** The epoch of what does not happen: the highest u64. */
export const never = 2n ** 64n - 1n

/** Size of the account. */
export const stakeBytes = 200
const kinds = { initialized: 1, delegated: 2 }
const [stakerAt, withdrawerAt, voterAt, amountAt, activationAt, deactivationAt] = [12, 44, 124, 156, 164, 172]

/** Null for data that is not of an initialised stake. */
export function readStakeData(data: Buffer): StakeData | null {
  if (data.length !== stakeBytes) return null
  const kind = data.readUInt32LE(0)
  if (kind !== kinds.initialized && kind !== kinds.delegated) return null
  const key = (at: number) => base58.encode(data.subarray(at, at + 32))
  const delegation = {
    voter: key(voterAt),
    stake: data.readBigUInt64LE(amountAt),
    activationEpoch: data.readBigUInt64LE(activationAt),
    deactivationEpoch: data.readBigUInt64LE(deactivationAt),
  }
  return {
    staker: key(stakerAt),
    withdrawer: key(withdrawerAt),
    delegation: kind === kinds.delegated ? delegation : null,
  }
}
