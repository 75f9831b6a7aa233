import type { Queryable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { createBankList } from '../pricing/bankList.ts'
import type { Bank, RatePartner } from '../pricing/rates.ts'

export interface PayoutBanksContext {
  db: Queryable
  log: Log
  /** Null without a payout partner. */
  partner: Pick<RatePartner, 'name' | 'url' | 'banks'> | null
}

/** @throws ApiError 503 `banks_unavailable` */
export type ListPayoutBanks = () => Promise<readonly Bank[]>

/** The banks of `GET /pos/sessions/banks`, by name, each with its country and currencies. None without a payout partner. */
export function createPayoutBanks(ctx: PayoutBanksContext): ListPayoutBanks {
  const { partner } = ctx
  if (!partner) return async () => []
  const read = createBankList({ ...ctx, partner })
  return async () => (await read()).banks.toSorted((a, b) => a.name.localeCompare(b.name))
}
