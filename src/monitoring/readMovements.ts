import type { Memo, MemoType } from '../chains/chain.ts'
import type { Queryable } from '../platform/db.ts'
import type { MovementState, ReportedHeights } from './movementNews.ts'
import type { Movement } from './transactionEvent.ts'

/** A movement of a monitored address, as it is recorded, beside what was told of it. */
export interface MovementRecord extends Omit<Movement, 'symbol' | 'decimals'>, MovementState {
  chain: string
  /** The one that is monitored, in normal form. */
  address: string
  monitoredAddressId: string
  metadata: Record<string, unknown> | null
  /** The token's symbol as Cowry knew it when the movement was found; null: it did not. */
  token: string | null
  last: ReportedHeights | null
}

interface Row extends Omit<MovementRecord, 'amount' | 'blockHeight' | 'memo' | 'last'> {
  amount: string
  blockHeight: string
  memo: string | null
  memoType: MemoType | null
  told: ReportedHeights['told'] | null
  toldGeneration: number | null
}

/** Movements of the business's monitored addresses, in the order of the chain. */
export async function readMovements(db: Queryable, businessId: string, detectionIds: readonly string[]): Promise<MovementRecord[]> {
  const rows = await db.query<Row>(
    `select d.id as "detectionId", d.chain, d.direction, d.status, d.generation, d.depth, a.id as "monitoredAddressId", a.address, a.metadata,
       t.contract, t.token, t.amount, t.from_address as "from", t.to_address as "to", t.tx_id as "txId", t.movement_key as "movementKey",
       t.memo, t.memo_type as "memoType", t.block_height as "blockHeight", t.block_time as "blockTime", m.told, m.generation as "toldGeneration"
     from detections d join monitored_addresses a on a.id = d.watch_id join transfers t on t.id = d.transfer_id
       left join monitored_movements m on m.detection_id = d.id
     where d.id = any($1::uuid[]) and d.business_id = $2 order by t.block_height, t.id, d.id`,
    [detectionIds, businessId],
  )
  return rows.map(({ memo, memoType, told, toldGeneration, ...row }) => ({
    ...row,
    amount: BigInt(row.amount),
    blockHeight: Number(row.blockHeight),
    memo: memoOf(memo, memoType),
    last: told === null || toldGeneration === null ? null : { told, generation: toldGeneration },
  }))
}

const memoOf = (value: string | null, type: MemoType | null): Memo | null => (value === null || type === null ? null : { type, value })
