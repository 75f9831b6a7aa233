import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { holdCredit } from '../ledger/creditHold.ts'
import { isCountry, notCountry } from '../platform/countries.ts'
import type { Tx } from '../platform/db.ts'
import { ApiError, type FieldError, invalidBody } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { sameJson } from '../platform/sameJson.ts'
import type { VerificationContext } from './context.ts'
import { type StoredVerification, verificationColumns } from './model.ts'
import { newDataKey, type Person, readPerson, storePerson } from './personData.ts'

export interface WantedVerification extends Person {
  requestId: string
  country: string
  idType: string
}

/**
 * Stores an identity check and holds its price, or returns the one that was requested before under the same `requestId`.
 * @throws ApiError 402 `insufficient_credit`; 403 `Forbidden` for another organisation's `requestId`; 422 `idempotency_key_reused` for one of another
 *   request; 500 `pricing_not_configured`. Nothing is stored then.
 */
export async function createVerification(
  ctx: VerificationContext,
  { actor, businessId }: { actor: Actor; businessId: string },
  wanted: WantedVerification,
): Promise<StoredVerification> {
  const { requestId, country, idType, ...person } = wanted
  requirePossible(wanted)
  if (ctx.verifier === null) throw new ApiError(503, 'unavailable', 'This deployment has no verifier', { retryAfterSeconds: 60 })
  const created = await ctx.db.tx(async (tx) => {
    const known = await readKnown(ctx, tx, businessId, wanted)
    if (known) return known
    const price = await requirePrice(tx, country, idType)
    const id = newId()
    const { dataKey, sealed } = newDataKey(ctx.verifyKey, id)
    const [stored] = await tx.query<StoredVerification>(
      `insert into verifications (id, business_id, request_id, country, id_type, price, data_key) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (request_id) do nothing returning ${verificationColumns}`,
      [id, businessId, requestId, country, idType, price.toString(), sealed],
    )
    // The same request at the same time was faster: it has committed.
    if (!stored) return (await readKnown(ctx, tx, businessId, wanted)) ?? raced()
    storePerson(tx, id, dataKey, person)
    if (!(await holdCredit(tx, { businessId, cause: { kind: 'verification', id } }, price))) throw withoutCredit()
    await recordAudit(tx, actor, { businessId, action: 'verification.requested', target: id, after: { country, idType } })
    return stored
  })
  failpoint('verification.requested')
  return created
}

/** What was requested before under this `requestId`. @throws ApiError 403, 422 */
async function readKnown(
  ctx: VerificationContext,
  tx: Tx,
  businessId: string,
  { requestId, country, idType, ...person }: WantedVerification,
): Promise<StoredVerification | null> {
  const [known] = await tx.query<StoredVerification>(`select ${verificationColumns} from verifications where request_id = $1`, [requestId])
  if (!known) return null
  if (known.businessId !== businessId) throw new ApiError(403, 'Forbidden', 'requestId: another organisation has used it')
  // Once erased, the data cannot be compared.
  const before = known.dataKey && (await readPerson(tx, ctx.verifyKey, known.id, known.dataKey))
  if (known.country === country && known.idType === idType && (before === null || sameJson(before, person))) return known
  throw new ApiError(422, 'idempotency_key_reused', 'requestId: it was used for another verification')
}

async function requirePrice(tx: Tx, country: string, idType: string): Promise<bigint> {
  const [row] = await tx.query<{ price: string }>('select price from verification_prices where country = $1 and id_type = $2', [country, idType])
  if (!row) throw new ApiError(500, 'pricing_not_configured', `There is no price for ${idType} in ${country}`)
  return BigInt(row.price)
}

/** @throws ApiError 400 naming each wrong field */
function requirePossible({ country, dob }: WantedVerification): void {
  const mistakes: FieldError[] = []
  if (!isCountry(country)) mistakes.push({ field: 'country', message: notCountry })
  if (dob !== undefined && !isDay(dob)) mistakes.push({ field: 'dob', message: 'is not a day of the calendar' })
  else if (dob !== undefined && dob > new Date().toISOString().slice(0, 10)) mistakes.push({ field: 'dob', message: 'must not be in the future' })
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}

/** The contract has checked the form alone. */
function isDay(text: string): boolean {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const withoutCredit = () =>
  new ApiError(402, 'insufficient_credit', 'Your credit does not cover the price of this verification', { credit: { pending: false } })

/** A row that is not readable after its conflict has gone: verifications are never deleted. */
function raced(): never {
  throw new Error('a verification with this requestId was there, and is no longer')
}
