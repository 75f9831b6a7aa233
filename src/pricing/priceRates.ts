import { currencies } from '../money/currencies.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { shareBriefly } from '../platform/shareBriefly.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { inTime } from '../platform/wait.ts'
import { type FixedRate, fixedAt, fixedSource, isOverAged } from './fixedRates.ts'
import {
  type MidRate,
  orNull,
  type PartnerRates,
  type Rates,
  ratesUnavailable,
  unknownCurrency,
} from './rates.ts'
import { differsBy, lowerOf } from './saferRate.ts'
import { type FeedSource, readFeed, type StoredFeed } from './storedFeed.ts'

/** The rate of a currency now. */
export interface CurrencyRate extends MidRate {
  currency: string
}

/** The rates of prices. */
export interface PriceRates extends Rates {
  /**
   * Every currency that has a rate now, by its code: the one that a price takes. What the partner does not answer
   * in two seconds is left out; the second source is a read of the database, which has its own limit of time.
   */
  all(): Promise<CurrencyRate[]>
}

export interface PriceRatesContext {
  log: Log
  /** Null without a payout partner. */
  partner: PartnerRates | null
  /** The second source, as far as workers request it. */
  feed(): Promise<StoredFeed>
  fixed: readonly FixedRate[]
  fixedMaxAgeDays: number
  maxDifferencePercent: number
  now?: () => number
}

/** The source of the rate of US dollars, where the partner has no other: USDC and USDT count as one. */
export const paritySource = 'parity'

/** A difference is logged as often for a currency. */
const logEveryMs = 60_000
/** The stored rates are read as often; they change every few minutes at most. */
const feedMs = 5000

/** A list of all rates waits no longer for the partner. */
const partnerMs = 2000

/** The rates of the second source that are in the database. */
export function createFeedReader(db: Queryable, source: FeedSource, maxAgeSeconds: number) {
  const read = shareBriefly(feedMs, () => readFeed(db, source, maxAgeSeconds))
  return () => read('')
}

/**
 * The rates of prices that customers pay: the partner's, at which payouts to banks are executed, then those of
 * the second source. The operator's are for currencies that neither has: a rate that was refused or is late is
 * not replaced by one that nobody compares with anything, nor is that of dollars by one for one. Where the first two differ by more than the limit, the lower one is
 * used: the customer is asked for more tokens, and the merchant does not lose.
 */
export function createPriceRates(ctx: PriceRatesContext): PriceRates {
  const { log, partner, fixed, fixedMaxAgeDays, maxDifferencePercent, now = Date.now } = ctx
  const loggedAt = new Map<string, number>()

  function live(currency: string, ofPartner: MidRate | null, ofFeed: MidRate | null): MidRate | null {
    if (!ofPartner || !ofFeed) return ofPartner ?? ofFeed
    if (!differsBy(ofPartner.rate, ofFeed.rate, maxDifferencePercent)) return ofPartner
    if (now() - (loggedAt.get(currency) ?? Number.NEGATIVE_INFINITY) > logEveryMs) {
      loggedAt.set(currency, now())
      log.error(
        { currency, [ofPartner.source]: ofPartner.rate, [ofFeed.source]: ofFeed.rate },
        'two sources of rates differ: see docs/runbooks/rates-differ.md',
      )
    }
    return lowerOf(ofPartner, ofFeed)
  }

  function setByOperator(currency: string): MidRate | null {
    const rate = fixed.find((each) => each.currency === currency)
    if (!rate) return null
    if (isOverAged(rate, fixedMaxAgeDays, now()))
      throw new ApiError(
        503,
        'rate_too_old',
        `The operator's rate of ${currency} is of ${rate.day}, which is too old; give the amount in the token`,
      )
    return { rate: rate.rate, at: fixedAt(rate, now()), source: fixedSource }
  }

  /** Before its first answer the partner may have any currency. */
  function mayHave(currency: string): boolean {
    const offered = partner?.offered()
    return !offered || offered.size === 0 || offered.has(currency)
  }

  async function mid(currency: string): Promise<MidRate> {
    const [asked, feed] = await Promise.all([partner ? outcomeOf(partner.mid(currency)) : null, ctx.feed()])
    return choose(currency, asked, feed)
  }

  /** @param asked what the partner answered. @throws ApiError as `mid` */
  function choose(currency: string, asked: MidRate | ApiError | null, feed: StoredFeed): MidRate {
    const ofPartner = asked instanceof ApiError ? null : asked
    const isLate = asked instanceof ApiError && asked.status !== 400 && mayHave(currency)
    if (currency === 'USD' && !isLate)
      return ofPartner ?? { rate: '1', at: new Date(now()), source: paritySource }
    // Where the partner is late too, nothing says that the rate before a refused one still holds.
    const isDoubtful = isLate && feed.refused.has(currency)
    const rate = live(currency, ofPartner, isDoubtful ? null : (feed.usable.get(currency) ?? null))
    if (rate) return rate
    if (isLate || feed.offered.has(currency)) throw ratesUnavailable(currency)
    const own = setByOperator(currency)
    if (own) return own
    if (feed.isAwaited) throw ratesUnavailable(currency)
    throw unknownCurrency(
      currency,
      new Set(['USD', ...(partner?.offered() ?? []), ...feed.offered, ...fixed.map((each) => each.currency)]),
    )
  }

  async function all(): Promise<CurrencyRate[]> {
    const waitsUntil = Date.now() + partnerMs
    const ofPartner = (currency: string) =>
      partner && inTime(waitsUntil - Date.now(), outcomeOf(partner.mid(currency)), ratesUnavailable(currency))
    // What the partner has is known when it has answered, which every price of a currency waits for.
    const [, feed] = await Promise.all([ofPartner('USD'), ctx.feed()])
    const codes = new Set(['USD', ...(partner?.offered() ?? []), ...feed.usable.keys()])
    for (const { currency } of fixed) codes.add(currency)
    const known = [...codes].filter((code) => currencies.has(code)).sort()
    const rates = await Promise.all(
      known.map(async (currency) => {
        const rate = rateOrNull(currency, await ofPartner(currency), feed)
        return rate ? [{ currency, ...rate }] : []
      }),
    )
    return rates.flat()
  }

  function rateOrNull(currency: string, asked: MidRate | ApiError | null, feed: StoredFeed): MidRate | null {
    try {
      return choose(currency, asked, feed)
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }

  return { mid, midOrNull: orNull(mid), all }
}

const outcomeOf = (rate: Promise<MidRate>): Promise<MidRate | ApiError> =>
  rate.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
