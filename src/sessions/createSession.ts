import { type Actor, confirmActor } from '../audit/recordAudit.ts'
import type { PricingBusiness } from '../businesses/business.ts'
import { readPolicy } from '../businesses/finalityPolicy.ts'
import { storedTolerance, toleratedOf } from '../businesses/tolerance.ts'
import { requiredDepth } from '../chains/finality.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { takeDepositAddress } from '../custody/depositPool.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { formatUnits } from '../money/amount.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { Price } from '../pricing/price.ts'
import type { Caps } from '../rateLimits/caps.ts'
import { addWatch } from '../watches/addWatch.ts'
import { delayedSince, readProgress, requireRead } from './chainProgress.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { isFarBelowCap, requireRoomForSession } from './openSessions.ts'
import { presentSession, type SessionView } from './present.ts'
import { sessionEvent } from './sessionEvent.ts'
import { sendSession } from './storedSession.ts'

export interface NewSession {
  actor: Pick<Actor, 'confirm'>
  business: Pick<PricingBusiness, 'id' | 'tolerancePercent' | 'toleranceAmount'>
  chain: ConfiguredChain
  /** Price, rate and fee are final: the session stores them. */
  price: Price
  /** 600 unless the request names another; the contract has the bounds. */
  expirySeconds: number
  label: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  /** The payment link that makes it. */
  linkId?: string
  /** As `requireReturnUrl` has checked it. */
  returnUrl?: string | null
  /** As `requireCallbackUrl` has checked it. */
  webhookUrl?: string | null
}

/**
 * Stores a session, the watch on its address and the event, in one transaction: two round trips to the
 * database, where the business is far below its cap, and what `also` adds.
 * @param also runs in that transaction with the session's view (it stores the idempotent answer)
 * @throws ApiError 409 `cap_reached`; 503 `no_deposit_address`, `chain_not_ready`
 */
export async function createSession(
  ctx: {
    db: ModelDb
    chains: readonly ConfiguredChain[]
    caps: Pick<Caps, 'openSessions'>
    checkoutUrl: CheckoutUrl
  },
  input: NewSession,
  also: (tx: ModelTx, result: SessionView) => Promise<void>,
): Promise<SessionView> {
  const { business, chain, price } = input
  const token = tokenOf(chain, price.token)
  if (!token) throw new Error(`${price.token} is not on ${chain.name}`)
  const view = await ctx.db.tx(async (tx) => {
    const [progress, policy, address, hasRoom] = await Promise.all([
      readProgress(tx, chain.name).then((read) => requireRead(read, chain)),
      readPolicy(tx, business.id),
      takeDepositAddress(tx, chain.family),
      isFarBelowCap(tx, ctx.caps, business.id),
      // The audit entry would confirm it later, with a round trip of its own.
      confirmActor(tx, input.actor),
    ])
    const depth = requiredDepth(chain, policy?.rules ?? null, token, price.amount)
    const createdAt = new Date()
    const id = newId()
    const session = sendSession(tx, {
      id,
      businessId: business.id,
      chain: chain.name,
      token: token.symbol,
      family: chain.family,
      address,
      amountExpected: price.amount.toString(),
      amountTolerated: toleratedOf(storedTolerance(business), price.amount, token.decimals).toString(),
      localAmount: price.localAmount,
      localCurrency: price.localCurrency,
      rate: price.rate,
      rateAt: price.rateAt,
      rateSource: price.rateSource,
      fxMarginPercent: price.fxMarginPercent,
      fee: price.fee,
      feeCurrency: price.feeCurrency,
      requiredConfirmations: depth ?? chain.finalizedDepth,
      finality: depth === null ? 'finalized' : 'confirmations',
      label: input.label,
      reference: input.reference,
      metadata: input.metadata,
      linkId: input.linkId ?? null,
      returnUrl: input.returnUrl ?? null,
      webhookUrl: input.webhookUrl ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + input.expirySeconds * 1000),
    })
    addWatch(tx, {
      family: chain.family,
      address,
      businessId: business.id,
      purpose: 'session',
      subjectId: id,
      finality: { policyId: policy?.id ?? null, amount: formatUnits(price.amount, token.decimals) },
    })
    if (!hasRoom) await requireRoomForSession(tx, ctx.caps, business.id)
    const since = delayedSince(progress, chain)
    const view = {
      ...presentSession(session, [], { ...ctx, heights: new Map() }, []),
      ...(since && { delayedSince: since }),
    }
    await also(tx, view)
    // Last, so that it goes with the commit: until then, all events of the business wait for this one's
    // number.
    recordEvents(tx, business.id, [sessionEvent('session.created', view)])
    return view
  })
  failpoint('api.session-stored')
  return view
}
