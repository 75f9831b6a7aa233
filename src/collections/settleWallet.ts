import type { MemoType } from '../chains/chain.ts'
import { registeredChain, tokenOf } from '../chains/registry.ts'
import type { Tx } from '../platform/database/db.ts'
import { outboxDone } from '../platform/database/outbox.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { type Collection, readCollections } from './collection.ts'
import type { CollectionsContext } from './context.ts'
import { type Incoming, matchSettlements, type Settled, type Unsettled } from './matchSettlements.ts'
import { moveCollection } from './moveCollection.ts'
import { settlementMemo } from './settlementMemo.ts'

/** Collections of a wallet in one state that one job reads. */
const maxAtOnce = 500

/**
 * Compares what has come to a wallet with the collections that are settled to it, and stores what each has.
 * Level-triggered: jobs may come twice, late and in any order. A fork takes a transfer back as any other
 * change. A transfer settles one collection of the deployment: jobs of one address, of any business,
 * run one after the other, and the database refuses a second use.
 */
export async function settleWallet(
  ctx: CollectionsContext,
  { walletId, detectionIds, outboxId }: OutboxJob<'collection-settlement'>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockAddress(tx, walletId)
    await noteTransfers(tx, walletId, detectionIds)
    await settle(ctx, tx, walletId, detectionIds)
    await outboxDone(tx, outboxId)
  })
  failpoint('collections.settled')
}

async function lockAddress(tx: Tx, walletId: string): Promise<void> {
  await tx.query(
    "select pg_advisory_xact_lock(hashtextextended('collection-settlement ' || chain || ' ' || address, 0)) from collection_wallets where id = $1",
    [walletId],
  )
}

async function noteTransfers(tx: Tx, walletId: string, detectionIds: readonly string[]): Promise<void> {
  if (detectionIds.length === 0) return
  await tx.query(
    `insert into collection_transfers (detection_id, wallet_id, block_time, chain, tx_id, movement_key)
     select d.id, d.subject_id, t.block_time, t.chain, t.tx_id, t.movement_key from detections d join transfers t on t.id = d.transfer_id
     where d.id = any($1::uuid[]) and d.subject_id = $2 on conflict do nothing`,
    [detectionIds, walletId],
  )
}

/**
 * Collections that a job is about: those whose transfers have changed, and of each state that can settle so
 * many that the others do not wait.
 */
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

/**
 * The rows of the collections are locked, in one order: another job of the wallet waits, and then sees which
 * transfers this one has given away.
 */
async function settle(
  ctx: CollectionsContext,
  tx: Tx,
  walletId: string,
  detectionIds: readonly string[],
): Promise<void> {
  const collections = await readCollections(
    tx,
    `id = any($1::uuid[]) and (status in ('processing', 'completed')
       or id in (select collection_id from collection_transfers where detection_id = any($2::uuid[])))
     order by id for update`,
    [await toSettle(tx, walletId, detectionIds), detectionIds],
  )
  if (collections.length === 0) return
  const held = await transfersOf(tx, walletId, collections)
  const shared = await isShared(tx, walletId)
  const wanted = collections.flatMap((each) => wantedOf(each, held, shared))
  const matched = matchSettlements(wanted, held, new Date())
  await link(tx, collections, matched)
  for (const collection of collections) {
    const settled = matched.get(collection.id)
    if (settled) await store(ctx, tx, collection, settled)
  }
}

