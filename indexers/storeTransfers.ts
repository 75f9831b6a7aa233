import type { Tx } from '../src/platform/database/db.ts'
import { pgArray, pgArrayOrNull } from '../src/platform/database/pgArrays.ts'
import { prepared } from '../src/platform/database/prepared.ts'
import { newIds } from '../src/platform/ids.ts'
import type { CommitContext } from './context.ts'
import type { Found } from './watchesOf.ts'

export const movementKey = (blockId: string, txId: string, key: string) => `${blockId} ${txId} ${key}`

const keyOf = ({ block, transfer }: Pick<Found, 'block' | 'transfer'>) =>
  movementKey(block.id, transfer.txId, transfer.movementKey)

interface StoredRow {
  id: string
  blockId: string
  txId: string
  movementKey: string
}

export interface StoredTransfers {
  ids: readonly string[]
  /** All of them were stored for the first time: no watch has a detection of them yet. */
  allNew: boolean
}

/** The columns of `StoredRow`. */
const storedRow =
  'transfers.id, transfers.block_id as "blockId", transfers.tx_id as "txId", transfers.movement_key as "movementKey"'

/**
 * Stores transfers. Existing rows stay; orphaned ones return in the next generation with the values reported
 * now. That includes the height: a Solana block id does not fix its slot, and an answer about another slot
 * may have come first.
 * @returns their ids, in the order of the transfers
 */
export async function storeTransfers(
  ctx: CommitContext,
  tx: Tx,
  found: readonly Found[],
): Promise<StoredTransfers> {
  const newOnes = newIds(found.length)
  const rows = await insert(ctx, tx, newOnes, found)
  if (rows === null) return { ids: newOnes, allNew: true }
  const ids = new Map(rows.map((row) => [movementKey(row.blockId, row.txId, row.movementKey), row.id]))
  const missing = found.filter((each) => !ids.has(keyOf(each)))
  for (const row of missing.length > 0 ? await recorded(ctx, tx, missing) : [])
    ids.set(movementKey(row.blockId, row.txId, row.movementKey), row.id)
  const inOrder = found.map((each) => {
    const id = ids.get(keyOf(each))
    if (id === undefined) throw new Error(`transfer ${keyOf(each)} was not stored`)
    return id
  })
  return { ids: inOrder, allNew: false }
}

/** Returns a row for each that was written only if not all of them are new. */
const insertStatement = prepared(
  `with written as (
   insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type)
   select id, $1, height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type
   from unnest($2::uuid[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
       $12::numeric[], $13::text[], $14::text[], $15::text[])
     as t(id, height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type)
   on conflict (chain, tx_id, movement_key, block_id) do update
     set canonical = true, generation = transfers.generation + 1, block_height = excluded.block_height, block_time = excluded.block_time,
       source = excluded.source, amount = excluded.amount, from_address = excluded.from_address, to_address = excluded.to_address,
       contract = excluded.contract, token = excluded.token, memo = excluded.memo, memo_type = excluded.memo_type
     where not transfers.canonical
   returning ${storedRow}, transfers.generation)
   select case when (select count(*) filter (where generation = 1) from written) < cardinality($2::uuid[])
     then coalesce((select jsonb_agg(written) from written), '[]') end as rows`,
)

/** @returns null if all of them are new */
async function insert(
  ctx: CommitContext,
  tx: Tx,
  ids: readonly string[],
  found: readonly Found[],
): Promise<StoredRow[] | null> {
  const times = new Map(found.map(({ block }) => [block, block.time.toISOString()]))
  const [row] = await tx.query<{ rows: StoredRow[] | null }>(insertStatement, [
    ctx.chain.name,
    pgArray(ids),
    pgArray(found.map(({ block }) => block.height)),
    pgArray(found.map(({ block }) => block.id)),
    pgArray(found.map(({ block }) => times.get(block) ?? '')),
    pgArray(found.map(({ transfer }) => transfer.txId)),
    pgArray(found.map(({ transfer }) => transfer.movementKey)),
    pgArray(found.map(({ transfer }) => transfer.contract)),
    pgArray(found.map(({ asset }) => asset?.symbol ?? null)),
    pgArray(found.map(({ transfer }) => transfer.from)),
    pgArray(found.map(({ transfer }) => transfer.to)),
    pgArray(found.map(({ transfer }) => String(transfer.amount))),
    pgArrayOrNull(found.map(({ block, transfer }) => transfer.source ?? block.source)),
    pgArrayOrNull(found.map(({ transfer }) => transfer.memo?.value ?? null)),
    pgArrayOrNull(found.map(({ transfer }) => transfer.memo?.type ?? null)),
  ])
  return row?.rows ?? null
}

const recorded = (ctx: CommitContext, tx: Tx, missing: readonly Found[]): Promise<StoredRow[]> =>
  tx.query<StoredRow>(
    `select ${storedRow} from transfers
     where chain = $1 and (tx_id, movement_key, block_id) in (select * from unnest($2::text[], $3::text[], $4::text[]))`,
    [
      ctx.chain.name,
      missing.map(({ transfer }) => transfer.txId),
      missing.map(({ transfer }) => transfer.movementKey),
      missing.map(({ block }) => block.id),
    ],
  )
