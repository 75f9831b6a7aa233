import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Memo } from '../chains/chain.ts'
import { shownForm } from '../chains/codecs.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody, notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { type AssetsContext, assetIn, inWholeUnits, requireAsset } from '../statements/assets.ts'
import { requireAdjusted } from './adjustableAccounts.ts'
import { heldInSuspense } from './assignSuspense.ts'
import { type AdjustmentView, readAdjustment } from './listAdjustments.ts'
import type { OperatorAccount } from './suspenseOwner.ts'

type Context = AssetsContext & { db: Db }

export interface WantedAdjustment {
  businessId?: string
  debit: string
  credit: string
  asset: string
  /** Whole units. */
  amount: string
  reason: string
}

/**
 * Proposes an adjustment, which another operator has to approve. Nothing is posted.
 * @throws ApiError 400 naming each wrong field; 404 for a business that does not exist
 */
export async function proposeAdjustment(
  ctx: Context,
  actor: Actor,
  operatorId: string,
  wanted: WantedAdjustment,
): Promise<AdjustmentView> {
  const asset = requireAsset(ctx, wanted.asset, invalidBody)
  const { debit, credit, reason } = wanted
  const businessId = wanted.businessId ?? null
  requireAdjusted({ businessId, debit, credit }, asset)
  const amount = requireAmount(wanted.amount, asset.decimals, 'amount')
  return ctx.db.tx(async (tx) => {
    if (businessId !== null) await requireBusiness(tx, businessId)
    return storeProposal(ctx, tx, actor, operatorId, {
      businessId,
      debit,
      credit,
      asset: asset.asset,
      amount,
      reason,
      suspensePayment: null,
    })
  })
}

/** Exactly one of the two. */
interface WantedOwner {
  businessId?: string | null
  account?: OperatorAccount | null
}

/**
 * Proposes to give a payment in suspense to a business, or to book it as the operator's, which another
 * operator has to approve.
 * @throws ApiError 400 naming the field; 404; 409 `not_in_suspense`; 422 `not_at_staking_address`
 */
export async function proposeAssignment(
  ctx: Context,
  actor: Actor,
  operatorId: string,
  paymentId: string,
  { businessId = null, account = null, reason }: WantedOwner & { reason: string },
): Promise<AdjustmentView> {
  if ((businessId === null) === (account === null))
    throw invalidBody({
      field: 'account',
      message: 'is required without businessId, and not with it',
      code: 'not_possible',
    })
  return ctx.db.tx(async (tx) => {
    if (businessId !== null) await requireBusiness(tx, businessId)
    const held = isUuid(paymentId) ? await heldInSuspense(tx, paymentId) : 'unknown'
    if (held === 'unknown') throw notFound('Payment')
    if (held === null) throw notInSuspense()
    if (account !== null && !held.isOfStaking) throw notAtStakingAddress()
    const { asset, amount } = held
    const to = { businessId, credit: account ?? 'available' }
    return storeProposal(ctx, tx, actor, operatorId, {
      asset,
      amount,
      ...to,
      debit: 'suspense',
      reason,
      suspensePayment: paymentId,
    })
  })
}

const notAtStakingAddress = () =>
  new ApiError(
    422,
    'not_at_staking_address',
    'Rewards and fees of stakes are paid from the staking address: send the money there',
  )

export const notInSuspense = () =>
  new ApiError(
    409,
    'not_in_suspense',
    'The payment is not held in suspense now: it was given away, goes back, or was taken back by a fork',
  )

interface Proposal {
  businessId: string | null
  debit: string
  credit: string
  asset: string
  /** Base units. */
  amount: bigint
  reason: string
  suspensePayment: string | null
  /** Where a payment in suspense goes back to. */
  to?: { address: string; memo: Memo | null }
}

/** Hours that an adjustment waits for another operator. */
const waitingHours = 72

/** Stores a proposal, with its entry in the audit log. */
export async function storeProposal(
  ctx: AssetsContext,
  tx: Tx,
  actor: Actor,
  operatorId: string,
  proposal: Proposal,
): Promise<AdjustmentView> {
  const id = newId()
  const { businessId, debit, credit, asset, amount, reason, suspensePayment, to } = proposal
  await tx.query(
    `insert into ledger_adjustments (id, business_id, debit, credit, asset, amount, reason, suspense_payment, proposed_by, expires_at, to_address, to_memo,
       to_memo_type)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 hour', $11, $12, $13)`,
    [
      ...[
        id,
        businessId,
        debit,
        credit,
        asset,
        amount.toString(),
        reason.trim(),
        suspensePayment,
        operatorId,
        waitingHours,
      ],
      ...[to?.address, to?.memo?.value, to?.memo?.type],
    ],
  )
  const after = {
    ...(businessId && { business: businessId }),
    debit,
    credit,
    asset,
    amount: inWholeUnits(amount, assetIn(ctx, asset)),
    reason: reason.trim(),
    ...(suspensePayment && { suspensePayment }),
    ...(to && { toAddress: shownForm(to.address), ...(to.memo && { memo: to.memo.value }) }),
  }
  await recordAudit(tx, actor, { businessId: null, action: 'adjustment.proposed', target: id, after })
  return readAdjustment(ctx, tx, operatorId, id)
}

/** @throws ApiError 404 */
async function requireBusiness(tx: Tx, businessId: string): Promise<void> {
  const found = isUuid(businessId)
    ? await tx.query('select 1 from businesses where id = $1', [businessId])
    : []
  if (found.length === 0) throw notFound('Business')
}
