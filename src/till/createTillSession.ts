import type { Actor } from '../audit/recordAudit.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { payable, priceRequest } from '../pricing/priceRequest.ts'
import type { Rates } from '../pricing/rates.ts'
import type { Caps } from '../rateLimits/caps.ts'
import type { CheckoutUrl } from '../sessions/checkout/checkoutToken.ts'
import { createSession } from '../sessions/createSession.ts'
import { presentTillSession, type TillSessionView } from './tillSession.ts'

/** A customer stands at the till, and pays within this time or leaves. */
const expirySeconds = 600

interface Wanted {
  chain: string
  token: string
  amount?: string
  localAmount?: string
}

/**
 * Makes a session at the till.
 * @param also runs in its transaction (it stores the idempotent answer)
 * @throws ApiError as `priceRequest` and `createSession` do
 */
export async function createTillSession(
  ctx: {
    db: ModelDb
    chains: readonly ConfiguredChain[]
    rates: Rates
    caps: Pick<Caps, 'openSessions'>
    checkoutUrl: CheckoutUrl
  },
  by: { actor: Actor; businessId: string; accountId: string },
  request: Wanted,
  also: (tx: ModelTx, view: TillSessionView) => Promise<void>,
): Promise<TillSessionView> {
  const what = await payable(ctx, by.businessId, request)
  const wanted = {
    actor: by.actor,
    business: what.business,
    chain: what.chain,
    price: await priceRequest(ctx, what, request),
    expirySeconds,
    label: null,
    reference: null,
    metadata: null,
  }
  const session = await createSession(ctx, wanted, async (tx, view) => {
    await tx.query(
      'insert into till_sessions (session_id, business_id, account_id, created_at) values ($1, $2, $3, $4)',
      [view.id, by.businessId, by.accountId, view.createdAt],
    )
    await also(tx, presentTillSession(view))
  })
  return presentTillSession(session)
}
