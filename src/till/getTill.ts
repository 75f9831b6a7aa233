import { getBusiness } from '../businesses/business.ts'
import { readLogoPath } from '../businesses/logo/logo.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import type { Rates } from '../pricing/rates.ts'
import { listNetworks } from '../sessions/listNetworks.ts'

/** What a till can take, and in which currency its amounts are. */
export async function getTill(
  ctx: {
    db: ModelDb
    chains: readonly ConfiguredChain[]
    rates: Rates | null
    paymentPartner: object | null
  },
  businessId: string,
) {
  const { name, localCurrency } = await getBusiness(ctx, businessId)
  const logo = await readLogoPath(ctx.db, businessId)
  return {
    business: name,
    ...(logo !== null && { logo }),
    currency: ctx.rates && localCurrency,
    networks: await listNetworks(ctx, businessId),
  }
}
