import { getBusiness } from '../businesses/business.ts'
import { readLogoPath } from '../businesses/logo/logo.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import type { Rates } from '../pricing/rates.ts'
import { listNetworks } from '../sessions/listNetworks.ts'

/** What a till can take, and in which currency its amounts are. */
export async function getTill(
  ctx: {
    db: ModelDb
    chains: readonly ConfiguredChain[]
    rates: Rates
    paymentPartner: object | null
  },
  businessId: string,
) {
  const { name, localCurrency } = await getBusiness(ctx, businessId)
  const logo = await readLogoPath(ctx.db, businessId)
  return {
    business: name,
    ...(logo !== null && { logo }),
    currency: localCurrency !== null && (await hasRate(ctx.rates, localCurrency)) ? localCurrency : null,
    networks: await listNetworks(ctx, businessId),
  }
}

/** Whether some source has the currency, even if its rate is too old now. Without one amounts are in the token. */
const hasRate = (rates: Rates, currency: string): Promise<boolean> =>
  rates.mid(currency).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status !== 400
      throw error
    },
  )
