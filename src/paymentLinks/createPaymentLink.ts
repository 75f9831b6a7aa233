import { mistakeOfUnits } from '../businesses/amountLimits.ts'
import { accepts, type PricingBusiness, readPricingBusiness } from '../businesses/business.ts'
import type { ConfiguredChain, Token } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import { parseUnits, rescale } from '../money/amount.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, fieldMistakes, invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { currencyDecimals } from '../pricing/price.ts'
import { priceOf } from '../pricing/priceRequest.ts'
import type { Rates } from '../pricing/rates.ts'
import { newLinkToken } from './linkToken.ts'
import { mistakesOfBounds } from './namedAmount.ts'
import { type AcceptedChoice, type PaymentLinkView, presentLink } from './paymentLink.ts'

export interface CreateLinkContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  rates: Rates
  issuer: string
}

export interface WantedLink {
  amount?: string
  localAmount?: string
  localCurrency?: string
  openAmount?: { localCurrency?: string; min?: string; max?: string }
  accept?: AcceptedChoice[]
  label?: string
  reference?: string
  expiresAt?: string
  expirySeconds?: number
  maxSessions?: number
}

const yearMs = 365 * 24 * 3600 * 1000
/** So that a year by the caller's clock is within it. */
const graceMs = 24 * 3600 * 1000
/** Of sessions of a link, whose customer may have to move money first. */
const defaultExpirySeconds = 1800

type Amounts = Record<'amount' | 'localAmount' | 'localCurrency' | 'minAmount' | 'maxAmount', string | null>

/**
 * Stores a payment link.
 * @param also runs in that transaction (it stores the idempotent answer)
 * @throws ApiError 400 naming the field; 503 `rates_unavailable`
 */
export async function createPaymentLink(
  ctx: CreateLinkContext,
  businessId: string,
  wanted: WantedLink,
  also: (tx: ModelTx, view: PaymentLinkView) => Promise<void>,
): Promise<PaymentLinkView> {
  const createdAt = new Date()
  const expiresAt = expiryOf(wanted.expiresAt, createdAt)
  const business = await readPricingBusiness(ctx.db, businessId)
  const accept = wanted.accept ?? null
  const choices = accept === null ? acceptedBy(ctx, business) : requireAccepted(ctx, business, accept)
  const amounts = await amountsOf(ctx, business, choices, wanted)
  const link = {
    id: newId(),
    businessId,
    token: newLinkToken(),
    ...amounts,
    accept,
    label: wanted.label ?? null,
    reference: wanted.reference ?? null,
    sessionSeconds: wanted.expirySeconds ?? defaultExpirySeconds,
    maxSessions: wanted.maxSessions ?? null,
    createdAt,
    expiresAt,
  }
  const view = presentLink(ctx, { ...link, disabledAt: null, status: 'active', sessions: 0, paidSessions: 0 })
  return ctx.db.tx(async (tx) => {
    await tx.query(
      `insert into payment_links (id, business_id, token, amount, local_amount, local_currency, min_amount, max_amount,
         accept, label, reference, session_seconds, max_sessions, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $13, $14, $15)`,
      [
        link.id,
        link.businessId,
        link.token,
        link.amount,
        link.localAmount,
        link.localCurrency,
        link.minAmount,
        link.maxAmount,
        accept && JSON.stringify(accept),
        link.label,
        link.reference,
        link.sessionSeconds,
        link.maxSessions,
        createdAt,
        expiresAt,
      ],
    )
    await also(tx, view)
    return view
  })
}

/** @throws ApiError 400 naming `expiresAt` */
function expiryOf(wanted: string | undefined, now: Date): Date {
  if (wanted === undefined) return new Date(now.getTime() + yearMs)
  const expiresAt = new Date(wanted)
  const ahead = expiresAt.getTime() - now.getTime()
  if (!(ahead > 0))
    throw invalidBody({ field: 'expiresAt', message: 'must be in the future', code: 'not_in_future' })
  if (ahead > yearMs + graceMs)
    throw invalidBody({ field: 'expiresAt', message: 'must be within a year from now', code: 'too_large' })
  return expiresAt
}

interface Choice {
  chain: ConfiguredChain
  token: Token
}

/** @throws ApiError 400 naming `accept` */
function acceptedBy(ctx: Pick<CreateLinkContext, 'chains'>, business: PricingBusiness): Choice[] {
  const choices = ctx.chains.flatMap((chain) =>
    chain.tokens.flatMap((token) => (accepts(business, chain.name, token.symbol) ? [{ chain, token }] : [])),
  )
  if (choices.length === 0)
    throw invalidBody({
      field: 'accept',
      message: 'this business accepts no token',
      code: 'unavailable_token',
    })
  return choices
}

