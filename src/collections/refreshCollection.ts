import { PartnerError } from '../partnerPayments/partnerError.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { inTime, pause } from '../platform/wait.ts'
import { applyAnswer } from './applyAnswer.ts'
import { type Collection, findCollection } from './collection.ts'
import type { PartnerContext } from './context.ts'
import { fetchFromPartner } from './fetchFromPartner.ts'
import { partnerUnavailable } from './partnerUnavailable.ts'
import { type CollectionView, presentCollection } from './presentCollection.ts'

export type RefreshContext = PartnerContext & {
  /** How long a request waits for the partner; 10 seconds by default. */
  patienceMs?: number
}

const usualPatienceMs = 10_000
const pollMs = 100

/**
 * Reads a collection from the partner, and answers with the result. Concurrent requests for one collection
 * make one read, over all processes.
 * @param also runs in the transaction of a change
 * @throws ApiError 404; 503 `partner_unavailable`, 504 `partner_timeout`, with the record unchanged
 */
export async function refreshCollection(
  ctx: RefreshContext,
  businessId: string,
  id: string,
  also: (tx: Tx, result: CollectionView) => Promise<void>,
): Promise<CollectionView> {
  const before = await findCollection(ctx.db, businessId, id)
  if (!canBeAsked(before)) return presentCollection(before)
  const claim = await claimQuestion(ctx, before)
  if (!claim) return presentCollection(await answerOfOther(ctx, before))
  try {
    await ask(ctx, before, also)
  } finally {
    await ctx.db.query(
      'update fiat_collections set asking_until = null where id = $1 and business_id = $2 and asking_until = $3::timestamptz',
      [before.id, businessId, claim],
    )
  }
  return presentCollection(await findCollection(ctx.db, businessId, id))
}

/** Nothing can follow the final states, and the partner cannot know what was not submitted. */
const canBeAsked = ({ status, submittedAt, partnerPaymentId, endedAt }: Collection): boolean =>
  status !== 'completed' &&
  status !== 'refunded' &&
  submittedAt !== null &&
  (partnerPaymentId !== null || endedAt === null)

const patienceOf = ({ patienceMs = usualPatienceMs }: RefreshContext): number => patienceMs

/** @returns null while another request reads it */
async function claimQuestion(ctx: RefreshContext, { id, businessId }: Collection): Promise<string | null> {
  const [claimed] = await ctx.db.query<{ until: string }>(
    `update fiat_collections set asking_until = clock_timestamp() + $3 * interval '1 ms'
     where id = $1 and business_id = $2 and (asking_until is null or asking_until <= clock_timestamp()) returning asking_until::text as until`,
    [id, businessId, patienceOf(ctx) + 5000],
  )
  return claimed?.until ?? null
}

async function ask(
  ctx: RefreshContext,
  collection: Collection,
  also: (tx: Tx, result: CollectionView) => Promise<void>,
): Promise<void> {
  const askedAt = new Date()
  const asking = fetchFromPartner(ctx.partner, collection)
  try {
    const answer = await inTime(patienceOf(ctx), asking, 'late' as const)
    if (answer === 'late')
      throw new ApiError(504, 'partner_timeout', 'The partner did not answer in time; send it again')
    if (answer)
      await applyAnswer(ctx, collection.id, answer, askedAt, (tx, after) =>
        also(tx, presentCollection(after)),
      )
    else if (collection.partnerPaymentId !== null) {
      ctx.alarm('lost_collection')
      ctx.log.error(
        { collection: collection.id, partnerPaymentId: collection.partnerPaymentId },
        'the partner does not have a collection that it made',
      )
    }
  } catch (error) {
    if (error instanceof PartnerError) throw partnerUnavailable(error)
    throw error
  }
}

/** Waits for the request that reads it. @throws ApiError 503 if it got no answer */
async function answerOfOther(
  ctx: RefreshContext,
  { id, businessId, partnerAskedAt }: Collection,
): Promise<Collection> {
  const until = performance.now() + patienceOf(ctx) + 5000
  while (performance.now() < until) {
    const [row] = await ctx.db.query<{ isAsking: boolean }>(
      'select coalesce(asking_until > clock_timestamp(), false) as "isAsking" from fiat_collections where id = $1 and business_id = $2',
      [id, businessId],
    )
    if (!row?.isAsking) break
    await pause(pollMs)
  }
  const after = await findCollection(ctx.db, businessId, id)
  if (after.partnerAskedAt?.getTime() === partnerAskedAt?.getTime()) throw partnerUnavailable(null)
  return after
}
