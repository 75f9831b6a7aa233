import { NATIVE_MINT } from '@solana/spl-token'
import type { RawTransaction } from './rawSolana.ts'

/**
 * Minimum lamports of an account of 165 bytes, a token account's size: (165 + 128) bytes, two years at 3,480
 * per byte and year (Solana docs, "Rent"). Its wrapped SOL is the balance above that (Solana Program Library,
 * "Token Program", Wrapping SOL).
 */
export const tokenAccountRent = 2_039_280n

const wrappedSol = NATIVE_MINT.toBase58()

interface TokenAccount {
  mint: string
  owner: string
  amount: bigint
}

/**
 * Balances while a transaction runs, by its instructions alone: without the fee, which is not an instruction.
 */
export interface Books {
  lamports: Map<string, bigint>
  tokens: Map<string, TokenAccount>
}

export const openBooks = ({ lamportsBefore, tokensBefore }: RawTransaction): Books => ({
  lamports: new Map(lamportsBefore),
  tokens: new Map(tokensBefore.map(({ account, mint, owner, amount }) => [account, { mint, owner, amount }])),
})

function addLamports({ lamports }: Books, account: string, by: bigint): void {
  lamports.set(account, (lamports.get(account) ?? 0n) + by)
}

export function moveLamports(books: Books, from: string, to: string, amount: bigint): void {
  addLamports(books, from, -amount)
  addLamports(books, to, amount)
}

function tokenAccount({ tokens }: Books, account: string): TokenAccount {
  const found = tokens.get(account)
  if (!found) throw new Error(`${account} was used as a token account, but was never opened`)
  return found
}

/** Wrapped SOL moves its lamports too. */
export function moveTokens(books: Books, from: string, to: string, amount: bigint, fee = 0n): void {
  tokenAccount(books, from).amount -= amount
  tokenAccount(books, to).amount += amount - fee
  if (tokenAccount(books, from).mint === wrappedSol) moveLamports(books, from, to, amount)
}

/** Mints; burns if negative. */
export function addTokens(books: Books, account: string, by: bigint): void {
  tokenAccount(books, account).amount += by
}

export function openTokenAccount(books: Books, account: string, mint: string, owner: string): void {
  books.tokens.set(account, { mint, owner, amount: 0n })
  if (mint === wrappedSol) syncNative(books, account)
}

/** Sets a wrapped account's tokens from its lamports. */
export function syncNative(books: Books, account: string): void {
  tokenAccount(books, account).amount = (books.lamports.get(account) ?? 0n) - tokenAccountRent
}

export function closeTokenAccount(books: Books, account: string, to: string): void {
  const { mint, amount } = tokenAccount(books, account)
  if (amount !== 0n && mint !== wrappedSol)
    throw new Error(`${account} was closed while it held ${amount} of ${mint}`)
  books.tokens.delete(account)
  moveLamports(books, account, to, books.lamports.get(account) ?? 0n)
}

export function setOwner(books: Books, account: string, owner: string): void {
  tokenAccount(books, account).owner = owner
}
