import { z } from 'zod'
import type { BankAccount, ResolvedAccount } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { post } from './request.ts'

const form = z.object({
  accountNumber: z.string(),
  accountName: z.string().max(200),
  accountBank: z.string().max(200),
})

/**
 * The holder of a bank account, by https://docs.yellowcard.engineering/reference/resolve-bank-account ("Only
 * available in select countries"; required for Nigeria).
 * @throws PartnerError `refused` with `ResolveAccountError` if the bank has no such account
 */
export async function resolveAccount(
  account: YellowCardAccount,
  { accountNumber, networkId }: BankAccount,
): Promise<ResolvedAccount> {
  const resolved = await post(account, '/business/details/bank', { accountNumber, networkId }, form, {
    changes: false,
  })
  // The name of another account would send money to the wrong person.
  if (resolved.accountNumber !== accountNumber)
    throw new PartnerError('invalid_answer', 'Yellow Card resolved another account than the one requested')
  return resolved
}
