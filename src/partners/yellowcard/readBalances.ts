import { z } from 'zod'
import type { PartnerBalance } from '../../partnerPayments/partner.ts'
import { signedAmount } from '../exactJson.ts'
import type { YellowCardAccount } from './account.ts'
import { get } from './request.ts'

const form = z.object({
  accounts: z.array(
    z.object({
      currency: z.string().min(1).max(20),
      currencyType: z.string().max(20),
      available: signedAmount,
    }),
  ),
})

/** The balance of the account, by https://docs.yellowcard.engineering/reference/get-account. */
export async function readBalances(account: YellowCardAccount): Promise<PartnerBalance[]> {
  const { accounts } = await get(account, '/business/account', form)
  return accounts.map(({ currency, currencyType, available }) => ({ currency, currencyType, available }))
}
