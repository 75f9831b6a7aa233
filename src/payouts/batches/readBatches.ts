import { type ApprovalOf, approvalsOf } from '../../approvals/approvalsOf.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { type PayoutStatus, presentApproval } from '../presentPayout.ts'
import { type BatchGroup, totalsOf } from './batchTotals.ts'

export type PayoutBatchStatus =
  | 'awaiting_approval'
  | 'processing'
  | 'completed'
  | 'completed_with_failures'
  | 'failed'
  | 'cancelled'

/** A batch as the API shows it. */
export type PayoutBatchView = ReturnType<typeof presentBatch>

export interface BatchRow {
  id: string
  reference: string | null
  createdAt: Date
  createdBy: string
}

interface Counted {
  batchId: string
  payouts: number
  destinations: number
  revision: number
}

/** SQL: the columns of `BatchRow`, of the batch `b`. */
const batchColumns = `b.id, b.reference, b.created_at as "createdAt", coalesce(asker.email, k.prefix || '… (' || k.name || ')') as "createdBy"`

/**
 * Batches of one business with all that is shown of them.
 * @param where SQL about the batch `b`, with `values` from $2 on, and its order
 */
export async function readBatches(
  db: Queryable,
  businessId: string,
  where: string,
  values: readonly unknown[],
): Promise<PayoutBatchView[]> {
  const rows = await db.query<BatchRow>(
    `select ${batchColumns} from payout_batches b left join accounts asker on asker.id = b.asked_by_account
       left join api_keys k on k.id = b.asked_by_key where b.business_id = $1 and ${where}`,
    [businessId, ...values],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const counted = await db.query<Counted>(
    `select batch_id as "batchId", count(*)::int as payouts, count(distinct destination_id) filter (where status <> 'cancelled')::int as destinations, sum(revision)::int as revision
     from outflows where batch_id = any($1::uuid[]) and business_id = $2 group by batch_id`,
    [ids, businessId],
  )
  const groups = await db.query<BatchGroup & { batchId: string; status: PayoutStatus }>(
    `select batch_id as "batchId", status, chain, token, to_chain as "toChain", to_token as "toToken", currency, count(*)::int as payouts,
       sum(amount)::text as amount, sum(fee)::text as fee, sum(to_amount)::text as "toAmount", sum(local_amount)::text as "localAmount",
       trim_scale(sum(local_fee))::text as "localFee"
     from outflows where batch_id = any($1::uuid[]) and business_id = $2 group by 1, 2, 3, 4, 5, 6, 7 order by 3, 4, 5, 6, 7`,
    [ids, businessId],
  )
  const approvals = await approvalsOf(db, 'payout', ids)
  return rows.map((row) => {
    const of = counted.find(({ batchId }) => batchId === row.id)
    if (!of) throw new Error(`payout batch ${row.id} is empty`)
    const parts = groups.filter(({ batchId }) => batchId === row.id)
    return presentBatch(row, of, parts, approvals.get(row.id) ?? null)
  })
}

/** @throws ApiError 404, also for another business's batch */
export async function findBatch(db: Queryable, businessId: string, id: string): Promise<PayoutBatchView> {
  const [batch] = isUuid(id) ? await readBatches(db, businessId, 'b.id = $2', [id]) : []
  if (!batch) throw notFound('Payout batch')
  return batch
}

const statuses = [
  'awaiting_approval',
  'pending',
  'processing',
  'completed',
  'returned',
  'failed',
  'cancelled',
  'unknown',
] as const satisfies PayoutStatus[]

/** Their money is available again. */
const endedUnpaid: readonly PayoutStatus[] = ['returned', 'failed', 'cancelled']

function presentBatch(
  row: BatchRow,
  { payouts, destinations, revision }: Counted,
  groups: readonly (BatchGroup & { status: PayoutStatus })[],
  approval: ApprovalOf | null,
) {
  const countOf = (status: PayoutStatus) =>
    groups.reduce((sum, each) => sum + (each.status === status ? each.payouts : 0), 0)
  const counts = Object.fromEntries(statuses.map((each) => [each, countOf(each)])) as Record<
    PayoutStatus,
    number
  >
  const status = statusOf(counts)
  return {
    id: row.id,
    status,
    revision,
    reference: row.reference,
    payouts,
    destinations,
    counts,
    totals: totalsOf(groups.filter(({ status: of }) => !endedUnpaid.includes(of))),
    createdBy: row.createdBy,
    approval: approval && presentApproval(approval, status === 'awaiting_approval'),
    createdAt: row.createdAt.toISOString(),
  }
}

/** The state of a batch, by those of its payouts. */
export function statusOf(counts: Readonly<Record<PayoutStatus, number>>): PayoutBatchStatus {
  if (counts.awaiting_approval > 0) return 'awaiting_approval'
  if (counts.pending + counts.processing + counts.unknown > 0) return 'processing'
  const others = counts.returned + counts.failed + counts.cancelled
  if (others === 0) return 'completed'
  if (counts.completed > 0) return 'completed_with_failures'
  return counts.cancelled === others ? 'cancelled' : 'failed'
}
