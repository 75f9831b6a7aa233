import type { Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import { type Collection, readCollections } from './collection.ts'
import { watchWallet } from './collectionWallet.ts'
import type { CollectionWallet } from './readCollection.ts'
import { type Payer, sealPayer } from './sealedPayer.ts'
import { answerMs } from './submitCollection.ts'

export interface NewCollection {
  businessId: string
  localAmount: bigint
  currency: string
  country: string
  wallet: CollectionWallet
  partner: string
  channelId: string
  payer: Payer
  reference: string | null
  metadata: Record<string, unknown> | null
}

/**
 * Stores a collection that the caller requests from the partner next; if it dies meanwhile, a worker queries
 * it.
 */
export async function storeCollection(
  ctx: { appKey: Secret },
  tx: Tx,
  wanted: NewCollection,
): Promise<Collection> {
  const { wallet, payer, reference, metadata, ...rest } = wanted
  const { businessId } = rest
  const id = newId()
  const { token, address, memo } = wallet
  const sealed = sealPayer(ctx.appKey, { id, ...rest, chain: wallet.chain.name, token, address, memo }, payer)
  const { traceparent, requestId } = currentCause()
  await tx.query(
    `insert into fiat_collections (id, business_id, status, local_amount, currency, country, chain, token, address, memo, partner, channel_id, account_type,
       sealed_payer, submitted_at, reference, metadata, wallet_id, next_at, created_at, updated_at, traceparent,
       request_id)
     values ($1, $2, 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now() + $18 * interval '1 millisecond', $14, $14, $19, $20)`,
    [
      id,
      businessId,
      String(wanted.localAmount),
      wanted.currency,
      wanted.country,
      wallet.chain.name,
      token,
      address,
      memo,
      wanted.partner,
      wanted.channelId,
      payer.source.accountType,
      sealed,
      new Date(),
      reference,
      metadata,
      await watchWallet(tx, businessId, wallet),
      answerMs,
      traceparent,
      requestId,
    ],
  )
  const [collection] = await readCollections(tx, 'id = $1', [id])
  if (!collection) throw new Error(`collection ${id} was not stored`)
  return collection
}
