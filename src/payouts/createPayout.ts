import type { Caller } from '../accounts/caller.ts'
import { requireFreshFactor } from '../accounts/freshFactor.ts'
import { approvalsOf } from '../approvals/approvalsOf.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { getBusiness } from '../businesses/business.ts'
import type { Prover } from '../custody/proof.ts'
import { saveDestination } from '../destinations/createDestination.ts'
import { auditedDestination, type DestinationRow, presentDestination } from '../destinations/destination.ts'
import { findDestinationByFingerprint } from '../destinations/getDestination.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { post } from '../ledger/post.ts'
import { requireWithinLimitsOfKey } from '../outflows/keyLimits.ts'
import { requestOutflowApproval } from '../outflows/requestOutflowApproval.ts'
import { storeOutflow } from '../outflows/storeOutflow.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import type { OneByOne } from '../platform/database/oneByOne.ts'
import { ApiError } from '../platform/errors.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import type { Secret } from '../platform/secrets.ts'
import { type LimitsContext, requireWithinPayoutLimits } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { inField } from './inField.ts'
import { insufficientFunds } from './insufficientFunds.ts'
import { payoutCreated } from './payoutEvents.ts'
import { type PayoutView, presentPayout } from './presentPayout.ts'
import { type PricingContext, pricePayout } from './pricePayout.ts'
import {
  type PayoutRequest,
  type PayoutTarget,
  type ReadPayoutContext,
  readSource,
  readTarget,
  requireSameCurrency,
} from './readPayout.ts'

export interface CreatePayoutContext extends ReadPayoutContext, PricingContext, LimitsContext {
  db: ModelDb
  appKey: Secret
  prover: Prover
  /** By business: payouts of one wait for each other here, and not with a connection each. */
  oneByOne: OneByOne
}

export interface PayoutCaller extends Pick<Caller, 'account'> {
  businessId: string
  actor: Actor
  /** Exactly one of the two is set. */
  accountId: string | null
  apiKeyId: string | null
  /** Root of the key. */
  keyRootId: string | null
  /** Whether it may save destinations. */
  saves: boolean
}

/**
 * Stores a payout, and holds its money.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming the field; 403 `fresh_factor_required`, `insufficient_permission`,
 * `insufficient_role`, `limit_exceeded`; 404; 422 with the reason; 503
 */
export async function createPayout(
  ctx: CreatePayoutContext,
  caller: PayoutCaller,
  request: PayoutRequest,
  also: (tx: ModelTx, result: PayoutView) => Promise<void>,
): Promise<PayoutView> {
  const { businessId, accountId, apiKeyId, keyRootId } = caller
  requireMetadata(request.metadata)
  const source = readSource(ctx, request)
  const target = await readTarget(ctx, businessId, request.destination)
  if ('fresh' in target) {
    requireSaves(caller)
    requireFreshFactor(caller)
  }
  const { wallet, bank, ...parts } = await pricePayout(
    ctx,
    source,
    target,
    await getBusiness(ctx, businessId),
  )
  if (bank) await requireLegalProfile(ctx.db, businessId)
  const store = async (tx: ModelTx) => {
    const destination = 'saved' in target ? target.saved : await saved(ctx, tx, caller, target)
    const [chain, token, amount] = [source.chain.name, source.token.symbol, source.amount]
    const ofBusiness = await requireWithinPayoutLimits(ctx, tx, businessId, { chain, token, amount })
    const ofKey = await requireWithinLimitsOfKey(tx, keyRootId, {
      chain: source.chain,
      token,
      amount,
      to: wallet,
      fields: fieldsOfLimits,
    })
    const approval = ofBusiness.approval || ofKey.approval
    const status = approval ? 'awaiting_approval' : 'pending'
    const { outflow, entries } = await storeOutflow({ madeBy: 'api', prover: ctx.prover }, tx, {
      kind: 'payout',
      businessId,
      status,
      chain,
      token,
      amount,
      ...parts,
      destinationId: destination.id,
      wallet,
      bank,
      askedByAccount: accountId,
      askedByKey: apiKeyId,
      reference: request.reference ?? null,
      metadata: request.metadata ?? null,
    })
    if (approval) await requestOutflowApproval(tx, outflow)
    await post(tx, entries).catch((error) => {
      throw insufficientFunds(error, { symbol: token, decimals: source.token.decimals, amount })
    })
    const approvals = approval ? await approvalsOf(tx, 'payout', [outflow.id]) : null
    const view = presentPayout(ctx, outflow, {
      destination,
      approval: approvals?.get(outflow.id) ?? null,
      sent: null,
    })
    recordEvents(tx, businessId, [payoutCreated(view)])
    await also(tx, view)
    return view
  }
  return ctx.oneByOne(businessId, () => ctx.db.tx(store))
}

/** The fields of a payout by the names of its key's limits. */
export const fieldsOfLimits = {
  token: 'source.token',
  toAddress: 'destination',
  memo: 'destination',
} as const

/** @throws ApiError 403 `insufficient_permission` for a key, `insufficient_role` for a member */
export function requireSaves({ saves, apiKeyId }: PayoutCaller): void {
  if (saves) return
  const needed = 'A new destination is saved by an owner (permission payouts:destinations)'
  if (apiKeyId !== null)
    throw new ApiError(403, 'insufficient_permission', `${needed}, and this key does not have it`)
  throw new ApiError(403, 'insufficient_role', needed)
}

/** @throws ApiError 422 `legal_profile_missing` */
export async function requireLegalProfile(db: ModelDb, businessId: string): Promise<void> {
  const profiles = await db.query('select 1 from legal_profiles where business_id = $1', [businessId])
  if (profiles.length > 0) return
  const message =
    'A bank payout needs the legal profile of the business: an owner writes it in the dashboard (Settings, Payouts)'
  throw new ApiError(422, 'legal_profile_missing', message)
}

/** Saves a new destination; another request may have saved it meanwhile. */
async function saved(
  ctx: CreatePayoutContext,
  tx: ModelTx,
  { businessId, actor, accountId, apiKeyId }: PayoutCaller,
  { fresh, fingerprint }: Extract<PayoutTarget, { fresh: unknown }>,
): Promise<DestinationRow> {
  const row = await inField('destination', () =>
    saveDestination(ctx, tx, { businessId, name: null, fingerprint, by: { accountId, apiKeyId } }, fresh),
  )
  if (row) {
    const after = auditedDestination(presentDestination(ctx, row))
    await recordAudit(tx, actor, { businessId, action: 'destination.created', target: row.id, after })
    return row
  }
  const other = await findDestinationByFingerprint(tx, businessId, fingerprint)
  if (!other)
    throw new ApiError(409, 'destination_changed', 'The destination was archived at this moment: try again')
  requireSameCurrency(other, fresh)
  return other
}
