import type { Tx } from '../src/platform/database/db.ts'
import { pgArray, pgArrayOrNull } from '../src/platform/database/pgArrays.ts'
import { prepared } from '../src/platform/database/prepared.ts'
import { newIds } from '../src/platform/ids.ts'
import type { DetectionRow } from '../src/watches/purposes.ts'
import { isDue, type Progress } from './confirm.ts'
import { type CommitContext, hasSecondProvider } from './context.ts'
import { depthsOf } from './depths.ts'
import type { ReadBlock } from './findPayments.ts'
import { movementKey, storeTransfers } from './storeTransfers.ts'
import { type BlockAge, type Found, watchesOf } from './watchesOf.ts'

/** Detections that are new or that came back after a fork. */
export interface Detected {
  detections: DetectionRow[]
  /** How many of them are already confirmed. */
  confirmed: number
  /** How many of the transfers were already recorded for every watch. */
  known: number
}

const nothing: Detected = { detections: [], confirmed: 0, known: 0 }

const newDetections = `insert into detections
     (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
   select t.id, t.transfer_id, t.watch_id, t.business_id, t.subject_id, $1, t.height, t.depth, t.status,
     case when t.status = 'confirmed' then now() end, $9, t.direction
   from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[], $7::integer[], $8::text[], $10::text[], $11::uuid[])
     as t(transfer_id, watch_id, business_id, subject_id, height, depth, status, direction, id)`

/** For transfers that are new as well. */
const insertDetections = prepared(newDetections)

const insertOrRenewDetections = prepared(
  `${newDetections}
   on conflict (transfer_id, watch_id) do update
     set status = excluded.status, generation = detections.generation + 1, block_height = excluded.block_height, depth = excluded.depth, seen_at = now(),
       confirmed_at = excluded.confirmed_at, reverted_at = null, needs_agreement = excluded.needs_agreement, agreed_at = null, disputed_at = null
     where detections.status = 'reverted'
   returning id, transfer_id as "transferId", watch_id as "watchId"`,
)

interface WrittenRow {
  id: string
  transferId: string
  watchId: string
}

/**
 * Stores transfers that concern a watch, with one detection per watch. A block that comes back after a fork
 * reuses its rows, in the next generation. Transfers that are deep enough are confirmed at once.
 * @param moving resolves in the same transaction
 */
export async function detect(
  ctx: CommitContext,
  tx: Tx,
  blocks: readonly ReadBlock[],
  moving: Progress | Promise<Progress>,
  age: BlockAge,
): Promise<Detected> {
  const found = await withoutOtherTraces(
    ctx,
    tx,
    blocks.flatMap(({ block, payments }) => payments.map((payment) => ({ ...payment, block }))),
  )
  if (found.length === 0) return nothing
  const watches = await watchesOf(ctx, tx, found, age)
  const matched = found.flatMap((each, index) => {
    const by = watches[index] ?? []
    return by.length > 0 ? [{ found: each, by }] : []
  })
  if (matched.length === 0) return nothing
  const { ids, allNew } = await storeTransfers(
    ctx,
    tx,
    matched.map((each) => each.found),
  )
  const sides = matched.flatMap(({ found, by }, index) =>
    by.map((side) => ({ ...side, found, transferId: ids[index] ?? '' })),
  )
  const depths = await depthsOf(ctx, tx, sides)
  const at = await moving
  const rows = sides.map(({ found, transferId, watch, direction }, index) => {
    const depth = depths[index] ?? null
    const status = isDue(ctx, at, found.block.height, depth) ? 'confirmed' : 'seen'
    return {
      transferId,
      watch,
      direction,
      height: found.block.height,
      depth,
      status,
      isUnknownToken: !found.asset,
    }
  })
  const newOnes = newIds(rows.length)
  const values = [
    ctx.chain.name,
    pgArray(rows.map((row) => row.transferId)),
    pgArray(rows.map((row) => row.watch.id)),
    pgArrayOrNull(rows.map((row) => row.watch.businessId)),
    pgArray(rows.map((row) => row.watch.subjectId)),
    pgArray(rows.map((row) => row.height)),
    pgArrayOrNull(rows.map((row) => row.depth)),
    pgArray(rows.map((row) => row.status)),
    hasSecondProvider(ctx.chain),
    pgArray(rows.map((row) => row.direction)),
    pgArray(newOnes),
  ]
  const written = allNew ? null : await writtenIds(tx, values)
  // The next statement takes it along.
  if (written === null) tx.send(insertDetections, values)
  const detections = rows.flatMap(({ transferId, watch, status, isUnknownToken }, index) => {
    const { id: watchId, subjectId, businessId, purpose, traceparent, requestId } = watch
    const id = written ? written.get(`${transferId} ${watchId}`) : newOnes[index]
    return id === undefined
      ? []
      : [{ id, subjectId, businessId, purpose, status, transferId, isUnknownToken, traceparent, requestId }]
  })
  const touched = new Set(detections.map((row) => row.transferId))
  return {
    detections,
    confirmed: detections.filter((row) => row.status === 'confirmed').length,
    known: ids.filter((id) => !touched.has(id)).length,
  }
}

/** The ids of detections that are new or came back, by transfer and watch. */
async function writtenIds(tx: Tx, values: unknown[]): Promise<Map<string, string>> {
  const rows = await tx.query<WrittenRow>(insertOrRenewDetections, values)
  return new Map(rows.map((row) => [`${row.transferId} ${row.watchId}`, row.id]))
}

/**
 * Internal transfers come from call traces, from balance differences within a transaction, or from comparing
 * balances over time, each with its own keys. A block that was read one way yields nothing new another way: a
 * balance comparison covers every internal transfer to the address up to its block.
 */
async function withoutOtherTraces(ctx: CommitContext, tx: Tx, found: Found[]): Promise<Found[]> {
  const traced = found.filter(({ transfer }) => isTrace(transfer.movementKey))
  if (traced.length === 0) return found
  const known = await tx.query<{
    blockId: string
    txId: string
    toAddress: string
    movementKey: string
    blockHeight: string
  }>(
    `select block_id as "blockId", tx_id as "txId", to_address as "toAddress", movement_key as "movementKey", block_height as "blockHeight"
     from transfers
     where chain = $1 and contract is null and canonical
       and (tx_id = any($2::text[]) and movement_key like 'trace:%' or movement_key = any($3::text[]))`,
    [
      ctx.chain.name,
      traced.map(({ transfer }) => transfer.txId),
      traced.map(({ transfer }) => `balance:${transfer.to}`),
    ],
  )
  const byTransaction = Map.groupBy(known, (row) => movementKey(row.blockId, row.txId, row.toAddress))
  const comparedUpTo = new Map<string, number>()
  for (const row of known.filter(({ movementKey }) => movementKey.startsWith('balance:'))) {
    comparedUpTo.set(row.toAddress, Math.max(comparedUpTo.get(row.toAddress) ?? 0, Number(row.blockHeight)))
  }
  return found.filter(({ block, transfer }) => {
    if (!isTrace(transfer.movementKey)) return true
    if (block.height <= (comparedUpTo.get(transfer.to) ?? -1)) return false
    const rows = byTransaction.get(movementKey(block.id, transfer.txId, transfer.to)) ?? []
    return rows.length === 0 || rows.some((row) => isNet(row.movementKey) === isNet(transfer.movementKey))
  })
}

const isTrace = (movementKey: string) => movementKey.startsWith('trace:')
const isNet = (movementKey: string) => movementKey.startsWith('trace:net')
