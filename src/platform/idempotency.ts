import { createHmac, randomUUID } from 'node:crypto'
import type { Db, Queryable } from './db.ts'
import { ApiError } from './errors.ts'
import { failpoint } from './failpoints.ts'
import type { Secret } from './secrets.ts'
import { createYield } from './yieldTurns.ts'

export interface StoredAnswer {
  status: number
  body: unknown
  /** What the body is short for: the answer is made again of the rows that it names. Null: the body is the answer. */
  kind: string | null
}

/** The right to carry out one keyed request. */
export interface IdempotencyLease {
  /**
   * Stores the answer, best in the transaction that causes the effect: then a crash leaves both or neither.
   * @throws ApiError 409 when the lease ran out and was taken over; the caller's transaction rolls back
   */
  complete(db: Queryable, answer: Omit<StoredAnswer, 'kind'> & { kind?: string | null }): Promise<void>
  /** Gives the key back after a failure, so that the request can be repeated. */
  release(): Promise<void>
}

/** A request that takes longer than this is taken for crashed, and may be carried out again. */
const leaseSeconds = 60

/**
 * Begins a request under an `Idempotency-Key`. Its answer is kept for `keepDays` days; null: for ever. Key and body are known by keyed hashes only, because either may hold a private key.
 * @returns the lease, or the stored answer of the first request
 * @throws ApiError 422 `idempotency_key_reused` for another request under the same key; 409 `request_in_progress`
 */
export async function beginIdempotent(
  ctx: { db: Db; appKey: Secret },
  request: { businessId: string; key: string; operation: string; body: unknown; keepDays: number | null },
): Promise<IdempotencyLease | StoredAnswer> {
  const { businessId } = request
  const key = storedKey(ctx.appKey, request.key)
  const fingerprint = await fingerprintOf(ctx.appKey, request)
  const lease = randomUUID()
  const inserted = await ctx.db.query(
    `insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until)
     values ($1, $2, $3, $4, now() + $5 * interval '1 second') on conflict do nothing returning key`,
    [businessId, key, fingerprint, lease, leaseSeconds],
  )
  if (inserted.length === 0) {
    const stored = await takeOver(ctx.db, { businessId, key, fingerprint, lease })
    if (stored) return stored
  }
  failpoint('api.idempotency-leased')
  return {
    async complete(db, answer) {
      const done = await db.query(
        `update idempotency_keys set response_status = $4, response_body = $5, answer_kind = $6, expires_at = now() + $7 * interval '1 day'
         where business_id = $1 and key = $2 and lease = $3 returning key`,
        [businessId, key, lease, answer.status, JSON.stringify(answer.body), answer.kind ?? null, request.keepDays],
      )
      if (done.length === 0) throw inProgress()
    },
    async release() {
      await ctx.db.query('delete from idempotency_keys where business_id = $1 and key = $2 and lease = $3 and response_status is null', [
        businessId,
        key,
        lease,
      ])
    },
  }
}

/** How an `Idempotency-Key` is stored. */
export const storedKey = (appKey: Secret, key: string): string => keyed(appKey, `idempotency-key\n${key}`).toString('hex')

const keyed = (appKey: Secret, text: string): Buffer => createHmac('sha256', Buffer.from(appKey.reveal(), 'base64')).update(text).digest()

/** The answer of an earlier request, or null when its lease ran out without one and is now ours. */
async function takeOver(
  db: Db,
  { businessId, key, fingerprint, lease }: { businessId: string; key: string; fingerprint: Buffer; lease: string },
): Promise<StoredAnswer | null> {
  const [row] = await db.query<{ fingerprint: Buffer; status: number | null; body: unknown; kind: string | null }>(
    'select fingerprint, response_status as status, response_body as body, answer_kind as kind from idempotency_keys where business_id = $1 and key = $2',
    [businessId, key],
  )
  // Released in the meantime: whoever held it failed, and this request may be repeated.
  if (!row) throw inProgress()
  if (!row.fingerprint.equals(fingerprint)) {
    throw new ApiError(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request')
  }
  if (row.status !== null) return { status: row.status, body: row.body, kind: row.kind }
  const taken = await db.query(
    `update idempotency_keys set lease = $3, lease_until = now() + $4 * interval '1 second'
     where business_id = $1 and key = $2 and lease_until < now() and response_status is null returning key`,
    [businessId, key, lease, leaseSeconds],
  )
  if (taken.length === 0) throw inProgress()
  return null
}

const inProgress = () =>
  new ApiError(409, 'request_in_progress', 'A request with this Idempotency-Key is still running; repeat it to get its answer', {
    retryAfterSeconds: 1,
  })

/**
 * The keyed hash of an operation and its body as JSON with sorted keys: the same request, however its client orders fields. A long list is hashed
 * element by element, so that other requests run meanwhile.
 */
export async function fingerprintOf(appKey: Secret, { operation, body }: { operation: string; body: unknown }): Promise<Buffer> {
  const rest = createYield()
  const hash = createHmac('sha256', Buffer.from(appKey.reveal(), 'base64')).update(`${operation}\n`)
  if (!isPlain(body)) return hash.update(canonical(body)).digest()
  let mark = '{'
  // Twice, because an object has names that are numbers before the others.
  for (const [name, value] of Object.entries(Object.fromEntries(sorted(body)))) {
    if (value === undefined) continue
    hash.update(`${mark}${JSON.stringify(name)}:`)
    mark = ','
    if (!Array.isArray(value)) hash.update(canonical(value))
    else {
      hash.update('[')
      for (const [index, element] of value.entries()) {
        hash.update(`${index > 0 ? ',' : ''}${canonical(element) || 'null'}`)
        await rest()
      }
      hash.update(']')
    }
  }
  return hash.update(mark === '{' ? '{}' : '}').digest()
}

const isPlain = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)
const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (isPlain(part) ? Object.fromEntries(sorted(part)) : part)) ?? ''
