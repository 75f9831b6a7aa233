import { applyInstruction } from './applyInstruction.ts'
import { openBooks } from './books.ts'
import type { RawTransaction } from './rawSolana.ts'

/** The amount that an owner holds more after a transaction; for a loss, less. */
export interface Gain {
  txId: string
  owner: string
  /** Null for lamports: then the owner is the account. */
  mint: string | null
  /** Base units, positive. */
  amount: bigint
}

/** @returns nothing if the transaction failed */
export const countGains = (transaction: RawTransaction): Gain[] =>
  changesOf(transaction).filter(({ amount }) => amount > 0n)

/** The same for losses, with positive amounts too. */
export const countLosses = (transaction: RawTransaction): Gain[] =>
  changesOf(transaction).flatMap((each) => (each.amount < 0n ? [{ ...each, amount: -each.amount }] : []))

/**
 * Replays a transaction's instructions, including those called by programs. Ignores the balances after the
 * transaction: the readers use those. Does not see a program's direct changes to its own accounts' lamports.
 */
function changesOf(transaction: RawTransaction): Gain[] {
  const { id, failed, instructions, lamportsBefore, tokensBefore } = transaction
  if (failed) return []
  const books = openBooks(transaction)
  for (const instruction of instructions) applyInstruction(books, instruction)

  const changes = new Map<string, Gain>()
  const add = (owner: string, mint: string | null, by: bigint) => {
    const key = `${owner} ${mint}`
    const change = changes.get(key) ?? { txId: id, owner, mint, amount: 0n }
    changes.set(key, { ...change, amount: change.amount + by })
  }
  for (const { owner, mint, amount } of tokensBefore) add(owner, mint, -amount)
  for (const { owner, mint, amount } of books.tokens.values()) add(owner, mint, amount)
  for (const [account, lamports] of lamportsBefore) add(account, null, -lamports)
  for (const [account, lamports] of books.lamports) add(account, null, lamports)
  return [...changes.values()]
}

/** Gains as lines, to compare lists as multisets. */
export const linesOf = (gains: readonly Gain[]): string[] =>
  gains.map(({ txId, owner, mint, amount }) => [txId, owner, mint ?? 'native', amount].join(' ')).sort()
