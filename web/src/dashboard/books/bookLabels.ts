import { chainLabel } from '../labels.ts'
import type { AccountName, Balance, EntryKind, LedgerEntry } from './types.ts'

export const accountLabels: Record<AccountName, string> = {
  available: 'Available',
  pending: 'Pending',
  receivable: 'Owed by you',
  payouts_held: 'Held for payouts',
  stakes: 'Staked',
  credit: 'Credit',
  credit_held: 'Credit held',
}

export const isAccountName = (text: string): text is AccountName => Object.hasOwn(accountLabels, text)

const kinds: Record<EntryKind, true> = {
  'deposit.pending': true,
  'deposit.credited': true,
  'deposit.corrected': true,
  'deposit.reverted': true,
  'suspense.given': true,
  'receivable.opened': true,
  'payout.reserved': true,
  'payout.posted': true,
  'payout.released': true,
  'payout.returned': true,
  'refund.reserved': true,
  'refund.posted': true,
  'refund.released': true,
  'refund.returned': true,
  exchange: true,
  penalty: true,
  adjustment: true,
  'stake.posted': true,
  'stake.unstaked': true,
  'stake.reversed': true,
  'stake_withdrawal.posted': true,
  'stake_withdrawal.corrected': true,
  'stake_withdrawal.reversed': true,
  'verification.held': true,
  'verification.taken': true,
  'verification.returned': true,
}

/** What entries are searched by; a kind that the contract gains is missing here until it is added. */
export const entryKinds = Object.keys(kinds) as EntryKind[]

export const isEntryKind = (text: string): text is EntryKind => Object.hasOwn(kinds, text)

/** `deposit.credited` as `Deposit credited`. */
export function kindLabels(kind: string): string {
  const words = kind.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `polygon:USDC` as `USDC on Polygon`. */
export function assetLabels(asset: string): string {
  const [chain = '', symbol = ''] = asset.split(':')
  if (symbol === '') return chain
  return `${symbol} on ${chainLabel(chain)}`
}

export const partLabels: Record<LedgerEntry['postings'][number]['parts'][number]['part'], string> = {
  fee: 'Fee',
  margin: 'Margin on the rate',
  rounding: 'Rounding',
  paid: 'Paid',
}

const lineLabels: Record<string, string | undefined> = {
  received: 'Received',
  fee: 'Fees',
  margin: 'Margin on rates',
  rounding: 'Rounding',
  to_bank: 'To the bank',
  to_wallet: 'To wallets',
  refunded: 'Refunded',
  other: 'Other payouts',
}

/** A line of a statement; of other entries their kind. */
export const lineLabel = (line: string): string => lineLabels[line] ?? kindLabels(line)

const others = {
  receivable: 'receivable',
  payouts_held: 'payoutsHeld',
  stakes: 'stakes',
  credit: 'credit',
  credit_held: 'creditHeld',
} as const satisfies Partial<Record<AccountName, keyof Balance>>

/** Balances that are shown only where they are not zero, by their labels. */
export const otherBalances = (balance: Balance): [string, string][] =>
  (Object.keys(others) as (keyof typeof others)[])
    .map((account): [string, string] => [accountLabels[account], balance[others[account]]])
    .filter(([, amount]) => amount !== '0')

export const isZero = (balance: Balance): boolean =>
  balance.available === '0' && balance.pending === '0' && otherBalances(balance).length === 0