/** @throws ApiError 400 naming an entry of `accept` */
function requireAccepted(
  ctx: Pick<CreateLinkContext, 'chains'>,
  business: PricingBusiness,
  wanted: readonly AcceptedChoice[],
): Choice[] {
  const seen = new Set<string>()
  return wanted.map((each, at) => {
    const field = `accept.${at}`
    const chain = requireChain(ctx, each.chain, { field: `${field}.chain` })
    const token = requireToken(chain, each.token, `${field}.token`)
    const name = `${token.symbol} on ${chain.name}`
    if (seen.has(name)) throw invalidBody({ field, message: `${name} is listed twice`, code: 'duplicate' })
    seen.add(name)
    if (!accepts(business, chain.name, token.symbol))
      throw invalidBody({
        field: `${field}.token`,
        message: `${name} is switched off for this business`,
        code: 'unavailable_token',
      })
    return { chain, token }
  })
}

const ways = ['amount', 'localAmount', 'openAmount'] as const

/** The amounts as they are stored. @throws ApiError 400 naming the field; 503 `rates_unavailable` */
async function amountsOf(
  ctx: Pick<CreateLinkContext, 'rates'>,
  business: PricingBusiness,
  choices: readonly Choice[],
  wanted: WantedLink,
): Promise<Amounts> {
  const given = ways.filter((way) => wanted[way] !== undefined)
  if (given.length !== 1)
    throw invalidBody(
      ...(given.length === 0 ? ways : given).map((field) => ({
        field,
        message: 'give one of amount, localAmount and openAmount',
        code: given.length === 0 ? ('required' as const) : ('not_both' as const),
      })),
    )
  const { amount, localAmount, localCurrency, openAmount } = wanted
  if (localCurrency !== undefined && localAmount === undefined)
    throw invalidBody({
      field: 'localCurrency',
      message: 'goes with localAmount alone',
      code: 'not_possible',
    })
  const none = { amount: null, localAmount: null, localCurrency: null, minAmount: null, maxAmount: null }
  const [first] = choices
  if (!first) throw new Error('a link without a choice')
  if (amount !== undefined) {
    requireAmount(amount, fewestDecimals(choices), 'amount')
    requireOneWithin(business, choices, 'amount', ({ token }) => parseUnits(amount, token.decimals) ?? 0n)
    return { ...none, amount }
  }
  if (localAmount !== undefined) {
    // Its checks are those of a session with this amount.
    const of = { chain: first.chain.name, token: first.token.symbol, localAmount }
    const request = { ...of, ...(localCurrency && { localCurrency }) }
    const price = await priceOf(ctx, { business, ...first }, request)
    requireOneWithin(business, choices, 'localAmount', ({ token }) =>
      rescale({ value: price.amount, scale: first.token.decimals }, token.decimals, 'up'),
    )
    return { ...none, localAmount, localCurrency: price.localCurrency }
  }
  const currency = openAmount?.localCurrency ?? null
  if (currency !== null) await requireRate(ctx, currency)
  const [min, max] = [openAmount?.min ?? null, openAmount?.max ?? null]
  const mistakes = mistakesOfBounds({ decimals: decimalsIn(currency, choices), min, max })
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  return { ...none, localCurrency: currency, minAmount: min, maxAmount: max }
}

/**
 * A link that no choice of its customer could pay is refused. A stablecoin has the same price on all chains, so
 * that the amount is that of the first choice.
 * @throws ApiError 400 naming `field`
 */
function requireOneWithin(
  business: PricingBusiness,
  choices: readonly Choice[],
  field: string,
  unitsOf: (choice: Choice) => bigint,
): void {
  const mistakes = choices.map((choice) =>
    mistakeOfUnits(business.amountLimits, choice.chain, choice.token, unitsOf(choice)),
  )
  const [mistake] = mistakes
  if (mistake && mistakes.every((each) => each !== null)) throw invalidBody({ field, ...mistake })
}

/** @throws ApiError 400 naming `openAmount.localCurrency`, or as `Rates` does */
async function requireRate({ rates }: Pick<CreateLinkContext, 'rates'>, currency: string): Promise<void> {
  try {
    await rates.mid(currency)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.fields) throw error
    throw invalidBody(...fieldMistakes(error).map((each) => ({ ...each, field: 'openAmount.localCurrency' })))
  }
}

/** How many decimals an amount may have: those of its currency, or what each of the tokens has. */
export const decimalsIn = (
  currency: string | null,
  choices: readonly { token: Pick<Token, 'decimals'> }[],
): number => (currency === null ? fewestDecimals(choices) : currencyDecimals(currency))

const fewestDecimals = (choices: readonly { token: Pick<Token, 'decimals'> }[]): number =>
  Math.min(18, ...choices.map(({ token }) => token.decimals))
