import { unsafe } from '../../swaps/checkPrice.ts'
import type { BuiltInstruction, BuiltInstructions } from './build.ts'
import {
  associatedProgram,
  budgetProgram,
  systemProgram,
  token2022Program,
  tokenProgram,
} from './programs.ts'
import { associated, type SwapAccounts, wrappedOf } from './swapAccounts.ts'

/** An associated account that an answer opens for the sender or the recipient. */
export interface Opening {
  address: string
  owner: string
  mint: string
  program: string
}

const keysOf = ({ accounts }: BuiltInstruction): string[] => accounts.map(({ pubkey }) => pubkey)
const isHex = ({ data }: BuiltInstruction, hex: string): boolean =>
  Buffer.from(data, 'base64').toString('hex') === hex

/**
 * Checks what an answer has around its swap: only the opening of accounts of the sender and the recipient,
 * the wrapping of exactly what is sold, and the unwrapping to the sender. Only the accounts to open are used
 * of it: the platform builds its own.
 * @throws SwapProviderError `unsafe_answer`
 */
export function checkSurroundings(
  accounts: SwapAccounts,
  sellAmount: bigint,
  built: BuiltInstructions,
): Opening[] {
  if ((built.otherInstructions ?? []).length > 0) throw unsafe('another instruction')
  if (built.tipInstruction) throw unsafe('a tip')
  if (built.computeBudgetInstructions.some(({ programId }) => programId !== budgetProgram))
    throw unsafe('the compute budget')
  const { cleanupInstruction: cleanup } = built
  if (cleanup && !isUnwrapping(accounts, cleanup)) throw unsafe('the cleanup')
  const used = new Set(keysOf(built.swapInstruction))
  const openings = built.setupInstructions.map((each) => openingOf(accounts, each))
  const others = built.setupInstructions.filter((_, index) => openings[index] === null)
  if (!isWrapping(accounts, sellAmount, others)) throw unsafe('the setup')
  const opened = openings.filter((each) => each !== null)
  if (opened.some(({ address }) => !used.has(address)) || opened.length > maxOpenings)
    throw unsafe('accounts that the swap does not need')
  return opened
}

/** The sender pays for each: a route passes through few tokens. */
const maxOpenings = 4

/** Of the associated token program: `CreateIdempotent`, paid by the sender. Null for another instruction. */
function openingOf({ from, to, buy }: SwapAccounts, instruction: BuiltInstruction): Opening | null {
  const [payer, address = '', owner = '', mint = '', system, program = ''] = keysOf(instruction)
  const isOpening =
    instruction.programId === associatedProgram &&
    isHex(instruction, '01') &&
    instruction.accounts.length === 6
  const isOurs =
    payer === from && (owner === from || (owner === to && mint === buy.mint)) && system === systemProgram
  const isToken = program === tokenProgram || program === token2022Program
  if (!isOpening || !isOurs || !isToken || address !== associated(owner, mint, program)) return null
  return { address, owner, mint, program }
}

/** A transfer of what is sold to the account of wrapped SOL, and its `SyncNative`; or nothing. */
function isWrapping(
  { from, sell, wrapped }: SwapAccounts,
  sellAmount: bigint,
  instructions: readonly BuiltInstruction[],
): boolean {
  const [transfer, sync, ...more] = instructions
  if (transfer === undefined) return true
  if (sync === undefined || more.length > 0 || sell.account !== null) return false
  const paid = Buffer.alloc(12)
  paid.writeUInt32LE(2, 0)
  paid.writeBigUInt64LE(sellAmount, 4)
  const isTransfer = transfer.programId === systemProgram && isHex(transfer, paid.toString('hex'))
  const isSync = sync.programId === tokenProgram && isHex(sync, '11')
  return (
    isTransfer &&
    isSync &&
    keysOf(transfer).join() === [from, wrapped].join() &&
    keysOf(sync).join() === wrapped
  )
}

/**
 * Of the token program: `CloseAccount` of the account of wrapped SOL, to the sender. A route between tokens
 * may pass through it.
 */
const isUnwrapping = ({ from }: SwapAccounts, instruction: BuiltInstruction): boolean =>
  instruction.programId === tokenProgram &&
  isHex(instruction, '09') &&
  keysOf(instruction).join() === [wrappedOf(from), from, from].join()
