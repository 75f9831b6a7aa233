import { requestApprovals } from '../../approvals/requestApproval.ts'
import { recordAudits } from '../../audit/recordAudit.ts'
import { saveDestinations } from '../../destinations/createDestination.ts'
import {
  auditedDestination,
  type DestinationRow,
  presentDestination,
} from '../../destinations/destination.ts'
import { findDestinationsByFingerprint } from '../../destinations/getDestination.ts'
import { recordEvents } from '../../events/recordEvents.ts'
import { InsufficientFundsError } from '../../ledger/insufficientFunds.ts'
import { post } from '../../ledger/post.ts'
import { storeOutflows } from '../../outflows/storeOutflow.ts'
import type { ModelTx } from '../../platform/database/modelDb.ts'
import { ApiError, refusalCode } from '../../platform/errors.ts'
import { failpoint } from '../../platform/failpoints.ts'
import { newId } from '../../platform/ids.ts'
import { lockPayoutLimits } from '../../spendingLimits/payoutLimitSettings.ts'
import { lockLimits } from '../../spendingLimits/readLimits.ts'
import type { PayoutCaller } from '../createPayout.ts'
import { payoutCreated } from '../payoutEvents.ts'
import { requireSameCurrency } from '../readPayout.ts'
import { presentPayouts } from '../readPayouts.ts'
import { compareTogether } from './compareTogether.ts'
import { batchRefused, collected, type Mistake } from './mistakes.ts'
import { type BatchContext, type BatchRequest, keyOf, type PlannedPayout, readBatch } from './readBatch.ts'
import { findBatch, type PayoutBatchView } from './readBatches.ts'

/**
 * Stores many payouts, and holds their money: all of them, or none. Rates, banks and chains are requested before
 * the transaction, which holds locks.
 * @param also runs in the same transaction
 * @throws ApiError 400 with every mistake of every entry; 403, 422 and 503 as of one payout
 */
export async function createPayoutBatch(
  ctx: BatchContext,
  caller: PayoutCaller,
  request: BatchRequest,
  also: (tx: ModelTx, result: PayoutBatchView) => Promise<void>,
): Promise<PayoutBatchView> {
  const { businessId } = caller
  const { planned, found } = await readBatch(ctx, caller, request)
  const before = await compareTogether(ctx, ctx.db, caller, planned)
  if (found.length + before.found.length > 0) throw batchRefused([...found, ...before.found])
  const batch = await ctx.oneByOne(businessId, () =>
    ctx.db.tx((tx) => store(ctx, tx, caller, { ...request, planned }, also)),
  )
  failpoint('api.batch-stored')
  return batch
}

async function store(
  ctx: BatchContext,
  tx: ModelTx,
  caller: PayoutCaller,
  { planned, reference }: BatchRequest & { planned: readonly PlannedPayout[] },
  also: (tx: ModelTx, result: PayoutBatchView) => Promise<void>,
): Promise<PayoutBatchView> {
  const { businessId, accountId, apiKeyId, keyRootId } = caller
  const batchId = newId()
  await tx.query(
    `insert into payout_batches (id, business_id, reference, asked_by_account, asked_by_key, created_at)
     values ($1, $2, $3, $4, $5, now())`,
    [batchId, businessId, reference ?? null, accountId, apiKeyId],
  )
  const { destinations, needsApproval } = await saveFresh(ctx, tx, caller, batchId, planned)
  await lockPayoutLimits(tx, businessId)
  if (keyRootId !== null) await lockLimits(tx, { kind: 'key', id: keyRootId })
  const { found, approval: ofLimits } = await compareTogether(ctx, tx, caller, planned)
  if (found.length > 0) throw batchRefused(found)
  const approval = ofLimits || needsApproval
  const { outflows, entries } = await storeOutflows(
    { madeBy: 'api', prover: ctx.prover },
    tx,
    planned.map(({ request, source, target, priced }) => ({
      kind: 'payout',
      businessId,
      batchId,
      status: approval ? 'awaiting_approval' : 'pending',
      chain: source.chain.name,
      token: source.token.symbol,
      amount: source.amount,
      ...priced,
      destinationId: destinationOf(destinations, target).id,
      askedByAccount: accountId,
      askedByKey: apiKeyId,
      reference: request.reference ?? null,
      metadata: request.metadata ?? null,
    })),
  )
  if (approval)
    await requestApprovals(tx, { businessId, subject: 'payout', accountId, apiKeyId, batchId }, [
      batchId,
      ...outflows.map(({ id }) => id),
    ])
  await post(tx, entries).catch((error: unknown) => {
    throw error instanceof InsufficientFundsError ? batchRefused([fundsTaken]) : error
  })
  const views = await presentPayouts(ctx, tx, businessId, outflows)
  recordEvents(tx, businessId, views.map(payoutCreated))
  const view = await findBatch(tx, businessId, batchId)
  await also(tx, view)
  return view
}

/** Automatic payouts hold money without the lock of limits: the balance may have shrunk since it was compared. */
const fundsTaken: Mistake = {
  at: null,
  field: 'payouts',
  message: 'take more than is available: the balance has changed at this moment, try again',
  code: refusalCode('insufficient_funds'),
}

type Destinations = ReadonlyMap<string, DestinationRow>

function destinationOf(destinations: Destinations, target: PlannedPayout['target']): DestinationRow {
  const row = 'saved' in target ? target.saved : destinations.get(keyOf(target))
  if (!row)
    throw new ApiError(409, 'destination_changed', 'A destination was archived at this moment: try again')
  return row
}

/**
 * Saves the new destinations of the batch; another request may have saved some meanwhile.
 * @returns by their key; and whether any of them needs an approval
 */
async function saveFresh(
  ctx: BatchContext,
  tx: ModelTx,
  { businessId, actor, accountId, apiKeyId }: PayoutCaller,
  batchId: string,
  planned: readonly PlannedPayout[],
): Promise<{ destinations: Destinations; needsApproval: boolean }> {
  const fresh = new Map(
    planned.flatMap(({ target }) => ('fresh' in target ? [[keyOf(target), target] as const] : [])),
  )
  if (fresh.size === 0) return { destinations: new Map(), needsApproval: false }
  const wanted = [...fresh.values()].map(({ fresh: destination, fingerprint }) => ({
    name: null,
    fingerprint,
    destination,
  }))
  const saved = await saveDestinations(ctx, tx, { businessId, by: { accountId, apiKeyId }, batchId }, wanted)
  const audited = saved.map((row) => ({
    businessId,
    action: 'destination.created',
    target: row.id,
    after: auditedDestination(presentDestination(ctx, row)),
  }))
  await recordAudits(tx, actor, audited)
  const fingerprints = wanted.map(({ fingerprint }) => fingerprint)
  const destinations = await findDestinationsByFingerprint(tx, businessId, fingerprints)
  await refuseOtherCurrencies(destinations, planned)
  return {
    destinations,
    needsApproval: saved.some(({ status }) => status === 'awaiting_approval'),
  }
}

/** Another request may have saved an account in another currency meanwhile. @throws ApiError 400 */
async function refuseOtherCurrencies(
  destinations: Destinations,
  planned: readonly PlannedPayout[],
): Promise<void> {
  const found: Mistake[] = []
  for (const { at, target } of planned) {
    const row = 'fresh' in target ? destinations.get(keyOf(target)) : undefined
    if (row && 'fresh' in target) await collected(found, at, () => requireSameCurrency(row, target.fresh))
  }
  if (found.length > 0) throw batchRefused(found)
}
