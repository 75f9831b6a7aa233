import type { ConfiguredChain } from '../chains/registry.ts'
import { refuseOwnAddress } from '../destinations/refuseOwnAddress.ts'
import { pauseOf } from '../partnerPayments/partnerPauses.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { ReadChannels } from './channelList.ts'
import type { Collection } from './collection.ts'
import type { PartnerContext } from './context.ts'
import { partnerUnavailable } from './partnerUnavailable.ts'
import { type CollectionView, presentCollection } from './presentCollection.ts'
import { type CollectionWanted, channelOf, readCollection } from './readCollection.ts'
import { readPayer } from './readPayer.ts'
import { storeCollection } from './storeCollection.ts'
import { submitCollection } from './submitCollection.ts'

export interface CreateCollectionContext extends PartnerContext {
  chains: readonly ConfiguredChain[]
  channels: ReadChannels
}

export interface CreatedCollection {
  /** 201: the partner has answered. 202: it has not, and a worker finds out. */
  status: 201 | 202
  body: CollectionView
}

/**
 * Stores a collection, then requests it from the partner once.
 * @param also runs in the transaction that stores it; again on its own, without one, with the collection as
 * it is answered
 * @throws ApiError, before anything is stored: 400 naming the field; 422 with the reason;
 * 503
 */
export async function createCollection(
  ctx: CreateCollectionContext,
  businessId: string,
  wanted: CollectionWanted,
  also: (db: Queryable, result: CreatedCollection) => Promise<void>,
): Promise<CreatedCollection> {
  const { localAmount, wallet } = readCollection(ctx, wanted)
  await refuseOwnAddress(ctx.db, wallet.chain.family, wallet.address, 'walletAddress')
  const channel = channelOf(await ctx.channels(), wanted, localAmount)
  const payer = await readPayer(ctx, businessId, wanted)
  if (await pauseOf(ctx.db, ctx.partner.name)) throw partnerUnavailable(null)
  const { currency, country, reference = null, metadata = null } = wanted
  const row = {
    businessId,
    localAmount,
    currency,
    country,
    wallet,
    partner: ctx.partner.name,
    channelId: channel.id,
    payer,
    reference,
    metadata,
  }
  const stored = await ctx.db.tx(async (tx) => {
    const collection = await storeCollection(ctx, tx, row)
    await also(tx, answerOf(collection))
    return collection
  })
  failpoint('api.collection-stored')
  return answerStored(ctx, stored, () => submitCollection(ctx, stored, payer), also)
}

/** Does not fail: after an error the caller might create it again. */
async function answerStored(
  ctx: CreateCollectionContext,
  stored: Collection,
  submit: () => Promise<Collection>,
  also: (db: Queryable, result: CreatedCollection) => Promise<void>,
): Promise<CreatedCollection> {
  let answer = answerOf(stored)
  try {
    answer = answerOf(await submit())
    await also(ctx.db, answer)
  } catch (error) {
    ctx.log.error(
      { collection: stored.id, err: messageOf(error) },
      'a stored collection, or its answer, could not be completed; a worker continues',
    )
  }
  return answer
}

const answerOf = (collection: Collection): CreatedCollection => ({
  status: collection.partnerPaymentId === null && collection.status === 'pending' ? 202 : 201,
  body: presentCollection(collection),
})