/** True if another business has collections that are settled to the same address. */
async function isShared(tx: Tx, walletId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from collection_wallets w join collection_wallets o on o.chain = w.chain and o.address = w.address and o.business_id <> w.business_id
     where w.id = $1 limit 1`,
    [walletId],
  )
  return rows.length > 0
}

type HeldTransfer = Incoming & { collectionId: string | null }
type HeldRow = Omit<HeldTransfer, 'amount' | 'memo'> & {
  amount: string
  chain: string
  to: string
  memo: string | null
  memoType: MemoType | null
}

/**
 * Transfers that no collection of the deployment has, since the first of these was created, and those that
 * one of these has. Not those that a fork took back.
 */
async function transfersOf(
  tx: Tx,
  walletId: string,
  collections: readonly Collection[],
): Promise<HeldTransfer[]> {
  const since = new Date(Math.min(...collections.map(({ createdAt }) => createdAt.getTime())) - 3_600_000)
  const rows = await tx.query<HeldRow>(
    `select c.detection_id as id, t.chain, t.tx_id as "txId", t.token, t.amount, t.block_time as "blockTime", t.to_address as "to", t.memo,
       t.memo_type as "memoType", d.status = 'confirmed' as "isConfirmed", c.collection_id as "collectionId",
       exists (select 1 from fiat_collections f
         where f.partner_tx_id = c.tx_id and f.chain = c.chain and f.wallet_id <> c.wallet_id) as "isNamedElsewhere"
     from collection_transfers c join detections d on d.id = c.detection_id join transfers t on t.id = d.transfer_id
     where c.wallet_id = $1 and d.status <> 'reverted' and ((c.collection_id is null and c.block_time >= $2) or c.collection_id = any($3::uuid[]))
       and not exists (select 1 from collection_transfers o
         where o.chain = c.chain and o.tx_id = c.tx_id and o.movement_key = c.movement_key and o.wallet_id <> c.wallet_id and o.collection_id is not null)`,
    [walletId, since, collections.map(({ id }) => id)],
  )
  return rows.map(({ chain, to, memo, memoType, ...row }) => ({
    ...row,
    amount: BigInt(row.amount),
    memo: settlementMemo({ chain, to, memo, memoType }),
  }))
}

function wantedOf(collection: Collection, held: readonly HeldTransfer[], shared: boolean): Unsettled[] {
  const { id, chain, token, createdAt, status, cryptoAmount, partnerTxId, memo } = collection
  const decimals = tokenOf(registeredChain(chain), token)?.decimals
  if (decimals === undefined) return []
  const transferId = held.find(({ collectionId }) => collectionId === id)?.id ?? null
  const endedAt = status === 'completed' ? collection.endedAt : null
  return [
    {
      id,
      token,
      decimals,
      createdAt,
      endedAt,
      cryptoAmount,
      partnerTxId,
      transferId,
      memo,
      isShared: shared,
    },
  ]
}

/** Of a mismatch the transfer stays free: the right one may still come, and this one may be another's. */
const takes = ({ settlement, transfer }: Settled): string | null =>
  settlement === 'seen' || settlement === 'confirmed' ? transfer.id : null

/** Links each collection with its transfer, once the others have let go of it. */
async function link(
  tx: Tx,
  collections: readonly Collection[],
  matched: ReadonlyMap<string, Settled>,
): Promise<void> {
  const links = collections.flatMap(({ id }) => {
    const settled = matched.get(id)
    return settled ? [{ id, has: takes(settled) }] : []
  })
  await tx.query(
    `update collection_transfers c set collection_id = null from unnest($1::uuid[], $2::uuid[]) as l(id, has)
     where c.collection_id = l.id and c.detection_id is distinct from l.has`,
    [links.map(({ id }) => id), links.map(({ has }) => has)],
  )
  const taken = links.filter(({ has }) => has !== null)
  await tx.query(
    `update collection_transfers c set collection_id = l.id from unnest($1::uuid[], $2::uuid[]) as l(id, has)
     where c.detection_id = l.has and c.collection_id is null`,
    [taken.map(({ id }) => id), taken.map(({ has }) => has)],
  )
}

async function store(
  ctx: CollectionsContext,
  tx: Tx,
  before: Collection,
  { settlement, transfer, problem }: Settled,
): Promise<void> {
  if (problem !== null && before.settlement !== 'mismatch') {
    ctx.alarm('settlement_mismatch')
    ctx.log.error(
      { collection: before.id, problem, txId: transfer?.txId ?? null },
      'the settlement of a collection is not on the chain as the partner reported it',
    )
  }
  const reason = problem ?? (before.settlement === 'mismatch' ? null : undefined)
  await moveCollection(tx, before, {
    settlement,
    txId: transfer?.txId ?? null,
    ...(reason !== undefined && { reason }),
  })
}
