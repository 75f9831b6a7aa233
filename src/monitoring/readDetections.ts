import type { Memo, MemoType } from '../chains/chain.ts'
import type { Queryable } from '../platform/database/db.ts'
import { pgArray } from '../platform/database/pgArrays.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { DetectionState, PublishedState } from './detectionEvents.ts'
import type { DetectedTransfer } from './transactionEvent.ts'

/** A detection of a monitored address as it is stored, with its last published state. */
export interface DetectionRecord extends Omit<DetectedTransfer, 'symbol' | 'decimals'>, DetectionState {
  chain: string
  /** The monitored address, in normal form. */
  address: string
  monitoredAddressId: string
  metadata: Record<string, unknown> | null
  /** The token's symbol if Cowry knew it when the transfer was found; otherwise null. */
  token: string | null
  last: PublishedState | null
}

interface Row extends Omit<DetectionRecord, 'amount' | 'blockHeight' | 'memo' | 'last'> {
  amount: string
  blockHeight: string
  memo: string | null
  memoType: MemoType | null
  published: PublishedState['published'] | null
  publishedGeneration: number | null
}

/**
 * Each row by its primary key (`offset 0`), so that its plan fits tables of any size. The last published state
 * is in the column `told`: it keeps that name because the version before, which may run beside, uses it.
 */
const detectionsOf = prepared(
  `select d.id as "detectionId", d.chain, d.direction, d.status, d.generation, d.depth, a.id as "monitoredAddressId", a.address, a.metadata,
     t.contract, t.token, t.amount, t.from_address as "from", t.to_address as "to", t.tx_id as "txId", t.movement_key as "movementKey",
     t.memo, t.memo_type as "memoType", t.block_height as "blockHeight", t.block_time as "blockTime", m.told as published, m.generation as "publishedGeneration"
   from unnest($1::uuid[]) as asked(id)
     cross join lateral (select * from detections where id = asked.id and business_id = $2 offset 0) d
     cross join lateral (select * from monitored_addresses where id = d.watch_id offset 0) a
     cross join lateral (select * from transfers where id = d.transfer_id offset 0) t
     left join lateral (select told, generation from monitored_movements where detection_id = d.id offset 0) m on true
   order by t.block_height, t.id, d.id`,
)

/** Detections of the business's monitored addresses, in the order of the chain. */
export async function readDetections(
  db: Queryable,
  businessId: string,
  detectionIds: readonly string[],
): Promise<DetectionRecord[]> {
  const rows = await db.query<Row>(detectionsOf, [pgArray(detectionIds), businessId])
  return rows.map(({ memo, memoType, published, publishedGeneration, ...row }) => ({
    ...row,
    amount: BigInt(row.amount),
    blockHeight: Number(row.blockHeight),
    memo: memoOf(memo, memoType),
    last:
      published === null || publishedGeneration === null
        ? null
        : { published, generation: publishedGeneration },
  }))
}

const memoOf = (value: string | null, type: MemoType | null): Memo | null =>
  value === null || type === null ? null : { type, value }
