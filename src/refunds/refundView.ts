import { approvalsOf } from '../approvals/approvalsOf.ts'
import type { Needs } from '../approvals/independence.ts'
import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { formatUnits } from '../money/amount.ts'
import { type Outflow, readOutflows } from '../outflows/outflow.ts'
import { type OutflowIntent, readOutflowIntents } from '../outflows/outflowIntent.ts'
import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { RefundKind } from '../sessions/readRefunds.ts'

/** What the table `refunds` has of a refund. */
interface RefundRow {
  id: string
  kind: RefundKind
  claimExpiresAt: Date | null
}

/** `waiting`: no address was named. `claimed`: the customer has named one. */
type ClaimStatus = 'waiting' | 'claimed' | 'expired' | 'cancelled'

/** A refund as the API shows it. */
export type RefundView = ReturnType<typeof present>

/** @param where SQL over the table `outflows`, with `values` from $1 on; names `business_id` */
export async function readRefundViews(
  db: Queryable,
  where: string,
  values: readonly unknown[],
): Promise<RefundView[]> {
  const outflows = await readOutflows(db, `kind = 'refund' and ${where}`, values)
  const rows = await db.query<RefundRow>(
    'select outflow_id as id, kind, claim_expires_at as "claimExpiresAt" from refunds where outflow_id = any($1::uuid[])',
    [outflows.map(({ id }) => id)],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const intents = await readOutflowIntents(db, outflows)
  const waiting = outflows.filter(({ status }) => status === 'awaiting_approval').map(({ id }) => id)
  const approvals = waiting.length > 0 ? await approvalsOf(db, 'payout', waiting) : new Map()
  return outflows.map((outflow) => {
    const row = byId.get(outflow.id)
    if (!row) throw new Error(`refund ${outflow.id} has no row in refunds`)
    return present(outflow, row, intents.get(outflow.id), approvals.get(outflow.id)?.needs ?? null)
  })
}

/** @throws ApiError 404, also for a refund of another business or of another session */
export async function readRefund(
  db: Queryable,
  businessId: string,
  sessionId: string,
  id: string,
): Promise<RefundView> {
  const known = isUuid(sessionId) && isUuid(id)
  const [view] = known
    ? await readRefundViews(db, 'id = $1 and session_id = $2 and business_id = $3', [
        id,
        sessionId,
        businessId,
      ])
    : []
  if (!view) throw notFound('Refund')
  return view
}

function present(
  outflow: Outflow,
  { kind, claimExpiresAt }: RefundRow,
  intent: OutflowIntent | undefined,
  needs: Needs | null,
) {
  const { id, sessionId, status, chain, token, amount, wallet, reason, createdAt, updatedAt, completedAt } =
    outflow
  return {
    id,
    sessionId,
    kind,
    status,
    amount: formatUnits(amount, tokenDecimals(chain, token)),
    token,
    chain,
    toAddress: wallet && addressCodec(registeredChain(wallet.chain).family).display(wallet.address),
    memo: wallet?.memo?.value ?? null,
    memoType: wallet?.memo?.type ?? null,
    claim: claimExpiresAt && {
      status: claimStatus(outflow, claimExpiresAt),
      expiresAt: claimExpiresAt.toISOString(),
    },
    networkCost: intent?.networkCost ?? null,
    ...(status === 'completed' && intent?.arrived),
    txHash: intent?.txHash ?? null,
    reason: needs === 'independent_owner' ? 'independent_owner_missing' : reason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}

function claimStatus({ status, wallet }: Outflow, expiresAt: Date): ClaimStatus {
  if (wallet !== null) return 'claimed'
  if (expiresAt.getTime() <= Date.now()) return 'expired'
  return status === 'awaiting_claim' ? 'waiting' : 'cancelled'
}
