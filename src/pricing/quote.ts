import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { formatUnits, parseDecimal } from '../money/amount.ts'
import { keysOf } from '../platform/appKey.ts'
import { ApiError } from '../platform/errors.ts'
import { isSame } from '../platform/isSame.ts'
import type { Secret } from '../platform/secrets.ts'
import { bytesOf, subkeyOf } from '../platform/subkeys.ts'
import type { Price } from './price.ts'

/** A price guaranteed until it expires. */
export interface Quote {
  businessId: string
  chain: string
  price: Price
  expiresAt: Date
}

const form = z.object({
  v: z.literal(1),
  business: z.string(),
  chain: z.string(),
  exp: z.number(),
  price: z.object({
    token: z.string(),
    amount: z.string().regex(/^\d+$/),
    localAmount: z.string().nullable(),
    localCurrency: z.string().nullable(),
    rate: z.string().nullable(),
    // Quotes of the version before do not have them.
    rateAt: z.iso.datetime().nullable().default(null),
    rateSource: z.string().nullable().default(null),
    fxMarginPercent: z.string(),
    fee: z.string(),
    feeCurrency: z.string(),
  }),
})

/**
 * Quotes are not stored: the id contains the whole price and the deployment's signature (HMAC-SHA-256), so
 * that it can be presented again but not changed.
 */
export function signQuote(key: Secret, quote: Quote): string {
  const body = Buffer.from(
    JSON.stringify({
      v: 1,
      business: quote.businessId,
      chain: quote.chain,
      exp: quote.expiresAt.getTime(),
      price: {
        ...quote.price,
        amount: quote.price.amount.toString(),
        rateAt: quote.price.rateAt?.toISOString() ?? null,
      },
    } satisfies z.input<typeof form>),
  ).toString('base64url')
  return `${body}.${signature(subkeyOf(key, 'quote'), body)}`
}

/**
 * @throws ApiError 400 naming `quoteId` if it is not from this deployment or belongs to another business; 422
 *   `quote_expired`
 */
export function openQuote(key: Secret, businessId: string, quoteId: string, now: Date): Quote {
  const [body = '', given = '', ...more] = quoteId.split('.')
  // Quotes of a version before the subkeys live for minutes: they are good until then.
  const keys = keysOf(key).flatMap((each) => [subkeyOf(each, 'quote'), bytesOf(each)])
  if (more.length > 0 || !keys.some((each) => isSame(given, signature(each, body)))) throw unknownQuote()
  const parsed = form.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  if (!parsed.success || parsed.data.business !== businessId) throw unknownQuote()
  const { chain, exp, price } = parsed.data
  if (exp <= now.getTime())
    throw new ApiError(422, 'quote_expired', 'The quote has expired; ask for a new one')
  const rateAt = price.rateAt === null ? null : new Date(price.rateAt)
  return {
    businessId,
    chain,
    price: { ...price, amount: BigInt(price.amount), rateAt },
    expiresAt: new Date(exp),
  }
}

/** A quote as callers see it, without its id. @param decimals of its token */
export const presentQuote = ({ chain, price, expiresAt }: Quote, decimals: number) => ({
  chain,
  token: price.token,
  amount: formatUnits(price.amount, decimals),
  localAmount: price.localAmount,
  localCurrency: price.localCurrency,
  rate: price.rate,
  rateAt: price.rateAt?.toISOString() ?? null,
  rateSource: price.rateSource,
  fee: price.fee,
  feeCurrency: price.feeCurrency,
  fxMargin: withoutZeros(price.fxMarginPercent),
  expiresAt: expiresAt.toISOString(),
})

function withoutZeros(text: string): string {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not a decimal: ${text}`)
  return formatUnits(decimal.value, decimal.scale)
}

const signature = (key: Buffer, body: string) =>
  createHmac('sha256', key).update(`cowry/quote/v1:${body}`).digest('base64url')

const unknownQuote = () => {
  const message = 'is not a quote of this business'
  return new ApiError(400, 'Invalid request body', `quoteId: ${message}`, {
    fields: [{ field: 'quoteId', message, code: 'unknown_id' }],
  })
}
