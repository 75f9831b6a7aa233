import { formatUnits, parseDecimal, rescale } from '../money/amount.ts'
import { currencyHint } from '../money/currencyHint.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'

/** Units of one currency for one US dollar. */
export interface Rate {
  currency: string
  /** Decimal strings: what the partner pays for a dollar, and what it charges for one. */
  buy: string
  sell: string
  /** When the partner observed it. */
  at: Date
}

/** A bank or another payout network of the partner. */
export interface Bank {
  id: string
  name: string
  code: string
  countryCode: string
  currencies: string[]
}

/** A partner's banks as it answered them once. */
export interface KnownBanks {
  banks: Bank[]
  /** When it was requested. */
  asOf: Date
}

/** A source of rates that are requested; `partners/` has the clients. */
export interface RateFeed {
  /** Callers see it as the source of a rate. */
  name: string
  url: string
  rates(): Promise<Rate[]>
}

/** The rates and banks of a payout partner. */
export interface RatePartner extends RateFeed {
  banks(): Promise<Bank[]>
}

/**
 * Decides on a partner's answer.
 * @returns the rates that may be used: of each offered currency the last accepted one, if there is any
 */
export type RateBreaker = (offered: readonly Rate[]) => Promise<Rate[]>

/** Units of a currency for one token (USDC and USDT count as one dollar). */
export interface MidRate {
  /** Halfway between buy and sell. */
  rate: string
  /** When its source observed it; never in the future. */
  at: Date
  /** The name of its source. */
  source: string
}

export interface Rates {
  /**
   * @throws ApiError 400 naming `localCurrency` if no source has a rate for it; 503 `rates_unavailable` if a
   * source does not answer, or its rate is refused, and the known rate is too old; 503 `rate_too_old` if the
   * operator's rate is
   */
  mid(currency: string): Promise<MidRate>
  /** The same, or null for an ApiError. */
  midOrNull(currency: string): Promise<MidRate | null>
}

/** The partner's rates alone, at which it pays and collects. */
export interface PartnerRates extends Rates {
  /** The currencies of its last answer; none before the first. */
  offered(): ReadonlySet<string>
}

/** The partner's answer is reused for this long. */
const freshMs = 15_000

/**
 * The partner's rates, requested at most every 15 s by this process; a rate older than `maxAgeSeconds` is
 * never used, and only rates that the breaker accepts are.
 */
export function createRates(ctx: {
  partner: Pick<RatePartner, 'name' | 'rates'>
  breaker: RateBreaker
  log: Log
  maxAgeSeconds: number
  now?: () => number
}): PartnerRates {
  const now = ctx.now ?? Date.now
  let known: Rate[] = []
  /** The currencies of the last answer. */
  let offered = new Set<string>()
  let answeredAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> = Promise.resolve()

  /** Requests rates, unless that happened a moment ago; never fails. */
  function refresh(): Promise<void> {
    if (now() - askedAt <= freshMs) return asking
    askedAt = now()
    asking = take().catch((cause) => ctx.log.warn({ err: cause }, 'could not read rates from the partner'))
    return asking
  }

  async function take(): Promise<void> {
    const rates = await ctx.partner.rates()
    if (rates.length === 0) return ctx.log.warn('the partner answered no rates at all')
    const latest = now()
    // A date in the future would keep a rate in use for longer than its age allows.
    known = await ctx.breaker(
      rates.map((rate) => ({ ...rate, at: new Date(Math.min(rate.at.getTime(), latest)) })),
    )
    offered = new Set(rates.map(({ currency }) => currency))
    answeredAt = latest
  }

  const usable = (currency: string) =>
    known.find((rate) => rate.currency === currency && now() - rate.at.getTime() <= ctx.maxAgeSeconds * 1000)

  async function mid(currency: string): Promise<MidRate> {
    const refreshed = refresh()
    // A usable rate is used at once: a partner that hangs must not delay every price.
    if (!usable(currency)) await refreshed
    const rate = usable(currency)
    if (rate) return { rate: middle(rate.buy, rate.sell), at: rate.at, source: ctx.partner.name }
    if (now() - answeredAt <= freshMs && !offered.has(currency)) throw unknownCurrency(currency, offered)
    throw ratesUnavailable(currency)
  }

  return { mid, midOrNull: orNull(mid), offered: () => offered }
}

/** `midOrNull` of a `mid`. */
export const orNull = (mid: Rates['mid']) => (currency: string) =>
  mid(currency).catch((error) => (error instanceof ApiError ? null : Promise.reject(error)))

/** No source has a rate for the currency. */
export function unknownCurrency(currency: string, among: Iterable<string>): ApiError {
  const known = [...among].sort()
  return invalidBody({
    field: 'localCurrency',
    message: `no rate for ${currency}${currencyHint(currency, known)}; there are rates for ${known.join(', ')}`,
    code: 'unknown_currency',
  })
}

export const ratesUnavailable = (currency: string): ApiError =>
  new ApiError(
    503,
    'rates_unavailable',
    `No current rate for ${currency}; give the amount in the token, or try again soon`,
    { retryAfterSeconds: 10 },
  )

/** Exactly halfway between two decimals. */
export function middle(a: string, b: string): string {
  const [one, other] = [parseDecimal(a), parseDecimal(b)]
  if (!one || !other) throw new Error(`not a rate: ${a}, ${b}`)
  const scale = Math.max(one.scale, other.scale)
  // One more decimal place holds the half: (a + b) × 5 / 10.
  return formatUnits((rescale(one, scale, 'down') + rescale(other, scale, 'down')) * 5n, scale + 1)
}
