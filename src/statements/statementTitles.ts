import type { BusinessAccountName } from '../ledger/account.ts'

export const accountTitles: Record<BusinessAccountName, string> = {
  available: 'Available',
  pending: 'Pending',
  receivable: 'Owed by you',
  payouts_held: 'Held for payouts',
  stakes: 'Staked',
  credit: 'Credit',
  credit_held: 'Credit held',
}

const lineTitles: Readonly<Record<string, string>> = {
  received: 'Received',
  fee: 'Fees',
  margin: 'Margin on rates',
  rounding: 'Rounding',
  to_bank: 'To the bank',
  to_wallet: 'To wallets',
  refunded: 'Refunded',
  other: 'Other payouts',
}

/** `deposit.credited` is `Deposit credited`. */
export function kindTitle(kind: string): string {
  const words = kind.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A line of a statement; of other entries their kind. */
export const lineTitle = (line: string): string => lineTitles[line] ?? kindTitle(line)
