import { MULTISIG_SIZE, NATIVE_MINT } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { type SwapTrial, type TrialSide, UnsafeTrialError } from '../../solanaSwapping.ts'
import { associatedAccount } from '../associatedAccount.ts'
import { type Account, tokenAccountOf, tokenPrograms } from '../chainState.ts'
import type { State } from './planCalls.ts'

const systemProgram = '11111111111111111111111111111111'
/**
 * Programs whose accounts name the addresses that control them: nonces, stakes, votes, programs, lookup
 * tables, mints, and token accounts with their owner, delegate and close authority.
 */
const namingPrograms: readonly string[] = [
  systemProgram,
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  ...tokenPrograms.map((each) => each.toBase58()),
]
/** Offsets in a token account (solana-program/token, `state.rs`). */
const amountField = { at: 64, end: 72 }
const [closeAuthorityTagAt, closeAuthorityAt, closeAuthorityEnd] = [129, 133, 165]

export type Proof = Omit<SwapTrial, 'action' | 'tables'> & { from: string }

/**
 * Proves what a swap does by the accounts that it writes to: the sender loses what it sells, the fee and the
 * returned rent, the recipient gets at least the minimum, and no other account of the sender takes part.
 * Where the coin is sold or bought, the sender's SOL and wrapped SOL count as one.
 * @param before all accounts that it names
 * @param after those that it writes to
 * @returns lamports that the opened accounts hold, paid by the sender
 * @throws UnsafeTrialError
 */
export function proveSwap(proof: Proof, before: State, after: State, fee: bigint): bigint {
  const { from, to, sold, bought } = proof
  requireNoOthers(proof, before, after)
  requireWallet(proof, after)
  const rent = rentOf(proof, before, after)
  const lost = coinOf(proof, before) - coinOf(proof, after) - fee
  const due = rent + (sold.account === null ? sold.amount : 0n)
  const bringsCoin = bought.account === null && to === from
  if (bringsCoin) requireMinimum(due - lost, bought)
  // What a route leaves in wrapped SOL comes back to the sender.
  else if (proof.unwraps && !usesCoin(proof) ? lost > due : lost !== due)
    throw new UnsafeTrialError('that another amount of SOL leaves the sender')
  if (sold.account !== null) requireSold(sold, before, after)
  if (!bringsCoin) requireBought(proof, before, after)
  requireUntouched(proof, before, after)
  return rent
}

/** Between tokens, an account of wrapped SOL is one like others that the route passes through. */
const usesCoin = ({ sold, bought }: Proof): boolean => sold.account === null || bought.account === null

/** An owner's account of wrapped SOL. */
export const wrappedAccount = (owner: string): string => associatedAccount(owner, NATIVE_MINT.toBase58())
const wrappedOf = ({ from }: Proof): string => wrappedAccount(from)
const lamportsOf = (state: State, address: string): bigint => state.get(address)?.lamports ?? 0n
const coinOf = (proof: Proof, state: State): bigint =>
  lamportsOf(state, proof.from) + (usesCoin(proof) ? lamportsOf(state, wrappedOf(proof)) : 0n)

/**
 * The sender's account must stay a wallet, and its account of wrapped SOL must not be opened for good, or
 * given away.
 */
function requireWallet(proof: Proof, after: State): void {
  const account = after.get(proof.from) ?? null
  if (account && (account.owner !== systemProgram || account.data.length > 0))
    throw new UnsafeTrialError('another owner of the sender’s account')
  if (proof.unwraps && after.get(wrappedOf(proof)))
    throw new UnsafeTrialError('that the sender’s wrapped SOL is not unwrapped')
}

/** @throws UnsafeTrialError for an opened account that is not what it was opened as */
function rentOf({ opens }: Proof, before: State, after: State): bigint {
  return opens.reduce((sum, { address, owner, mint }) => {
    if (tokenAccountOf(before.get(address) ?? null)) return sum
    const opened = after.get(address) ?? null
    if (opened === null) return sum
    const token = tokenAccountOf(opened)
    const isSound =
      token?.owner === owner && token.mint === mint && !token.hasDelegate && closeAuthorityOf(opened) === null
    if (!isSound) throw new UnsafeTrialError('an opened account that belongs to another owner')
    return sum + opened.lamports - lamportsOf(before, address)
  }, 0n)
}

