import { createHmac, randomUUID } from 'node:crypto'
import { createYield } from '../createYield.ts'
import { ApiError } from '../errors.ts'
import { failpoint } from '../failpoints.ts'
import type { Secret } from '../secrets.ts'
import type { Db, Queryable } from './db.ts'

export interface StoredAnswer {
  status: number
  body: unknown
  /** The kind of answer to rebuild from the rows that the stored body names. Null: the body is the answer. */
  kind: string | null
}

/** The right to run one keyed request. */
export interface IdempotencyLease {
  /**
   * Stores the answer, best in the transaction of its effect: a crash then leaves both or neither.
   * @throws ApiError 409 if the lease expired and was taken over; the caller's transaction rolls back
   */
  complete(db: Queryable, answer: Omit<StoredAnswer, 'kind'> & { kind?: string | null }): Promise<void>
  /** Releases the key after a failure, so that the request can be repeated. */
  release(): Promise<void>
}

/** A request that takes longer counts as crashed and may run again. */
export const leaseSeconds = 60

/**
 * Starts a request under an `Idempotency-Key`. Its answer is kept for `keepDays` days; null: for ever. Only
 * keyed hashes of key and body are stored, because either may contain a private key.
 * @param ctx.requestKey the key of these hashes; the same as long as there are any, also when APP_KEY is
 * rolled
 * @param request.digest of the body's bytes as they came: two bodies that parse to the same value are two
 * requests
 * @returns the lease, or the stored answer of the first request
 * @throws ApiError 422 `idempotency_key_reused` for another request under the same key; 409
 * `request_in_progress`
 */
export async function startIdempotent(
  ctx: { db: Db; requestKey(): Promise<Secret> },
  request: {
    businessId: string
    key: string
    operation: string
    body: unknown
    digest: Buffer
    keepDays: number | null
  },
): Promise<IdempotencyLease | StoredAnswer> {
  const { businessId } = request
  const hashKey = await ctx.requestKey()
  const key = storedKey(hashKey, request.key)
  const fingerprint = bytesFingerprintOf(hashKey, request)
  const lease = randomUUID()
  const inserted = await ctx.db.query(
    `insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until)
     values ($1, $2, $3, $4, now() + $5 * interval '1 second') on conflict do nothing returning key`,
    [businessId, key, fingerprint, lease, leaseSeconds],
  )
  if (inserted.length === 0) {
    const isSame = async (known: Buffer) =>
      known.equals(fingerprint) || known.equals(await fingerprintOf(hashKey, request))
    const stored = await takeOver(ctx.db, { businessId, key, isSame, lease })
    if (stored) return stored
  }
  failpoint('api.idempotency-leased')
  return {
    async complete(db, answer) {
      const done = await db.query(
        `update idempotency_keys set response_status = $4, response_body = $5, answer_kind = $6, expires_at = now() + $7 * interval '1 day'
         where business_id = $1 and key = $2 and lease = $3 returning key`,
        [
          businessId,
          key,
          lease,
          answer.status,
          JSON.stringify(answer.body),
          answer.kind ?? null,
          request.keepDays,
        ],
      )
      if (done.length === 0) throw inProgress()
    },
    async release() {
      await ctx.db.query(
        'delete from idempotency_keys where business_id = $1 and key = $2 and lease = $3 and response_status is null',
        [businessId, key, lease],
      )
    },
  }
}

/** The stored form of an `Idempotency-Key`. */
export const storedKey = (hashKey: Secret, key: string): string =>
  keyed(hashKey, `idempotency-key\n${key}`).toString('hex')

const keyed = (hashKey: Secret, text: string): Buffer =>
  createHmac('sha256', Buffer.from(hashKey.reveal(), 'base64')).update(text).digest()

/**
 * The answer of an earlier request; null if its lease expired without one and now belongs to this request.
 */
async function takeOver(
  db: Db,
  {
    businessId,
    key,
    isSame,
    lease,
  }: { businessId: string; key: string; isSame(fingerprint: Buffer): Promise<boolean>; lease: string },
): Promise<StoredAnswer | null> {
  const [row] = await db.query<{
    fingerprint: Buffer
    status: number | null
    body: unknown
    kind: string | null
  }>(
    'select fingerprint, response_status as status, response_body as body, answer_kind as kind from idempotency_keys where business_id = $1 and key = $2',
    [businessId, key],
  )
  // Released meanwhile: the holder failed, and this request may be repeated.
  if (!row) throw inProgress()
  if (!(await isSame(row.fingerprint))) {
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
  new ApiError(
    409,
    'request_in_progress',
    'A request with this Idempotency-Key is still running; repeat it to get its answer',
    {
      retryAfterSeconds: 1,
    },
  )

/** Keyed hash of an operation and the bytes of its body. */
const bytesFingerprintOf = (
  hashKey: Secret,
  { operation, digest }: { operation: string; digest: Buffer },
): Buffer => keyed(hashKey, `cowry/request/v2\n${operation}\n${digest.toString('hex')}`)

/**
 * The fingerprint of earlier versions, of which rows are kept: a keyed hash of an operation and its body as
 * JSON with sorted keys. A long list is hashed element by element, so that other requests run in between.
 */
export async function fingerprintOf(
  hashKey: Secret,
  { operation, body }: { operation: string; body: unknown },
): Promise<Buffer> {
  const rest = createYield()
  const hash = createHmac('sha256', Buffer.from(hashKey.reveal(), 'base64')).update(`${operation}\n`)
  if (!isPlain(body)) return hash.update(canonical(body)).digest()
  let mark = '{'
  // Twice: an object lists names that are numbers before all others.
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

const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (isPlain(part) ? Object.fromEntries(sorted(part)) : part)) ??
  ''
