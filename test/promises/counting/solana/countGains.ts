import { applyInstruction } from './applyInstruction.ts'
import { openBooks } from './books.ts'
import type { RawTransaction } from './rawSolana.ts'

/** What an owner holds more of after a transaction than before; of a loss: less of. */
export interface Gain {
  txId: string
  owner: string
  /** Null for lamports, whose owner is the account that has them. */
  mint: string | null
  /** Base units; more than zero. */
  amount: bigint
}

/** @returns nothing where the transaction failed */
export const countGains = (transaction: RawTransaction): Gain[] => changesOf(transaction).filter(({ amount }) => amount > 0n)

/** The same of losses, whose amounts are more than zero too. */
export const countLosses = (transaction: RawTransaction): Gain[] =>
  changesOf(transaction).flatMap((each) => (each.amount < 0n ? [{ ...each, amount: -each.amount }] : []))

/**
 * Does a transaction's instructions over again, those that programs called included. Balances after the transaction are not looked at:
 * readers go by them. What a program does to lamports of its own accounts without an instruction is not seen here.
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

/** All that a gain says, in one line, so that lists can be compared as multisets. */
export const linesOf = (gains: readonly Gain[]): string[] =>
  gains.map(({ txId, owner, mint, amount }) => [txId, owner, mint ?? 'native', amount].join(' ')).sort()
