import type { Caller } from '../accounts/caller.ts'
import { keepMayNameAddress } from '../apiKeys/refundAddress.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { refuseOwnAddress } from '../destinations/refuseOwnAddress.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { InsufficientFundsError } from '../ledger/insufficientFunds.ts'
import { post } from '../ledger/post.ts'
import { formatUnits } from '../money/amount.ts'
import { requireWithinLimitsOfKey } from '../outflows/keyLimits.ts'
import type { Outflow } from '../outflows/outflow.ts'
import { requestOutflowApproval } from '../outflows/requestOutflowApproval.ts'
import { type OutflowMaker, storeOutflow } from '../outflows/storeOutflow.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid } from '../platform/ids.ts'
import { releaseHeld } from '../sessions/releaseHeld.ts'
import { lockOwnSession, type StoredSession } from '../sessions/storedSession.ts'
import { type LimitsContext, requireWithinPayoutLimits } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { claimUrl, hashOfClaimToken, newClaimToken } from './claimToken.ts'
import { coveredNow } from './listRefundable.ts'
import {
  type CheckedRefund,
  type RefundRequest,
  readRefundRequest,
  requireRefundForm,
} from './readRefundRequest.ts'
import { refundableAmount } from './refundable.ts'
import { refundCreated } from './refundEvents.ts'
import { type RefundView, readRefund } from './refundView.ts'

export interface CreateRefundContext extends LimitsContext {
  db: Db
  chains: readonly ConfiguredChain[]
  maker: OutflowMaker
  /** The deployment's public URL. */
  issuer: string
  /** How long a link can be used. */
  claimDays: number
}

/** A new refund, with the link that only this answer has. */
export type CreatedRefund = RefundView & { claimUrl?: string }

/**
 * Refunds money of a session: holds it at once, and lets a worker send it, or a customer name an address
 * first.
 * @param also runs in the same transaction; gets the answer, and the same without the link
 * @throws ApiError 400 naming each wrong field; 403 `insufficient_permission`, `limit_exceeded`; 404; 409
 * `session_pending`, `too_many_refunds`; 422 `amount_exceeds_rest`, `nothing_to_refund`,
 *   `insufficient_funds`, `own_address`, `recipient_is_token`, `recipient_without_key`
 */
export async function createRefund(
  ctx: CreateRefundContext,
  { businessId, account, apiKey }: Pick<Caller, 'businessId' | 'account' | 'apiKey'>,
  sessionId: string,
  wanted: RefundRequest,
  also: (tx: Tx, result: CreatedRefund, stored: RefundView) => Promise<void>,
): Promise<CreatedRefund> {
  requireRefundForm(wanted)
  if (!isUuid(sessionId)) throw notFound('Session')
  const created = await ctx.db.tx(async (tx) => {
    if (apiKey && wanted.toAddress !== undefined) await keepMayNameAddress(tx, apiKey.id)
    const session = await lockOwnSession(tx, businessId, sessionId)
    if (!session) throw notFound('Session')
    const refund = readRefundRequest(ctx, session, wanted)
    if (refund.to) await refuseOwnAddress(tx, refund.chain.family, refund.to.address, 'toAddress')
    requireEnded(session)
    const amount = await refundableAmount(
      tx,
      session,
      { chain: refund.chain.name, token: refund.token },
      wanted,
    )
    const ofBusiness = await requireWithinPayoutLimits(ctx, tx, businessId, {
      chain: refund.chain.name,
      token: refund.token,
      amount,
    })
    const ofKey = await requireWithinLimitsOfKey(tx, apiKey?.rootId ?? null, {
      ...refund,
      amount,
      to: refund.to && { ...refund.to, chain: refund.chain.name },
      fields: refund.to ? {} : { toAddress: 'claim' },
    })
    const askedBy = {
      needsApproval: ofBusiness.approval || ofKey.approval,
      askedByAccount: account?.id ?? null,
      askedByKey: apiKey?.id ?? null,
    }
    const { id, token } = await store(ctx, tx, session, {
      ...refund,
      ...askedBy,
      amount,
      kind: wanted.kind ?? 'amount',
    })
    const stored = await readRefund(tx, businessId, sessionId, id)
    const result = token ? { ...stored, claimUrl: claimUrl(ctx.issuer, token) } : stored
    recordEvents(tx, businessId, [refundCreated(stored)])
    await also(tx, result, stored)
    return result
  })
  failpoint('api.refund-stored')
  return created
}

/** Until a session ends, its money counts for it. @throws ApiError 409 `session_pending` */
function requireEnded({ status }: StoredSession): void {
  if (status !== 'pending') return
  throw new ApiError(
    409,
    'session_pending',
    'The session still waits for its payment: refund it when it is paid, has expired, or was accepted',
  )
}

interface ToStore extends CheckedRefund {
  amount: bigint
  kind: string
  needsApproval: boolean
  askedByAccount: string | null
  askedByKey: string | null
}

function firstStatus({ to, needsApproval }: ToStore) {
  if (to === null) return 'awaiting_claim'
  return needsApproval ? 'awaiting_approval' : 'pending'
}

async function store(ctx: CreateRefundContext, tx: Tx, session: StoredSession, refund: ToStore) {
  const { id: sessionId, businessId } = session
  const { chain, token, amount, to, kind, ...asked } = refund
  const isOwn = chain.name === session.chain && token === session.token
  const covered = await coveredNow(tx, session, chain.name, token)
  const excess = isOwn ? await releaseHeld(tx, session, amount) : { amount: 0n, entries: [] }
  const { outflow, entries } = await storeOutflow(ctx.maker, tx, {
    kind: 'refund',
    businessId,
    sessionId,
    status: firstStatus(refund),
    chain: chain.name,
    token,
    amount,
    wallet: to && { chain: chain.name, token, address: to.address, memo: to.memo, amount },
    bank: null,
    ...asked,
  })
  if (outflow.status === 'awaiting_approval') await requestOutflowApproval(tx, outflow)
  const claimToken = to === null ? newClaimToken() : null
  await tx.query(
    `insert into refunds (outflow_id, kind, claim_hash, claim_expires_at)
     values ($1, $2, $3, case when $3::bytea is not null then now() + $4 * interval '1 day' end)`,
    [outflow.id, kind, claimToken && hashOfClaimToken(claimToken.reveal()), ctx.claimDays],
  )
  // An excess was never the business's: a debt of the business does not keep it from going back.
  const holding = entries.map((entry) => ({ ...entry, mayOwe: amount <= excess.amount }))
  await post(tx, [...excess.entries, ...holding]).catch((error: unknown) => {
    throw error instanceof InsufficientFundsError ? insufficient(outflow, covered, error) : error
  })
  return { id: outflow.id, token: claimToken }
}

/** @param covered could be refunded before */
function insufficient(
  { chain, token, amount }: Outflow,
  covered: bigint,
  error: InsufficientFundsError,
): ApiError {
  // Less where something was paid out meanwhile.
  const available = covered < amount ? covered : amount - error.missing
  const shown = (units: bigint) => formatUnits(units, tokenDecimals(chain, token))
  const missing = {
    symbol: token,
    missing: shown(amount - available),
    required: shown(amount),
    available: shown(available),
  }
  const message = `only ${missing.available} of ${missing.required} ${token} on ${chain} can be refunded now: the rest has left your balance`
  return new ApiError(422, 'insufficient_funds', message, { missing, cause: error })
}
