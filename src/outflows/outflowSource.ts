import type { Queryable } from '../platform/database/db.ts'
import { isOwnGas } from '../txmgr/fees/ownGas.ts'
import type { Outflow } from './outflow.ts'

/** The part of an outflow that names the payment it gives back. */
export type GivenBack = Pick<
  Outflow,
  'id' | 'kind' | 'businessId' | 'sessionId' | 'paymentId' | 'chain' | 'token' | 'amount'
>

/**
 * Why a refund, a return of suspense or an automatic payout does not leave: a fork has taken its payment
 * away. Stable.
 */
export const reversedReason = 'payment_reversed'

/** SQL: the outflow `o` has left, or may have left. */
const mayHaveLeft = "o.status in ('processing', 'unknown', 'completed')"
/** SQL: the treasury has taken it, which no other process writes. */
export const takenByTreasury =
  "o.status not in ('failed', 'cancelled') and exists (select 1 from outflow_signatures s where s.outflow_id = o.id)"

/**
 * Checks if the payments that a refund or a return of suspense gives back are confirmed now, and enough for
 * it and for those of the same payments that have left. A reorg counts at once, before the session or
 * suspense is settled again. Other kinds give nothing back.
 * @param and SQL over the other outflows `o` that count
 */
export async function isSourceThere(db: Queryable, outflow: GivenBack, and = mayHaveLeft): Promise<boolean> {
  const { kind, amount } = outflow
  if (kind !== 'refund' && kind !== 'suspense') return true
  return (await leftOf(db, outflow, and)) >= amount
}

/**
 * The same for the api and the workers, who also read what sessions requested: a refund of an excess gives
 * back what came beyond that, and nothing of what was requested.
 */
export async function isGivenBackThere(db: Queryable, outflow: GivenBack): Promise<boolean> {
  const { id, kind, businessId, sessionId, amount } = outflow
  if (kind !== 'refund' && kind !== 'suspense') return true
  const [excess] = await db.query<{ above: string }>(
    `select p.amount_expected::text as above from refunds r join pos_sessions p on p.id = $2 and p.business_id = $3
     where r.outflow_id = $1 and r.kind = 'excess'`,
    [id, sessionId, businessId],
  )
  return (await leftOf(db, outflow, mayHaveLeft)) - BigInt(excess?.above ?? 0) >= amount
}

/** Base units of its payments that are confirmed, less what has left of them. */
async function leftOf(
  db: Queryable,
  { id, kind, businessId, sessionId, paymentId, chain, token }: GivenBack,
  and: string,
): Promise<bigint> {
  const [column, source] = kind === 'refund' ? ['session_id', sessionId] : ['payment_id', paymentId]
  if (source === null) return -1n
  const [row] = await db.query<{ came: string; left: string }>(
    `select (select coalesce(sum(t.amount), 0) from detections d join transfers t on t.id = d.transfer_id
       where ${kind === 'refund' ? 'd.subject_id' : 'd.id'} = $1 and d.business_id is not distinct from $2 and d.status = 'confirmed'
         and t.chain = $3 and t.token = $4 and not ${isOwnGas})::text as came,
       (select coalesce(sum(o.amount), 0) from outflows o
        where o.${column} = $1 and o.kind = $5 and o.id <> $6 and o.chain = $3 and o.token = $4 and ${and})::text as left`,
    [source, businessId, chain, token, kind, id],
  )
  return row === undefined ? -1n : BigInt(row.came) - BigInt(row.left)
}

/**
 * Serializes what gives back the same payments until the transaction ends, so that two do not both take what
 * is left of them.
 */
export async function lockSource(db: Queryable, { kind, sessionId, paymentId }: GivenBack): Promise<void> {
  if (kind !== 'refund' && kind !== 'suspense') return
  await db.query("select pg_advisory_xact_lock(hashtextextended('cowry source ' || $1, 0))", [
    sessionId ?? paymentId ?? '',
  ])
}

/**
 * Checks if a session has payments that a fork took away since it was settled: settling it cancels its
 * automatic payout, makes a smaller one, or lets it go on.
 */
export async function isUnsettled(
  db: Queryable,
  { sessionId }: Pick<Outflow, 'sessionId'>,
): Promise<boolean> {
  if (sessionId === null) return false
  const gone = await db.query(
    `select 1 from session_payments p join detections d on d.id = p.detection_id
     where p.session_id = $1 and p.status = 'confirmed' and d.status <> 'confirmed' limit 1`,
    [sessionId],
  )
  return gone.length > 0
}
