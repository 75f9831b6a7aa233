import { type Actor, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { holdCredit, lockCredit } from '../ledger/creditHold.ts'
import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { sameJson } from '../platform/sameJson.ts'
import { currentTraceparent } from '../platform/telemetry/tracing.ts'
import type { VerificationContext } from './context.ts'
import { type RequestKind, requestColumns, type StoredRequest } from './model.ts'
import { newDataKey, type Person, readPerson, sealPerson } from './personData.ts'

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
  /**
   * Stores it as `pending_credit` without enough credit, in place of a refusal; up to `maxPending` of a
   * business.
   */
  waitsForCredit: boolean
  /**
   * Stores what belongs to the new row, in the same transaction, if the row was made. Sends all statements in
   * the turn of the call.
   * @returns null, or why the request must not be stored
   */
  stored?(tx: Tx, id: string): Promise<ApiError | null>
  /** Counts a repetition, before it is compared with what is stored. @throws ApiError 429 */
  countRepetition?: ((id: string) => Promise<void>) | undefined
}

/**
 * Stores a request and holds its price, or returns the one that was made before under the same `requestId`.
 * @throws ApiError 402 `insufficient_credit`; 403 `Forbidden` for another organisation's `requestId`; 422
 * `idempotency_key_reused` for one of another
 *   request; 500 `pricing_not_configured`; 503 without a verifier. Nothing is stored then.
 */
export async function storeRequest(
  ctx: VerificationContext,
  { actor, businessId }: { actor: Actor; businessId: string },
  wanted: WantedRequest,
): Promise<{ row: StoredRequest; isNew: boolean }> {
  if (ctx.verifier === null)
    throw new ApiError(503, 'unavailable', 'This deployment has no verifier', { retryAfterSeconds: 60 })
  const made = await ctx.db.tx((tx) => storeNew(ctx, tx, actor, businessId, wanted))
  const known = made ?? (await readKnown(ctx, businessId, wanted))
  if (!known) throw withoutPrice(wanted)
  failpoint('verification.requested')
  return { row: known, isNew: made !== null }
}

/**
 * Two round trips: all that decides, and all that follows with the commit. The credit is locked last, because
 * other requests of the business wait for it.
 * @returns null if the `requestId` was used before, or there is no price: nothing is stored
 */
async function storeNew(
  ctx: VerificationContext,
  tx: Tx,
  actor: Actor,
  businessId: string,
  wanted: WantedRequest,
): Promise<StoredRequest | null> {
  const { kind, requestId, country, idType, person } = wanted
  const id = newId()
  const { dataKey, sealed } = newDataKey(ctx.verifyKey, id)
  const fields = sealPerson(id, dataKey, person)
  const [, [row], refusal, locked] = await Promise.all([
    // The audit entry would confirm it later, with a round trip of its own.
    confirmActor(tx, actor),
    tx.query<StoredRequest>(insertRequest, [
      ...[id, kind, businessId, requestId, country, idType, sealed, wanted.queuedAfterSeconds],
      ...[fields.map(({ name }) => name), fields.map((field) => field.sealed), currentTraceparent()],
    ]),
    wanted.stored?.(tx, id),
    lockCredit(tx, businessId),
  ])
  if (!row) return null
  if (refusal) throw refusal
  const isHeld = holdCredit(
    tx,
    { businessId, cause: { kind: 'verification', id } },
    BigInt(row.price),
    locked,
  )
  if (!isHeld && !wanted.waitsForCredit) throw withoutCredit()
  if (!isHeld && !(await waitForCredit(tx, businessId, id))) throw withoutCredit()
  const after = { ...(country !== null && { country, idType }), ...(kind !== 'verification' && { kind }) }
  await recordAudit(tx, actor, { businessId, action: 'verification.requested', target: id, after })
  return isHeld ? row : { ...row, status: 'pending_credit' as const }
}

// The same request at the same time waits here for the faster one. Two halves for the price, because no index
// serves "is not distinct from".
const insertRequest = prepared(
  `with price as (
     select price from verification_prices where product = $2::text and country = $5::text and id_type = $6::text
     union all
     select price from verification_prices where product = $2::text and country is null and id_type is null and $5::text is null and $6::text is null
   ), made as (
     insert into verifications (id, kind, business_id, request_id, country, id_type, price, data_key, next_attempt_at, traceparent)
     select $1::uuid, $2, $3::uuid, $4::text, $5, $6, price, $7::bytea, now() + $8::integer * interval '1 second', $11::text from price
     on conflict (request_id) do nothing returning ${requestColumns}
   ), fields as (
     insert into verification_fields (verification_id, name, sealed)
     select made.id, f.name, f.sealed from made cross join unnest($9::text[], $10::bytea[]) as f(name, sealed)
   )
   select * from made`,
)

/**
 * The row costs nothing yet, and its `requestId` is taken for ever, also after an erasure: a business has a
 * limited number of them. Their count is exact, because the business's credit is locked.
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

/**
 * What was requested before under this `requestId`, outside the transaction: it holds no lock that others
 * wait for. @throws ApiError 403, 422
 */
async function readKnown(
  { db, verifyKey }: VerificationContext,
  businessId: string,
  { kind, requestId, country, idType, person, countRepetition }: WantedRequest,
): Promise<StoredRequest | null> {
  const [known] = await db.query<StoredRequest>(
    `select ${requestColumns} from verifications where request_id = $1`,
    [requestId],
  )
  if (!known) return null
  if (known.businessId !== businessId)
    throw new ApiError(403, 'Forbidden', 'requestId: another organisation has used it')
  await countRepetition?.(known.id)
  const isSame = known.kind === kind && known.country === country && known.idType === idType
  // Once erased, the data cannot be compared.
  const before = isSame && known.dataKey ? await readPerson(db, verifyKey, known.id, known.dataKey) : null
  if (isSame && (before === null || sameJson(before, person))) return known
  throw new ApiError(422, 'idempotency_key_reused', 'requestId: it was used for another request')
}

const withoutPrice = ({ kind, country, idType }: WantedRequest) =>
  new ApiError(
    500,
    'pricing_not_configured',
    `There is no price for ${country === null ? `a ${kind}` : `${idType} in ${country}`}`,
  )

const withoutCredit = () =>
  new ApiError(402, 'insufficient_credit', 'Your credit does not cover the price', {
    credit: { pending: false },
  })