function requireSold({ account, amount }: TrialSide, before: State, after: State): void {
  const [had, has] = [before, after].map((state) => state.get(account ?? '') ?? null)
  const change = amountIn(had ?? null) - amountIn(has ?? null)
  if (change !== amount) throw new UnsafeTrialError('that another amount of the sold token leaves the sender')
  if (!isSameButAmount(had ?? null, has ?? null))
    throw new UnsafeTrialError('another owner, delegate or close authority of the sold token’s account')
}

function requireBought({ to, bought }: Proof, before: State, after: State): void {
  const address = bought.account ?? to
  const [had, has] = [before.get(address) ?? null, after.get(address) ?? null]
  if (bought.account === null) {
    if (has === null || has.owner !== systemProgram || has.data.length > 0)
      throw new UnsafeTrialError('a recipient that is not a wallet')
    requireMinimum(has.lamports - (had?.lamports ?? 0n), bought)
    return
  }
  const token = tokenAccountOf(has)
  if (token?.owner !== to || token.mint !== bought.mint)
    throw new UnsafeTrialError('an account of another owner as the recipient')
  requireMinimum(token.amount - amountIn(had), bought)
  if (tokenAccountOf(had) && !isSameButAmount(had, has))
    throw new UnsafeTrialError('another delegate or close authority of the recipient’s account')
}

function requireMinimum(received: bigint, { amount }: TrialSide): void {
  if (received < amount) throw new UnsafeTrialError('that the recipient gets less than the minimum')
}

/**
 * The swap must name no other account that the sender controls. A trial run does not prove that it leaves one
 * alone: its program may act otherwise in the block.
 */
function requireNoOthers(proof: Proof, before: State, after: State): void {
  const { from, sold, bought, opens } = proof
  const known = new Set([
    from,
    wrappedOf(proof),
    sold.account,
    bought.account,
    ...opens.map(({ address }) => address),
  ])
  for (const [address, account] of before) {
    if (account === null || known.has(address) || !isNaming(account, from)) continue
    // A multisig signs without being written to.
    if (after.has(address) || account.data.length === MULTISIG_SIZE)
      throw new UnsafeTrialError('another account of the sender')
  }
}

/**
 * Accounts that the route passes through, and that were there before, must lose nothing; a route may leave a
 * remainder. An address that was only paid SOL, by anyone, is no account of the sender yet: it is opened as
 * any other.
 */
function requireUntouched(proof: Proof, before: State, after: State): void {
  const { sold, bought, opens } = proof
  const passed = [...opens.map(({ address }) => address), ...(usesCoin(proof) ? [] : [wrappedOf(proof)])]
  for (const address of passed) {
    const had = before.get(address) ?? null
    if (
      had === null ||
      isUnopened(had) ||
      !after.has(address) ||
      address === sold.account ||
      address === bought.account
    )
      continue
    const has = after.get(address) ?? null
    const isWhole =
      has && has.lamports >= had.lamports && amountIn(has) >= amountIn(had) && isSameButBalance(had, has)
    if (!isWhole) throw new UnsafeTrialError('a change of another account of the sender')
  }
}

const isNaming = ({ owner, data }: Account, address: string): boolean =>
  namingPrograms.includes(owner) && data.includes(new PublicKey(address).toBuffer())

const amountIn = (account: Account | null): bigint => tokenAccountOf(account)?.amount ?? 0n

function closeAuthorityOf({ data }: Account): string | null {
  if (data.readUInt32LE(closeAuthorityTagAt) === 0) return null
  return new PublicKey(data.subarray(closeAuthorityAt, closeAuthorityEnd)).toBase58()
}

const isUnopened = ({ owner, data }: Account): boolean => owner === systemProgram && data.length === 0

const isSameButAmount = (had: Account | null, has: Account | null): boolean =>
  had !== null && has !== null && had.lamports === has.lamports && isSameButBalance(had, has)

function isSameButBalance(had: Account, has: Account): boolean {
  return had.owner === has.owner && restOf(had).equals(restOf(has))
}

/** All but the amount of a token account. */
export function restOf(account: Account): Buffer {
  if (tokenAccountOf(account) === null) return account.data
  return Buffer.concat([account.data.subarray(0, amountField.at), account.data.subarray(amountField.end)])
}
