import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { dollarDecimals, formatUnits } from '../money/amount.ts'
import { isCountry, notCountry } from '../platform/countries.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { RequestKind } from './model.ts'

interface PriceRow {
  product: RequestKind
  country: string | null
  idType: string | null
  price: string
  updatedAt: Date
}

export interface WantedPrice {
  product: RequestKind
  country?: string
  idType?: string
  /** US dollars; null: it is no longer sold. */
  price: string | null
}

const dollarsOf = (price: string) => formatUnits(BigInt(price), dollarDecimals)

/** The operator's prices, by product, country and type of document. */
export async function listPrices(db: Queryable) {
  const rows = await db.query<PriceRow>(
    'select product, country, id_type as "idType", price, updated_at as "updatedAt" from verification_prices order by product, country, id_type limit 10000',
  )
  return rows.map((row) => ({ ...row, price: dollarsOf(row.price), updatedAt: row.updatedAt.toISOString() }))
}

/** Sets a price for later requests, or removes it. @throws ApiError 400 naming each wrong field */
export async function setPrice(
  ctx: { db: Db },
  actor: Actor,
  { product, price, ...of }: WantedPrice,
): Promise<void> {
  const { country = null, idType = null } = of
  requireProduct(product, country, idType)
  const units = price === null ? null : requireAmount(price, dollarDecimals, 'price')
  await ctx.db.tx(async (tx) => {
    const [before] = await tx.query<{ price: string }>(
      `select price from verification_prices
       where product = $1 and country is not distinct from $2 and id_type is not distinct from $3 for update`,
      [product, country, idType],
    )
    if ((before?.price ?? null) === (units?.toString() ?? null)) return
    if (units === null)
      await tx.query(
        'delete from verification_prices where product = $1 and country is not distinct from $2 and id_type is not distinct from $3',
        [product, country, idType],
      )
    else
      await tx.query(
        `insert into verification_prices (product, country, id_type, price) values ($1, $2, $3, $4)
         on conflict (product, country, id_type) do update set price = excluded.price, updated_at = now()`,
        [product, country, idType, units.toString()],
      )
    await recordAudit(tx, actor, {
      ...{
        businessId: null,
        action: 'verification_price.set',
        target: [product, country, idType].filter((part) => part !== null).join('/'),
      },
      before: { price: before ? dollarsOf(before.price) : null },
      after: { price: units === null ? null : dollarsOf(units.toString()) },
    })
  })
}

/** Verifications have a price for each country and document, other products one alone. */
function requireProduct(product: RequestKind, country: string | null, idType: string | null): void {
  const mistakes: FieldMistake[] = []
  for (const [field, value] of [
    ['country', country],
    ['idType', idType],
  ] as const) {
    if (product === 'verification' && value === null)
      mistakes.push({ field, message: 'is required with verification', code: 'required' })
    if (product !== 'verification' && value !== null)
      mistakes.push({ field, message: 'is only for verification', code: 'not_possible' })
  }
  if (country !== null && !isCountry(country))
    mistakes.push({ field: 'country', message: notCountry, code: 'invalid_country' })
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}
