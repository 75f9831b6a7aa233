import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { MemoType } from '../chains/chain.ts'
import { shownForm } from '../chains/codecs.ts'
import { adjusted } from '../ledger/entries.ts'
import { InsufficientFundsError } from '../ledger/insufficientFunds.ts'
import { post } from '../ledger/post.ts'
import type { OutflowMaker } from '../outflows/storeOutflow.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type AssetsContext, assetIn, inWholeUnits } from '../statements/assets.ts'
import { adjustedAccount } from './adjustableAccounts.ts'
import { assignSuspense } from './assignSuspense.ts'
import { type AdjustmentView, readAdjustment } from './listAdjustments.ts'
import { notInSuspense } from './proposeAdjustment.ts'
import { returnSuspense } from './returnSuspense.ts'
import { operatorAccounts } from './suspenseOwner.ts'

type DecisionContext = AssetsContext & { db: Db; maker: OutflowMaker }
type Decision = 'approved' | 'refused'

interface Row {
  id: string
  businessId: string | null
  debit: string
  credit: string
  asset: string
  /** Base units. */
  amount: string
  reason: string
  suspensePayment: string | null
  toAddress: string | null
  toMemo: string | null
  toMemoType: MemoType | null
  proposedBy: string
  decision: Decision | null
  decidedBy: string | null
  isOver: boolean
}

/**
 * Approves an adjustment, which posts it in the same transaction, or refuses it. Who proposed it may refuse
 * it but not approve it. Repeating a decision changes nothing.
 * @throws ApiError 403 `own_request`; 404; 409 `adjustment_decided`, `adjustment_expired`, `adjustment_void`,
 * `insufficient_funds`, `not_in_suspense`
 */
export async function decideAdjustment(
  ctx: DecisionContext,
  actor: Actor,
  operatorId: string,
  id: string,
  decision: Decision,
): Promise<AdjustmentView> {
  return ctx.db.tx(async (tx) => {
    const row = await lockAdjustment(tx, id)
    if (row.decision === decision && row.decidedBy === operatorId)
      return readAdjustment(ctx, tx, operatorId, id)
    requireWaiting(row)
    if (decision === 'approved') await requireSecond(tx, row, operatorId)
    const { debit, credit, asset, reason } = row
    await recordAudit(tx, actor, {
      // A business reads about what was posted, not about what was only proposed.
      businessId: decision === 'approved' ? row.businessId : null,
      action: `adjustment.${decision}`,
      target: id,
      after: {
        debit,
        credit,
        asset,
        amount: inWholeUnits(row.amount, assetIn(ctx, asset)),
        reason,
        ...(row.toAddress !== null && { toAddress: shownForm(row.toAddress) }),
      },
    })
    if (decision === 'approved') await carryOut(ctx, tx, row)
    await tx.query(
      'update ledger_adjustments set decision = $2, decided_by = $3, decided_at = now() where id = $1',
      [id, decision, operatorId],
    )
    return readAdjustment(ctx, tx, operatorId, id)
  })
}

async function lockAdjustment(tx: Tx, id: string): Promise<Row> {
  const [row] = isUuid(id)
    ? await tx.query<Row>(
        `select id, business_id as "businessId", debit, credit, asset, amount::text, reason, suspense_payment as "suspensePayment",
           to_address as "toAddress", to_memo as "toMemo", to_memo_type as "toMemoType", proposed_by as "proposedBy", decision, decided_by as "decidedBy", expires_at <= now() as "isOver"
         from ledger_adjustments where id = $1 for update`,
        [id],
      )
    : []
  if (!row) throw notFound('Adjustment')
  return row
}

function requireWaiting({ decision, isOver }: Row): void {
  if (decision !== null) throw new ApiError(409, 'adjustment_decided', 'It was already decided')
  if (isOver) throw new ApiError(409, 'adjustment_expired', 'The time to decide is over: propose it again')
}

/** Two people: the proposal counts only while its author is an operator. @throws ApiError 403, 409 */
async function requireSecond(tx: Tx, { proposedBy }: Row, operatorId: string): Promise<void> {
  if (proposedBy === operatorId)
    throw new ApiError(403, 'own_request', 'Another operator must approve it: you proposed it')
  const [proposer] = await tx.query<{ operator: boolean }>(
    'select operator from accounts where id = $1 for key share',
    [proposedBy],
  )
  if (!proposer?.operator)
    throw new ApiError(409, 'adjustment_void', 'The account that proposed it is no longer an operator')
}

async function carryOut(ctx: DecisionContext, tx: Tx, row: Row): Promise<void> {
  if (row.suspensePayment !== null) {
    if (!(await settleProposal(ctx, tx, row, row.suspensePayment))) throw notInSuspense()
    return
  }
  const asset = assetIn(ctx, row.asset)
  const [debit, credit] = [
    adjustedAccount(row.debit, row.businessId, asset),
    adjustedAccount(row.credit, row.businessId, asset),
  ]
  if (!debit || !credit) throw new Error(`adjustment ${row.id} names an account that is not adjusted`)
  const entry = adjusted({
    cause: { kind: 'adjustment', id: row.id },
    step: 1,
    debit,
    credit,
    amount: BigInt(row.amount),
  })
  await post(tx, [entry]).catch((error: unknown) => {
    throw isShort(error) ? insufficient(ctx, row, error) : error
  })
}

/** @returns false where suspense does not hold the payment now as it was proposed */
async function settleProposal(ctx: DecisionContext, tx: Tx, row: Row, paymentId: string): Promise<boolean> {
  const { businessId, toAddress, toMemo, toMemoType } = row
  const money = { asset: row.asset, amount: BigInt(row.amount) }
  const account = operatorAccounts.find((each) => businessId === null && each === row.credit) ?? null
  if (businessId !== null || account !== null)
    return assignSuspense(tx, paymentId, { businessId, account }, money)
  if (toAddress === null) throw new Error(`adjustment ${row.id} names neither an owner nor an address`)
  const memo = toMemo !== null && toMemoType !== null ? { value: toMemo, type: toMemoType } : null
  return returnSuspense(ctx, tx, paymentId, money, { address: toAddress, memo })
}

/** `rewards` is of the platform, and never negative either. */
const isShort = (error: unknown): boolean =>
  error instanceof InsufficientFundsError ||
  (error as { constraint?: string }).constraint === 'ledger_balances_not_negative'

function insufficient(ctx: AssetsContext, { debit, asset: name }: Row, cause: unknown): ApiError {
  const asset = assetIn(ctx, name)
  const missing =
    cause instanceof InsufficientFundsError ? ` by ${inWholeUnits(cause.missing, asset)} ${asset.symbol}` : ''
  return new ApiError(
    409,
    'insufficient_funds',
    `${debit} would become negative${missing}; nothing was posted`,
    { cause },
  )
}
