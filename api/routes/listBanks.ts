import { ApiError } from '../../src/platform/errors.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { QueryOf } from '../types.ts'

/** How long one answer of the partner is reused: this operation is public, and must not put load on the partner. */
const freshMs = 60_000

/** GET /pos/sessions/banks */
export function listBanksRoute(ctx: Pick<ApiContext, 'partner'>) {
  let known: { at: number; banks: ReturnType<ApiContext['partner']['banks']> } | null = null
  const banks = () => {
    if (known === null || Date.now() - known.at > freshMs) {
      const asked = { at: Date.now(), banks: ctx.partner.banks() }
      known = asked
      asked.banks.catch(() => {
        if (known === asked) known = null
      })
    }
    return known.banks
  }
  return async ({ query }: ApiRequest<unknown, QueryOf<'listBanks'>>): Promise<Answer> => {
    const all = await banks().catch((cause) => {
      throw new ApiError(503, 'banks_unavailable', 'The list of banks is not available right now', { retryAfterSeconds: 10, cause })
    })
    const { currency, countryCode } = query
    const found = all.filter((bank) => (!currency || bank.currencies.includes(currency)) && (!countryCode || bank.countryCode === countryCode))
    return {
      status: 200,
      body: { banks: found.sort((a, b) => a.name.localeCompare(b.name)).map(({ id, name, code }) => ({ id, name, code })) },
    }
  }
}
