import type { Queryable } from '../platform/db.ts'
import type { IntentStatus } from '../txmgr/intents.ts'

export type MoveKind = 'unstake' | 'withdrawal'

/** A transaction that unstakes or withdraws a native stake. */
export interface StakeMove {
  intentId: string
  kind: MoveKind
  /** The stake that the rest becomes; null: all of it is unstaked. */
  restId: string | null
  /** Of a withdrawal: all that leaves the account, in base units. */
  amount: bigint | null
  /** When its confirmation was first seen. */
  confirmedAt: Date | null
  /** Of its intent, with the reason of a failure. */
  status: IntentStatus
  reason: string | null
}

/** Its transaction failed, or can never be included: the stake is as before. */
export const hasFailed = ({ status }: Pick<StakeMove, 'status'>): boolean => status === 'failed' || status === 'expired'
export const isOpen = (move: Pick<StakeMove, 'status'>): boolean => move.status !== 'confirmed' && !hasFailed(move)

/** In the order in which they were made. */
export async function readMoves(db: Queryable, stakeId: string): Promise<StakeMove[]> {
  const rows = await db.query<Omit<StakeMove, 'amount'> & { amount: string | null }>(
    `select m.intent_id as "intentId", m.kind, m.rest_id as "restId", m.amount::text as amount, m.confirmed_at as "confirmedAt", i.status, i.reason
     from stake_moves m join intents i on i.id = m.intent_id where m.stake_id = $1 order by m.created_at, m.intent_id`,
    [stakeId],
  )
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : BigInt(row.amount) }))
}

/** The intent is stored in the same transaction. */
export async function insertMove(
  tx: Queryable,
  stakeId: string,
  { intentId, kind, restId, amount }: Pick<StakeMove, 'intentId' | 'kind' | 'restId' | 'amount'>,
): Promise<void> {
  await tx.query('insert into stake_moves (intent_id, stake_id, kind, rest_id, amount) values ($1, $2, $3, $4, $5)', [
    intentId,
    stakeId,
    kind,
    restId,
    amount?.toString() ?? null,
  ])
}
