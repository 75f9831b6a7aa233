import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'

/** The associated token account of an owner, which may be off the curve. */
export const associatedAccount = (
  owner: string,
  mint: string,
  program: string = TOKEN_PROGRAM_ID.toBase58(),
): string =>
  getAssociatedTokenAddressSync(
    new PublicKey(mint),
    new PublicKey(owner),
    true,
    new PublicKey(program),
  ).toBase58()
