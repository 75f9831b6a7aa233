import { lockPartner } from '../partnerPayments/lockPartner.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import { pauseOf } from '../partnerPayments/partnerPauses.ts'
import { refusesCredentials } from '../partnerPayments/partnerReasons.ts'
import type { Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Cause } from '../platform/telemetry/scope.ts'
import { isOld, onBehalf } from '../platform/telemetry/tracing.ts'
import { type HoldContext, isBusinessHeld } from '../txmgr/hold.ts'
import { applyAnswer } from './applyAnswer.ts'
import { type Collection, readCollections } from './collection.ts'
import type { PartnerContext } from './context.ts'
import { fetchFromPartner } from './fetchFromPartner.ts'
import { type CollectionChange, moveCollection } from './moveCollection.ts'
import { nextPartnerLookMs } from './nextPartnerLook.ts'
import type { Payer } from './sealedPayer.ts'
import { answerMs, payerOf, submitCollection } from './submitCollection.ts'

/** What the worker has for collections. */
export interface StepContext extends PartnerContext, HoldContext {
  /** Resolves when the partner may get a request again, within its limit over all workers. */
  turn(): Promise<void>
  /** Between two questions for a collection that is unknown; null: by its age. */
  pollMs: number | null
}

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 60_000
/** A request that was lost may still arrive at the partner; then absence means nothing yet. */
export const absenceSafeMs = 120_000
/**
 * A refused request after one without a known outcome has failed once the partner has not had either for so
 * long: longer than any answer of it lags.
 */
export const refusalFinalMs = 24 * 3_600_000
/** Between the two answers that a collection is absent. */
const apartMs = 5000
/** Between two checks of a setting that an operator may change at any time. */
const waitMs = 60_000

/** Takes a collection that is due one step further. Safe to repeat and to run concurrently. */
export async function stepCollection(ctx: StepContext, id: string): Promise<void> {
  const cause = await claim(ctx, id)
  if (!cause) return
  const [collection] = await readCollections(ctx.db, 'id = $1', [id])
  if (!collection) return
  const options = { again: isOld(cause.createdAt), attributes: { 'cowry.row.id': id } }
  await onBehalf(cause, 'step fiat_collections', options, () => step(ctx, collection))
}

async function step(ctx: StepContext, collection: Collection): Promise<void> {
  if (collection.partner !== ctx.partner.name) return wait(ctx, collection, { nextInMs: leaseMs })
  if (collection.status === 'pending' && collection.submittedAt === null) return submitAgain(ctx, collection)
  await ctx.turn()
  await follow(ctx, collection)
  failpoint('collections.partner-followed')
}

/**
 * Claims a collection that is due, for the time of a lease. @returns null if it is not due, or another worker
 * has claimed it
 */
async function claim({ db }: StepContext, id: string): Promise<(Cause & { createdAt: Date }) | null> {
  const [claimed] = await db.query<Cause & { createdAt: Date }>(
    `update fiat_collections set next_at = clock_timestamp() + $2 * interval '1 millisecond' where id = $1 and next_at <= now()
     returning traceparent, request_id as "requestId", created_at as "createdAt"`,
    [id, leaseMs],
  )
  return claimed ?? null
}

/** Nothing of it is at the partner: it is requested again, under the same id, at the time in the row. */
async function submitAgain(ctx: StepContext, collection: Collection): Promise<void> {
  if (await pauseOf(ctx.db, collection.partner))
    return wait(ctx, collection, { reason: 'partner_paused', nextInMs: waitMs })
  await ctx.turn()
  const ready = await ctx.db.tx((tx) => claimSubmission(ctx, tx, collection))
  if (ready === null) return
  if (ready === 'unsealed')
    return ctx.log.warn(
      { collection: collection.id },
      'a collection is of an older version, which did not seal its terms: it has failed',
    )
  if (ready === 'changed') {
    ctx.alarm('row_changed')
    return ctx.log.error({ collection: collection.id }, 'a collection is refused: its row may be forged')
  }
  failpoint('collections.partner-claimed')
  await submitCollection(ctx, ready.claimed, ready.payer)
}

/**
 * Stores that the partner may know it from now on.
 * @returns null: not now; `changed`: never, the row is not what was requested; `unsealed`: never, it cannot
 * be known if it is
 */
