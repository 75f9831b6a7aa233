import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { TransferSpec } from '../action.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { type Account, accountsOf, type Mint, mintOf, type TokenAccount, tokenAccountOf, tokenPrograms } from './chainState.ts'

/** The current state of all accounts that a transfer touches. */
export interface TransferState {
  from: Account | null
  to: Account | null
  /** Null for SOL, and if the contract is not a mint. */
  mint: Mint | null
  /** The sender's associated account for the token; null if it does not exist or has another owner by now. */
  source: TokenAccount | null
  /** The recipient's associated account, of any owner. */
  destination: TokenAccount | null
  destinationAddress: string | null
  /** Lamports already at the recipient's associated address. */
  prefunded: bigint
  /** Accounts that the transfer writes to; the chain serializes transactions that write to the same account. */
  writable: string[]
}

/** One call: reads the associated accounts under both token programs, because the mint is not known yet. */
export async function readTransferState(rpc: JsonRpc, { from, to, token }: TransferSpec): Promise<TransferState> {
  const associated = token ? tokenPrograms.flatMap((program) => [from, to].map((owner) => associatedAccount(token.contract, owner, program))) : []
  const [sender = null, recipient = null, contract = null, ...held] = await accountsOf(rpc, [
    from,
    to,
    ...(token ? [token.contract] : []),
    ...associated,
  ])
  const mint = mintOf(contract)
  const nothing = { from: sender, to: recipient, mint, source: null, destination: null, destinationAddress: null, prefunded: 0n }
  if (!mint) return { ...nothing, writable: [from, to] }
  const at = 2 * tokenPrograms.findIndex((program) => program.toBase58() === mint.program)
  const [sourceAddress = '', destinationAddress = ''] = associated.slice(at)
  const [source = null, destination = null] = held.slice(at)
  const owned = tokenAccountOf(source)
  return {
    ...nothing,
    source: owned?.owner === from ? owned : null,
    destination: tokenAccountOf(destination),
    destinationAddress,
    prefunded: destination?.lamports ?? 0n,
    writable: [from, sourceAddress, destinationAddress],
  }
}

const associatedAccount = (mint: string, owner: string, program: PublicKey): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, program).toBase58()
