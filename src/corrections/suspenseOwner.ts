import { type Account, platformAccount } from '../ledger/account.ts'

/** Accounts that money of the operator is booked to. */
export const operatorAccounts = ['rewards', 'capital'] as const
export type OperatorAccount = (typeof operatorAccounts)[number]

/**
 * Whose a payment without a session is: a business's, the operator's, or, with both null, an unknown owner's.
 */
export interface Owner {
  businessId: string | null
  account: OperatorAccount | null
}

/** The account that a payment of this owner is booked to. */
export function accountOfOwner({ businessId, account }: Owner, asset: string): Account {
  if (businessId !== null) return { name: 'available', businessId, asset }
  return platformAccount(account ?? 'suspense', asset)
}

/** SQL: the payment `s` has an owner. */
export const isOwned = '(s.business_id is not null or s.account is not null)'
