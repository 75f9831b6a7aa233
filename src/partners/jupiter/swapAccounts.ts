import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { SolanaMint } from '../../chains/solanaSwapping.ts'
import { wrappedSol } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import type { Destination } from './build.ts'
import { tokenProgram } from './programs.ts'

/** One side of a swap on Solana. */
export interface Side {
  mint: string
  program: string
  decimals: number
  /** The token account of the sender, or of the recipient; null for the coin. */
  account: string | null
}

/** The accounts of a swap that are known from the question alone. */
export interface SwapAccounts {
  from: string
  to: string
  sell: Side
  buy: Side
  /**
   * The sender's account of wrapped SOL: opened for one transaction where the coin is sold or bought; null
   * elsewhere.
   */
  wrapped: string | null
}

/** Tokens move between associated accounts. An owner may be off the curve. */
export const associated = (owner: string, mint: string, program: string): string =>
  getAssociatedTokenAddressSync(
    new PublicKey(mint),
    new PublicKey(owner),
    true,
    new PublicKey(program),
  ).toBase58()

/** @param mints null for the coin */
export function accountsOf(
  { from, to }: SwapQuestion,
  mints: { sell: SolanaMint | null; buy: SolanaMint | null },
): SwapAccounts {
  const sideOf = (mint: SolanaMint | null, owner: string): Side => {
    if (mint === null) return { mint: wrappedSol, program: tokenProgram, decimals: 9, account: null }
    const { contract, program, decimals } = mint
    return { mint: contract, program, decimals, account: associated(owner, contract, program) }
  }
  const [sell, buy] = [sideOf(mints.sell, from), sideOf(mints.buy, to)]
  const usesCoin = sell.account === null || buy.account === null
  return { from, to, sell, buy, wrapped: usesCoin ? wrappedOf(from) : null }
}

/** An owner's account of wrapped SOL. */
export const wrappedOf = (owner: string): string => associated(owner, wrappedSol, tokenProgram)

/** The recipient in the request to Jupiter: null where the sender gets what it buys. */
export function destinationOf({ from, to, buy }: SwapAccounts): Destination | null {
  if (to === from) return null
  return buy.account === null ? { nativeDestinationAccount: to } : { destinationTokenAccount: buy.account }
}
