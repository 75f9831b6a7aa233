import { shownForm } from '../chains/codecs.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { type DestinationRow, destinationColumns, presentDestination } from '../destinations/destination.ts'
import { formatUnits } from '../money/amount.ts'
import { type Outflow, readOutflows } from '../outflows/outflow.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { type PayoutBatchView, readBatches } from './batches/readBatches.ts'
import { presentPayouts } from './readPayouts.ts'

type OutflowSubject =
  | { payout: object }
  | { batch: PayoutBatchView }
  | { refund: object }
  | { destination: object }

/** The payouts, refunds and destinations that approvals are about, as approvals show them, by their id. */
export async function outflowSubjects(
  ctx: { db: Queryable; appKey: Secret },
  businessId: string,
  approvals: readonly { subject: string; subjectId: string }[],
): Promise<Map<string, OutflowSubject>> {
  const idsOf = (of: string) =>
    approvals.filter(({ subject }) => subject === of).map(({ subjectId }) => subjectId)
  const destinations = await destinationSubjects(ctx, businessId, idsOf('destination'))
  const ids = idsOf('payout')
  if (ids.length === 0) return new Map(destinations)
  const outflows = await readOutflows(ctx.db, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])
  const payouts = await presentPayouts(
    ctx,
    ctx.db,
    businessId,
    outflows.filter(({ kind }) => kind === 'payout'),
  )
  const batches = await readBatches(ctx.db, businessId, 'b.id = any($2::uuid[])', [ids])
  const refunds = outflows.filter(({ kind }) => kind === 'refund').map(presentRefund)
  return new Map<string, OutflowSubject>([
    ...destinations,
    ...payouts.map((payout) => [payout.id, { payout }] as const),
    ...batches.map((batch) => [batch.id, { batch }] as const),
    ...refunds.map((refund) => [refund.id, { refund }] as const),
  ])
}

async function destinationSubjects(
  ctx: { db: Queryable; appKey: Secret },
  businessId: string,
  ids: readonly string[],
) {
  if (ids.length === 0) return []
  const rows = await ctx.db.query<DestinationRow>(
    `select ${destinationColumns} from payout_destinations d where d.id = any($1::uuid[]) and d.business_id = $2`,
    [ids, businessId],
  )
  return rows.map((row): [string, OutflowSubject] => [row.id, { destination: presentDestination(ctx, row) }])
}

const presentRefund = ({
  id,
  status,
  revision,
  chain,
  token,
  amount,
  wallet,
  sessionId,
  reason,
  createdAt,
}: Outflow) => ({
  id,
  status,
  revision,
  chain,
  token,
  amount: formatUnits(amount, tokenDecimals(chain, token)),
  toAddress: wallet && shownForm(wallet.address),
  memo: wallet?.memo?.value ?? null,
  sessionId,
  reason,
  createdAt: createdAt.toISOString(),
})
