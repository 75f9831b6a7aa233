import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type RateLimits, refusalOf, type Sides } from './decideRate.ts'
import { lockRates, type RateSource, readStoredRates, type StoredRate, storeRates } from './storedRates.ts'

export interface AcceptedByHand extends Sides {
  currency: string
  operator: string
  evidence: string
}

/**
 * An operator accepts that a currency has moved to about these numbers. The refused rate becomes the accepted
 * one if it is within the limits of them: the partner may have moved it a little since the operator read it.
 * Audited.
 * @throws ApiError 409 if no rate of the currency is refused, or the refused one is another
 */
export async function acceptRate(
  ctx: { db: Db; partner: RateSource; limits: RateLimits },
  actor: Actor,
  { currency, buy, sell, operator, evidence }: AcceptedByHand,
): Promise<StoredRate> {
  const { db, partner, limits } = ctx
  return db.tx(async (tx) => {
    await lockRates(tx, partner)
    const stored = (await readStoredRates(tx, partner)).find((each) => each.currency === currency)
    const refused = stored?.refused
    if (!stored || !refused) throw new ApiError(409, 'conflict', `no rate of ${currency} is refused`)
    const [clock] = await tx.query<{ now: Date }>('select clock_timestamp() as now')
    const anchor = { buy, sell, at: clock?.now ?? new Date() }
    if (refusalOf(anchor, refused, anchor.at, limits))
      throw new ApiError(
        409,
        'conflict',
        `the partner now answers buy ${refused.buy}, sell ${refused.sell}: compare again`,
      )
    const accepted = { currency, buy: refused.buy, sell: refused.sell, at: refused.at, anchor }
    const after = { currency, accepted, refused: null }
    await storeRates(tx, partner, [after])
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'rate.accepted',
      target: `${partner.name}/${currency}`,
      before: stored.accepted && { buy: stored.accepted.buy, sell: stored.accepted.sell },
      after: { buy, sell, operator, evidence },
    })
    return after
  })
}
