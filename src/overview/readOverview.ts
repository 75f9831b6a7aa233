import type { Caller } from '../accounts/caller.ts'
import { getBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { dayRanges } from '../platform/dayRanges.ts'
import type { CoinPrices } from '../pricing/coinPrices.ts'
import type { Rates } from '../pricing/rates.ts'
import { balanceTotals } from './balanceTotals.ts'
import { readDays } from './businessDays.ts'
import { confirmTime } from './confirmTime.ts'
import { readNeeds } from './readNeeds.ts'
import { presentTaken } from './takenView.ts'
import { valuationIn } from './valuation.ts'

export interface OverviewContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  /** Null: nothing is worth anything in another currency than US dollars. */
  rates: Rates | null
  coinUsd: CoinPrices
}

interface Wanted {
  businessId: string
  /** IANA name of another zone whose days are wanted; null: the business's. */
  timeZone: string | null
  reader: Pick<NonNullable<Caller['account']>, 'id' | 'operator'>
}

const daysShown = 30

/**
 * What a business took, what it has, and what needs a person.
 * @throws ApiError 400 naming `timeZone`
 */
export async function readOverview(ctx: OverviewContext, { businessId, reader, ...wanted }: Wanted) {
  const now = new Date()
  const business = await getBusiness(ctx, businessId)
  const currency = business.localCurrency ?? 'USD'
  const timeZone = wanted.timeZone ?? business.timeZone
  const days = dayRanges(timeZone, daysShown, now)
  const valuation = await valuationIn(ctx, currency)
  const [shown, confirmSeconds, balances, needs, latestEvent] = await Promise.all([
    readDays(ctx.db, { businessId, currency, days }),
    confirmTime(ctx.db, businessId),
    balanceTotals(ctx, businessId, valuation),
    readNeeds(ctx, businessId, reader),
    latestEventOf(ctx.db, businessId),
  ])
  return {
    at: now.toISOString(),
    currency,
    timeZone,
    ...presentTaken(shown, valuation),
    confirmSeconds,
    balances,
    needs,
    latestEvent,
  }
}

async function latestEventOf(db: ModelDb, businessId: string): Promise<number> {
  const [row] = await db.query<{ last: string }>('select last from event_sequences where business_id = $1', [
    businessId,
  ])
  return Number(row?.last ?? 0)
}