async function claimSubmission(
  ctx: StepContext,
  tx: Tx,
  { id, partner }: Collection,
): Promise<{ claimed: Collection; payer: Payer } | 'changed' | 'unsealed' | null> {
  // As for payouts: a pause waits for this, or is seen here.
  await lockPartner(tx, partner)
  const [now] = await readCollections(tx, 'id = $1 for update', [id])
  if (now?.status !== 'pending' || now.submittedAt !== null) return null
  const payer = await payerOf(ctx.appKey, tx, now)
  if (payer === 'changed' || payer === 'unsealed') {
    const reason = payer === 'changed' ? 'refused_by_worker' : 'older_version'
    // What the partner may have of it is still found, by webhooks and the list.
    await moveCollection(tx, now, {
      status: 'failed',
      reason,
      ...(now.unsureSince !== null && { submittedAt: now.unsureSince }),
      nextInMs: null,
    })
    return payer
  }
  const reason = await whyHeld(ctx, tx, now)
  if (reason !== null) {
    await moveCollection(tx, now, { reason, nextInMs: waitMs })
    return null
  }
  return {
    claimed: await moveCollection(tx, now, {
      submittedAt: new Date(),
      absentSince: null,
      nextInMs: answerMs,
    }),
    payer,
  }
}

/** Why it is not requested now; null: it may be. */
async function whyHeld(
  ctx: StepContext,
  tx: Tx,
  { businessId, partner }: Collection,
): Promise<'held' | 'partner_paused' | null> {
  if (await isBusinessHeld(ctx, tx, businessId)) return 'held'
  return (await pauseOf(tx, partner)) ? 'partner_paused' : null
}

async function follow(ctx: StepContext, collection: Collection): Promise<void> {
  const askedAt = new Date()
  try {
    const answer = await fetchFromPartner(ctx.partner, collection)
    if (answer) await applyAnswer(ctx, collection.id, answer, askedAt)
    else if (collection.partnerPaymentId === null) await absent(ctx, collection)
    else await lost(ctx, collection)
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    await withoutAnswer(ctx, collection, error)
  }
}

/**
 * Once the partner has reported twice that it lacks it, long enough after the request, it never will: the
 * request may be made again. It is not made again after a refusal: the partner is queried, and it has failed
 * when no answer can lag so long.
 */
async function absent(ctx: StepContext, collection: Collection): Promise<void> {
  await change(ctx, collection, (current) => {
    const { submittedAt, absentSince, tries, unsureSince, refusedReason } = current
    const now = Date.now()
    if (refusedReason !== null && submittedAt !== null) {
      const isOver = now - submittedAt.getTime() >= refusalFinalMs
      return isOver
        ? { status: 'failed', reason: refusedReason, nextInMs: null }
        : { nextInMs: ctx.pollMs ?? nextPartnerLookMs(current) }
    }
    if (absentSince === null) return { absentSince: new Date(now), nextInMs: ctx.pollMs ?? apartMs }
    const safeAt = Math.max(
      (submittedAt?.getTime() ?? 0) + absenceSafeMs,
      absentSince.getTime() + (ctx.pollMs ?? apartMs),
    )
    if (now < safeAt) return { nextInMs: ctx.pollMs ?? safeAt - now }
    return {
      reason: null,
      submittedAt: null,
      absentSince: null,
      unsureSince: unsureSince ?? submittedAt,
      tries: tries + 1,
      nextInMs: 0,
    }
  })
}

/** It had the collection before, so it cannot be absent. */
async function lost(ctx: StepContext, collection: Collection): Promise<void> {
  ctx.alarm('lost_collection')
  ctx.log.error(
    { collection: collection.id, partnerPaymentId: collection.partnerPaymentId },
    'the partner does not have a collection that it made',
  )
  await change(ctx, collection, (now) => ({ nextInMs: nextPartnerLookMs(now) }))
}

async function withoutAnswer(
  ctx: StepContext,
  collection: Collection,
  { problem, code, message, retryAfterSeconds }: PartnerError,
): Promise<void> {
  if (problem === 'invalid_answer') ctx.alarm('invalid_answer')
  if (problem === 'refused' && refusesCredentials(code)) ctx.alarm('not_authorized')
  ctx.log.warn(
    { collection: collection.id, problem, code, err: message },
    'the partner does not report the state of a collection',
  )
  await change(ctx, collection, (now) => ({
    nextInMs: Math.max(ctx.pollMs ?? nextPartnerLookMs(now) ?? leaseMs, (retryAfterSeconds ?? 0) * 1000),
  }))
}

const wait = (ctx: StepContext, collection: Collection, how: CollectionChange): Promise<void> =>
  change(ctx, collection, () => how)

/** Changes a collection that this worker has claimed, unless it was claimed or changed again since. */
async function change(
  ctx: StepContext,
  { id, nextAt }: Collection,
  wanted: (now: Collection) => CollectionChange,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [now] = await readCollections(tx, 'id = $1 for update', [id])
    if (now?.nextAt === nextAt) await moveCollection(tx, now, wanted(now))
  })
}
