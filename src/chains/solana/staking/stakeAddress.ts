import { PublicKey, StakeProgram } from '@solana/web3.js'
import type { StakeOwner } from '../../staking.ts'

/**
 * The seed of a stake's account: its id without dashes, as many characters as a seed has at most (Solana
 * docs, `MAX_SEED_LEN`).
 */
export const seedOf = (id: string): string => id.replaceAll('-', '')

/** The account of a stake. Only `from` can open it, and only once. */
export const stakeAddress = ({ id, from }: StakeOwner): Promise<PublicKey> =>
  PublicKey.createWithSeed(new PublicKey(from), seedOf(id), StakeProgram.programId)
