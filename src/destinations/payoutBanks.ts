import type { ReadBanks } from '../pricing/bankList.ts'
import type { Bank } from '../pricing/rates.ts'

/**
 * The banks of `GET /pos/sessions/banks`, by name, each with its country and currencies. Empty without a
 * payout partner. @throws ApiError 503
 */
export async function payoutBanks({ banks }: { banks: ReadBanks | null }): Promise<readonly Bank[]> {
  return banks ? (await banks()).banks.toSorted((a, b) => a.name.localeCompare(b.name)) : []
}
