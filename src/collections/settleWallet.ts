import { registeredChain, tokenOf } from '../chains/registry.ts'
import type { Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { outboxDone } from '../platform/outbox.ts'
import { type Collection, readCollections } from './collection.ts'
import type { CollectionsContext } from './context.ts'
import { type Incoming, matchSettlements, type Settled, type Unsettled } from './matchSettlements.ts'
import { moveCollection } from './moveCollection.ts'

/** Collections of a wallet in one state that are looked at in one job. */
const maxAtOnce = 500

/**
 * Compares what has come to a wallet with the collections that are settled to it, and stores what each has. Level-triggered: jobs may come twice, late and
 * in any order. A fork takes a transfer back as any other change.
 */
export async function settleWallet(ctx: CollectionsContext, { walletId, detectionIds, outboxId }: OutboxJob<'collection-settlement'>): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await noteTransfers(tx, walletId, detectionIds)
    await settle(ctx, tx, walletId, detectionIds)
    await outboxDone(tx, outboxId)
  })
  failpoint('collections.settled')
}

async function noteTransfers(tx: Tx, walletId: string, detectionIds: readonly string[]): Promise<void> {
  if (detectionIds.length === 0) return
  await tx.query(
    `insert into collection_transfers (detection_id, wallet_id, block_time)
     select d.id, d.subject_id, t.block_time from detections d join transfers t on t.id = d.transfer_id
     where d.id = any($1::uuid[]) and d.subject_id = $2 on conflict do nothing`,
    [detectionIds, walletId],
  )
}

/** Collections that a job is about: those whose transfers have changed, and of each state that can settle so many that none keeps the others waiting. */
async function toSettle(tx: Tx, walletId: string, detectionIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `(select collection_id as id from collection_transfers where detection_id = any($2::uuid[]) and wallet_id = $1 and collection_id is not null)
     union (select id from fiat_collections where wallet_id = $1 and status = 'completed' and settlement in ('none', 'seen') order by ended_at limit $3)
     union (select id from fiat_collections where wallet_id = $1 and status = 'processing' order by id limit $3)
     union (select id from fiat_collections where wallet_id = $1 and status = 'completed' and settlement = 'mismatch' order by ended_at desc limit $3)`,
    [walletId, detectionIds, maxAtOnce],
  )
  return rows.map(({ id }) => id)
}

/** The rows of the collections are locked, in one order: another job of the wallet waits, and then sees which transfers this one has given away. */
async function settle(ctx: CollectionsContext, tx: Tx, walletId: string, detectionIds: readonly string[]): Promise<void> {
  const collections = await readCollections(
    tx,
    `id = any($1::uuid[]) and (status in ('processing', 'completed')
       or id in (select collection_id from collection_transfers where detection_id = any($2::uuid[])))
     order by id for update`,
    [await toSettle(tx, walletId, detectionIds), detectionIds],
  )
  if (collections.length === 0) return
  const held = await transfersOf(tx, walletId, collections)
  const wanted = collections.flatMap((each) => wantedOf(each, held))
  const matched = matchSettlements(wanted, held, new Date())
  for (const collection of collections) {
    const settled = matched.get(collection.id)
    if (settled) await store(ctx, tx, collection, settled, held)
  }
}

type HeldTransfer = Incoming & { collectionId: string | null }

/** Transfers that no collection has, since the first of these was created, and those that one of these has. Not those that a fork took back. */
async function transfersOf(tx: Tx, walletId: string, collections: readonly Collection[]): Promise<HeldTransfer[]> {
  const since = new Date(Math.min(...collections.map(({ createdAt }) => createdAt.getTime())) - 3_600_000)
  const rows = await tx.query<Omit<HeldTransfer, 'amount'> & { amount: string }>(
    `select c.detection_id as id, t.tx_id as "txId", t.token, t.amount, t.block_time as "blockTime", d.status = 'confirmed' as "isConfirmed", c.collection_id as "collectionId"
     from collection_transfers c join detections d on d.id = c.detection_id join transfers t on t.id = d.transfer_id
     where c.wallet_id = $1 and d.status <> 'reverted' and ((c.collection_id is null and c.block_time >= $2) or c.collection_id = any($3::uuid[]))`,
    [walletId, since, collections.map(({ id }) => id)],
  )
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

function wantedOf(collection: Collection, held: readonly HeldTransfer[]): Unsettled[] {
  const { id, chain, token, createdAt, status, endedAt, cryptoAmount, partnerTxId } = collection
  const decimals = tokenOf(registeredChain(chain), token)?.decimals
  if (decimals === undefined) return []
  const transferId = held.find(({ collectionId }) => collectionId === id)?.id ?? null
  return [{ id, token, decimals, createdAt, endedAt: status === 'completed' ? endedAt : null, cryptoAmount, partnerTxId, transferId }]
}

async function store(
  ctx: CollectionsContext,
  tx: Tx,
  before: Collection,
  { settlement, transfer, problem }: Settled,
  held: readonly HeldTransfer[],
): Promise<void> {
  const had = held.find(({ collectionId }) => collectionId === before.id)?.id ?? null
  // Of a mismatch the transfer stays free: the right one may still come, and this one may be another's.
  const has = settlement === 'seen' || settlement === 'confirmed' ? transfer.id : null
  if (has !== had || has === null) await tx.query('update collection_transfers set collection_id = null where collection_id = $1', [before.id])
  if (has !== null && has !== had) await tx.query('update collection_transfers set collection_id = $2 where detection_id = $1', [has, before.id])
  if (problem !== null && before.settlement !== 'mismatch') {
    ctx.alarm('settlement_mismatch')
    ctx.log.error(
      { collection: before.id, problem, txId: transfer?.txId ?? null },
      'the settlement of a collection is not on the chain as the partner says',
    )
  }
  const reason = problem ?? (before.settlement === 'mismatch' ? null : undefined)
  await moveCollection(tx, before, { settlement, txId: transfer?.txId ?? null, ...(reason !== undefined && { reason }) })
}
