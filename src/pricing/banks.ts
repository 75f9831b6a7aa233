import { ApiError } from '../platform/errors.ts'
import type { Bank, RatePartner } from './rates.ts'

/** How long one answer of the partner is reused: the operation is public, and must not put load on the partner. */
const freshMs = 60_000

/** Lists the partner's banks, by name. The answer is remembered. */
export function createBanks({ partner }: { partner: Pick<RatePartner, 'banks'> }) {
  let known: { at: number; banks: Promise<Bank[]> } | null = null
  const banks = () => {
    if (known === null || Date.now() - known.at > freshMs) {
      const asked = { at: Date.now(), banks: partner.banks() }
      known = asked
      asked.banks.catch(() => {
        if (known === asked) known = null
      })
    }
    return known.banks
  }
  /** @throws ApiError 503 `banks_unavailable` */
  return async ({ currency, countryCode }: { currency?: string; countryCode?: string }) => {
    const all = await banks().catch((cause) => {
      throw new ApiError(503, 'banks_unavailable', 'The list of banks is not available right now', { retryAfterSeconds: 10, cause })
    })
    const found = all.filter((bank) => (!currency || bank.currencies.includes(currency)) && (!countryCode || bank.countryCode === countryCode))
    return found.sort((a, b) => a.name.localeCompare(b.name)).map(({ id, name, code }) => ({ id, name, code }))
  }
}
