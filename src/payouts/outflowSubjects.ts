import { formatUnits } from '../chains/amount.ts'
import { shownForm } from '../chains/codecs.ts'
import type { Queryable } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { tokenDecimals } from './decimals.ts'
import { type Outflow, readOutflows } from './outflow.ts'
import { presentPayouts } from './readPayouts.ts'

/** The payouts and refunds that approvals are about, as approvals show them, by their id. */
export async function outflowSubjects(
  ctx: { db: Queryable; appKey: Secret },
  businessId: string,
  approvals: readonly { subject: string; subjectId: string }[],
): Promise<Map<string, { payout: object } | { refund: object }>> {
  const ids = approvals.filter(({ subject }) => subject === 'payout').map(({ subjectId }) => subjectId)
  if (ids.length === 0) return new Map()
  const outflows = await readOutflows(ctx.db, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])
  const payouts = await presentPayouts(
    ctx,
    ctx.db,
    businessId,
    outflows.filter(({ kind }) => kind === 'payout'),
  )
  const refunds = outflows.filter(({ kind }) => kind === 'refund').map(presentRefund)
  return new Map<string, { payout: object } | { refund: object }>([
    ...payouts.map((payout) => [payout.id, { payout }] as const),
    ...refunds.map((refund) => [refund.id, { refund }] as const),
  ])
}

const presentRefund = ({ id, status, revision, chain, token, amount, wallet, sessionId, reason, createdAt }: Outflow) => ({
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
