import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { holdCredit } from '../ledger/creditHold.ts'
import type { Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { sameJson } from '../platform/sameJson.ts'
import type { VerificationContext } from './context.ts'
import { type RequestKind, requestColumns, type StoredRequest } from './model.ts'
import { newDataKey, type Person, readPerson, storePerson } from './personData.ts'

/** Requests of one business that wait for credit. */
export const maxPending = 1000

export interface WantedRequest {
  kind: RequestKind
  requestId: string
  /** Of verifications alone, as `idType`. */
  country: string | null
  idType: string | null
  person: Person
  /** Its first attempt is not made by the queue before; 0: at once. */
  queuedAfterSeconds: number
  /** Stores it as `pending_credit` without enough credit, in place of a refusal; up to `maxPending` of a business. */
  waitsForCredit: boolean
  /** Stores what belongs to the new row, in the same transaction. */
  stored?(tx: Tx, id: string): Promise<void>
  /** Counts a repetition, before it is compared with what is stored. @throws ApiError 429 */
  countRepetition?: ((id: string) => Promise<void>) | undefined
}

/**
 * Stores a request and holds its price, or returns the one that was made before under the same `requestId`.
 * @throws ApiError 402 `insufficient_credit`; 403 `Forbidden` for another organisation's `requestId`; 422 `idempotency_key_reused` for one of another
 *   request; 500 `pricing_not_configured`; 503 without a verifier. Nothing is stored then.
 */
export async function storeRequest(
  ctx: VerificationContext,
  { actor, businessId }: { actor: Actor; businessId: string },
  wanted: WantedRequest,
): Promise<{ row: StoredRequest; isNew: boolean }> {
  const { kind, requestId, country, idType, person } = wanted
  if (ctx.verifier === null) throw new ApiError(503, 'unavailable', 'This deployment has no verifier', { retryAfterSeconds: 60 })
  const made = await ctx.db.tx(async (tx) => {
    const known = await readKnown(ctx, tx, businessId, wanted)
    if (known) return { row: known, isNew: false }
    const price = await requirePrice(tx, wanted)
    const id = newId()
    const { dataKey, sealed } = newDataKey(ctx.verifyKey, id)
    const [row] = await tx.query<StoredRequest>(
      `insert into verifications (id, kind, business_id, request_id, country, id_type, price, data_key, next_attempt_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second')
       on conflict (request_id) do nothing returning ${requestColumns}`,
      [id, kind, businessId, requestId, country, idType, price.toString(), sealed, wanted.queuedAfterSeconds],
    )
    // The same request at the same time was faster: it has committed.
    if (!row) return { row: (await readKnown(ctx, tx, businessId, wanted)) ?? raced(), isNew: false }
    storePerson(tx, id, dataKey, person)
    await wanted.stored?.(tx, id)
    const isHeld = await holdCredit(tx, { businessId, cause: { kind: 'verification', id } }, price)
    if (!isHeld && !wanted.waitsForCredit) throw withoutCredit()
    if (!isHeld && !(await waitForCredit(tx, businessId, id))) throw withoutCredit()
    const after = { ...(country !== null && { country, idType }), ...(kind !== 'verification' && { kind }) }
    await recordAudit(tx, actor, { businessId, action: 'verification.requested', target: id, after })
    return { row: isHeld ? row : { ...row, status: 'pending_credit' as const }, isNew: true }
  })
  failpoint('verification.requested')
  return made
}

/**
 * The row costs nothing yet, and its `requestId` is taken for ever, also after an erasure: a business has a limited number of them. Their count is exact, because `holdCredit`
 * has locked the business's credit.
 * @returns false beyond the limit
 */
async function waitForCredit(tx: Tx, businessId: string, id: string): Promise<boolean> {
  const waiting = await tx.query(
    `update verifications set status = 'pending_credit', next_attempt_at = null
     where id = $1 and (
       select count(*) from (
         select from verifications where business_id = $2 and status = 'pending_credit'
         union all
         (select from verifications where business_id = $2 and reason_code = 'data_erased' and erased_at > now() - interval '1 day' limit $3::integer)
         limit $3::integer) w
     ) < $3::integer returning id`,
    [id, businessId, maxPending],
  )
  return waiting.length > 0
}

/** What was requested before under this `requestId`. @throws ApiError 403, 422 */
async function readKnown(
  ctx: VerificationContext,
  tx: Tx,
  businessId: string,
  { kind, requestId, country, idType, person, countRepetition }: WantedRequest,
): Promise<StoredRequest | null> {
  const [known] = await tx.query<StoredRequest>(`select ${requestColumns} from verifications where request_id = $1`, [requestId])
  if (!known) return null
  if (known.businessId !== businessId) throw new ApiError(403, 'Forbidden', 'requestId: another organisation has used it')
  await countRepetition?.(known.id)
  const isSame = known.kind === kind && known.country === country && known.idType === idType
  // Once erased, the data cannot be compared.
  const before = isSame && known.dataKey ? await readPerson(tx, ctx.verifyKey, known.id, known.dataKey) : null
  if (isSame && (before === null || sameJson(before, person))) return known
  throw new ApiError(422, 'idempotency_key_reused', 'requestId: it was used for another request')
}

async function requirePrice(tx: Tx, { kind, country, idType }: WantedRequest): Promise<bigint> {
  const [row] = await tx.query<{ price: string }>(
    'select price from verification_prices where product = $1 and country is not distinct from $2 and id_type is not distinct from $3',
    [kind, country, idType],
  )
  if (row) return BigInt(row.price)
  throw new ApiError(500, 'pricing_not_configured', `There is no price for ${country === null ? `a ${kind}` : `${idType} in ${country}`}`)
}

const withoutCredit = () => new ApiError(402, 'insufficient_credit', 'Your credit does not cover the price', { credit: { pending: false } })

/** A row that is not readable after its conflict has gone: requests are never deleted. */
function raced(): never {
  throw new Error('a request with this requestId was there, and is no longer')
}
