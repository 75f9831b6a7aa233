import type { Queryable } from '../../platform/database/db.ts'
import type { IntentStatus } from '../../txmgr/intents.ts'

export type MoveKind = 'unstake' | 'withdrawal'

/** A transaction that unstakes or withdraws a native stake. */
export interface StakeMove {
  intentId: string
  stakeId: string
  kind: MoveKind
  /** The stake that the rest becomes; null: all of it is unstaked. */
  restId: string | null
  /** What the rest gets, in base units, without rewards. */
  restAmount: bigint | null
  /** Of a withdrawal: all that leaves the account, in base units. */
  amount: bigint | null
  /** Of its intent, with the reason of a failure. */
  status: IntentStatus
  reason: string | null
  /** The slot of its block; null: not in a block. */
  blockHeight: number | null
}

/** Its transaction failed, or can never be included: the stake is as before. */
export const hasFailed = ({ status }: Pick<StakeMove, 'status'>): boolean =>
  status === 'failed' || status === 'expired'
export const isOpen = (move: Pick<StakeMove, 'status'>): boolean =>
  move.status !== 'confirmed' && !hasFailed(move)

type NullableAmount = 'amount' | 'restAmount' | 'blockHeight'
type Row = Omit<StakeMove, NullableAmount> & Record<NullableAmount, string | null>

const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

/** In the order in which they were made. */
export const readMoves = (db: Queryable, stakeId: string): Promise<StakeMove[]> =>
  read(db, 'm.stake_id = $1', stakeId)

/** Of all parts of a stake. */
export const readMovesOfRoot = (db: Queryable, rootId: string): Promise<StakeMove[]> =>
  read(db, 'm.stake_id in (select id from stakes where root_id = $1)', rootId)

/**
 * The slot of the last block that changed the account of a stake: by the transaction that opened it, as a
 * stake or as the rest of a split, or by one of its own. 0: no such block.
 */
export async function lastChangeOf(db: Queryable, stakeId: string): Promise<number> {
  const [row] = await db.query<{ slot: string | null }>(
    `select max(block_height)::text as slot from intents where status = 'confirmed'
       and (id = $1 or id in (select intent_id from stake_moves where stake_id = $1 or rest_id = $1))`,
    [stakeId],
  )
  return Number(row?.slot ?? 0)
}

async function read(db: Queryable, where: string, id: string): Promise<StakeMove[]> {
  const rows = await db.query<Row>(
    `select m.intent_id as "intentId", m.stake_id as "stakeId", m.kind, m.rest_id as "restId", m.rest_amount::text as "restAmount",
       m.amount::text as amount, i.status, i.reason, i.block_height::text as "blockHeight"
     from stake_moves m join intents i on i.id = m.intent_id where ${where} order by m.created_at, m.intent_id`,
    [id],
  )
  return rows.map(({ amount, restAmount, blockHeight, ...row }) => ({
    ...row,
    amount: whole(amount),
    restAmount: whole(restAmount),
    blockHeight: blockHeight === null ? null : Number(blockHeight),
  }))
}

type NewMove = Pick<StakeMove, 'intentId' | 'stakeId' | 'kind' | 'restId' | 'restAmount' | 'amount'>

/** The intent is stored in the same transaction. */
export async function insertMove(
  tx: Queryable,
  { intentId, stakeId, kind, restId, restAmount, amount }: NewMove,
): Promise<void> {
  await tx.query(
    'insert into stake_moves (intent_id, stake_id, kind, rest_id, rest_amount, amount) values ($1, $2, $3, $4, $5, $6)',
    [intentId, stakeId, kind, restId, restAmount?.toString() ?? null, amount?.toString() ?? null],
  )
}
