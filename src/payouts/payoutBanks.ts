import { createBanks } from '../pricing/banks.ts'
import type { Bank, RatePartner } from '../pricing/rates.ts'

export interface PayoutBanksContext {
  partner: Pick<RatePartner, 'banks'>
}

/** @throws ApiError 503 `banks_unavailable` */
export type ListPayoutBanks = () => Promise<readonly Bank[]>

/** The banks of `GET /pos/sessions/banks`, each with its country and currencies. */
export function createPayoutBanks({ partner }: PayoutBanksContext): ListPayoutBanks {
  let answered: readonly Bank[] = []
  const list = createBanks({
    partner: {
      async banks() {
        const banks = await partner.banks()
        answered = banks
        return banks
      },
    },
  })
  return async () => {
    const order = new Map((await list({})).map(({ id }, index) => [id, index]))
    const place = ({ id }: Bank) => order.get(id) ?? -1
    return answered.filter((bank) => order.has(bank.id)).sort((a, b) => place(a) - place(b))
  }
}
