import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { Call } from '../../chains/action.ts'
import { wrappedSol } from '../../swaps/coins.ts'
import type { BuiltInstruction } from './build.ts'
import type { Opening } from './checkSurroundings.ts'
import { tokenProgram } from './programs.ts'
import { associated, type SwapAccounts, wrappedOf } from './swapAccounts.ts'

/**
 * The instructions of a swap: accounts are opened, SOL is wrapped, Jupiter's instruction swaps, SOL is
 * unwrapped. All but the swap are the platform's own.
 * @param openings of the answer: those of tokens that the route passes through
 * @param unwraps the sender's account of wrapped SOL is opened, and closed in the end
 * @returns the calls, the place of the swap among them, and the accounts that may be opened for good
 */
export function swapCalls(
  accounts: SwapAccounts,
  sellAmount: bigint,
  openings: readonly Opening[],
  swap: BuiltInstruction,
  unwraps: boolean,
): { calls: Call[]; swapAt: number; opens: Opening[] } {
  const { from, sell } = accounts
  const wrapped = unwraps ? wrappedOf(from) : null
  const opens = [...ownOpening(accounts), ...openings].filter(({ address }) => address !== wrapped)
  const unique = [...new Map(opens.map((each) => [each.address, each])).values()]
  const before = [
    ...unique.map((each) => opening(from, each)),
    ...(wrapped === null
      ? []
      : [opening(from, { address: wrapped, owner: from, mint: wrappedSol, program: tokenProgram })]),
    ...(wrapped !== null && sell.account === null ? wrapping(from, wrapped, sellAmount) : []),
  ].map(callOf)
  const after = wrapped === null ? [] : [callOf(unwrapping(from, wrapped))]
  return { calls: [...before, callOfBuilt(swap), ...after], swapAt: before.length, opens: unique }
}

/** The account that gets what is bought. */
const ownOpening = ({ to, buy }: SwapAccounts): Opening[] =>
  buy.account === null
    ? []
    : [{ address: associated(to, buy.mint, buy.program), owner: to, mint: buy.mint, program: buy.program }]

function opening(payer: string, { address, owner, mint, program }: Opening): TransactionInstruction {
  const [paid, opened, by, of, at] = [payer, address, owner, mint, program].map(
    (each) => new PublicKey(each),
  ) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey]
  return createAssociatedTokenAccountIdempotentInstruction(paid, opened, by, of, at)
}

const wrapping = (from: string, wrapped: string, lamports: bigint): TransactionInstruction[] => [
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(wrapped), lamports }),
  createSyncNativeInstruction(new PublicKey(wrapped)),
]

const unwrapping = (from: string, wrapped: string): TransactionInstruction =>
  createCloseAccountInstruction(new PublicKey(wrapped), new PublicKey(from), new PublicKey(from))

const callOf = ({ programId, data, keys }: TransactionInstruction): Call => ({
  to: programId.toBase58(),
  data: data.toString('base64'),
  value: 0n,
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  })),
})

const callOfBuilt = ({ programId, data, accounts }: BuiltInstruction): Call => ({
  to: programId,
  data,
  value: 0n,
  accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey,
    signer: isSigner,
    writable: isWritable,
  })),
})
