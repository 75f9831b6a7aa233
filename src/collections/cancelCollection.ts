import { type Actor, confirmActor } from '../audit/recordAudit.ts'
import type { PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { applyAnswer } from './applyAnswer.ts'
import { type Collection, findCollection } from './collection.ts'
import type { PartnerContext } from './context.ts'
import { fetchFromPartner } from './fetchFromPartner.ts'
import { moveCollection } from './moveCollection.ts'
import { partnerUnavailable } from './partnerUnavailable.ts'
import { type CollectionView, presentCollection } from './presentCollection.ts'

/**
 * Cancels a collection that is not paid: at once if the partner cannot have it, otherwise if the partner
 * agrees. Repeating it changes nothing.
 * @param also runs in the transaction of the change
 * @throws ApiError 404; 409 `collection_not_open`; 503 `partner_unavailable`
 */
export async function cancelCollection(
  ctx: PartnerContext,
  actor: Pick<Actor, 'confirm'>,
  businessId: string,
  id: string,
  also: (tx: Tx, result: CollectionView) => Promise<void>,
): Promise<CollectionView> {
  const here = await ctx.db.tx(async (tx) => {
    const now = await findCollection(tx, businessId, id, 'for update')
    const isOver = isCancelled(now)
    if (!isOver && (now.status !== 'pending' || now.submittedAt !== null || now.unsureSince !== null)) {
      // The partner's answer is stored in another transaction, after the effect.
      await confirmActor(tx, actor)
      return null
    }
    const after = isOver
      ? now
      : await moveCollection(tx, now, { status: 'failed', reason: 'cancelled', nextInMs: null })
    const view = presentCollection(after)
    await also(tx, view)
    return view
  })
  if (here) return here
  const before = await findCollection(ctx.db, businessId, id)
  if (before.status !== 'pending' && before.status !== 'processing')
    throw notOpen(`The collection is ${before.status}`)
  return presentCollection(await cancelAtPartner(ctx, before, also))
}

async function cancelAtPartner(
  ctx: PartnerContext,
  before: Collection,
  also: (tx: Tx, result: CollectionView) => Promise<void>,
): Promise<Collection> {
  try {
    const known = before.partnerPaymentId === null ? await found(ctx, before) : before
    if (known?.partnerPaymentId == null)
      throw notOpen('It is not known yet if the partner has the collection')
    const askedAt = new Date()
    const answer = await cancelOnce(ctx, known.partnerPaymentId)
    const after = await applyAnswer(ctx, before.id, answer, askedAt, async (tx, now) => {
      if (isCancelled(now)) await also(tx, presentCollection(now))
    })
    if (after && isCancelled(after)) return after
    throw notOpen(`The partner does not cancel the collection: it is ${after?.partnerStatus}`)
  } catch (error) {
    if (error instanceof PartnerError) throw partnerUnavailable(error)
    throw error
  }
}

const isCancelled = ({ status, reason }: Collection): boolean => status === 'failed' && reason === 'cancelled'

/**
 * The partner also refuses to cancel what it has cancelled already, for a request whose end was not stored.
 * @returns the collection as it is then
 */
async function cancelOnce(ctx: PartnerContext, partnerPaymentId: string): Promise<PartnerCollection> {
  try {
    return await ctx.partner.cancel(partnerPaymentId)
  } catch (error) {
    if (!(error instanceof PartnerError) || error.problem !== 'refused') throw error
    const now = await ctx.partner.get(partnerPaymentId)
    if (now === null) throw notOpen('The partner does not have the collection')
    return now
  }
}

async function found(ctx: PartnerContext, before: Collection): Promise<Collection | null> {
  const askedAt = new Date()
  const answer = await fetchFromPartner(ctx.partner, before)
  return answer && applyAnswer(ctx, before.id, answer, askedAt)
}

const notOpen = (message: string) => new ApiError(409, 'collection_not_open', message)
