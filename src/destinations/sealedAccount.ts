import { openText, sealText } from '../custody/sealText.ts'
import { Secret } from '../platform/secrets.ts'
import { accountContext } from './sealedColumns.ts'

/** A bank account, as its bank has it. */
export interface BankAccount {
  /** Capital letters and digits. */
  number: Secret
  holder: string
}

/** The row that an account is bound to. */
interface AccountOwner {
  id: string
  businessId: string
  networkId: string
}

/**
 * Seals an account with the application's key. Business and bank are sealed with it, so that no part of its
 * row can be exchanged.
 */
export function sealAccount(
  appKey: Secret,
  { id, businessId, networkId }: AccountOwner,
  { number, holder }: BankAccount,
): Buffer {
  return sealText(
    appKey,
    accountContext(id),
    new Secret(JSON.stringify({ businessId, networkId, number: number.reveal(), holder })),
  )
}

/** @throws Error where no key of the application opens it, or it is of another row */
export function openAccount(
  appKey: Secret,
  { id, businessId, networkId }: AccountOwner,
  sealed: Uint8Array,
): BankAccount {
  const account = JSON.parse(openText(appKey, accountContext(id), sealed).reveal()) as Record<
    'businessId' | 'networkId' | 'number' | 'holder',
    string
  >
  if (account.businessId !== businessId || account.networkId !== networkId)
    throw new Error(`the account of destination ${id} was sealed for another business or bank`)
  return { number: new Secret(account.number), holder: account.holder }
}
