import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { anchorAfter, type RateLimits, refusalOf } from './decideRate.ts'
import { middle, type Rate, type RateBreaker } from './rates.ts'
import { lockRates, type RateSource, readStoredRates, type StoredRate, storeRates } from './storedRates.ts'

/** What the last decision on a currency leaves after this offer. */
export function decideRate(
  stored: StoredRate | undefined,
  offered: Rate,
  now: Date,
  limits: RateLimits,
): StoredRate {
  const { currency, buy, sell, at } = offered
  const accepted = stored?.accepted ?? null
  const reason = refusalOf(accepted?.anchor ?? null, offered, now, limits)
  if (reason)
    return { currency, accepted, refused: { buy, sell, at, reason, since: stored?.refused?.since ?? now } }
  return {
    currency,
    accepted: { currency, buy, sell, at, anchor: anchorAfter(accepted?.anchor ?? null, offered, now) },
    refused: null,
  }
}

/** Limits the rates of one source for all processes: Postgres keeps the last accepted rate of each currency. */
export function createRateBreaker(ctx: {
  db: Db
  log: Log
  partner: RateSource
  limits: RateLimits
}): RateBreaker {
  const { db, log, partner, limits } = ctx
  return async function decide(offered) {
    const decided = await db.tx(async (tx) => {
      await lockRates(tx, partner)
      const known = new Map((await readStoredRates(tx, partner)).map((each) => [each.currency, each]))
      const [clock] = await tx.query<{ now: Date }>('select clock_timestamp() as now')
      const now = clock?.now ?? new Date()
      // A currency that is listed twice is decided twice; the last one counts.
      for (const rate of offered)
        known.set(rate.currency, decideRate(known.get(rate.currency), rate, now, limits))
      const currencies = new Set(offered.map(({ currency }) => currency))
      const rates = [...known.values()].filter(({ currency }) => currencies.has(currency))
      await storeRates(tx, partner, rates)
      return rates
    })
    for (const rate of decided)
      if (rate.refused) log.error(factsOf(rate, partner), 'a rate is refused: npm run cowry -- rates')
    return decided.flatMap(({ accepted }) => accepted ?? [])
  }
}

function factsOf({ currency, accepted, refused }: StoredRate, { name }: RateSource) {
  return {
    source: name,
    currency,
    reason: refused?.reason,
    refused: refused && middle(refused.buy, refused.sell),
    accepted: accepted && middle(accepted.buy, accepted.sell),
    acceptedAt: accepted?.at,
  }
}
