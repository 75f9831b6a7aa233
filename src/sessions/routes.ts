import { type OwnBusinessContext, requireOwnBusiness } from '../accounts/ownBusiness.ts'
import type { BlockReader } from '../chains/chain.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import type { Secret } from '../platform/secrets.ts'
import { payable, priceRequest } from '../pricing/priceRequest.ts'
import { quotedPrice } from '../pricing/quotedPrice.ts'
import type { Rates } from '../pricing/rates.ts'
import type { Caps } from '../rateLimits/caps.ts'
import { requireCallbackUrl } from '../webhooks/callbackHosts.ts'
import { cancelSession } from './cancelSession.ts'
import { changeSession } from './changeSession.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { type CheckoutRoutesContext, checkoutRoutes } from './checkout/routes.ts'
import { createSession } from './createSession.ts'
import { explainTransaction } from './explainTransaction.ts'
import { listAllNetworks, listNetworks } from './listNetworks.ts'
import { requireReturnUrl } from './returnUrl.ts'

/** The expiry of a session: its life (TTL) in seconds where the request names none. */
const defaultExpirySeconds = 600

export interface SessionRoutesContext extends OwnBusinessContext, CheckoutRoutesContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  checkoutUrl: CheckoutUrl
  /** The deployment's public URL. */
  issuer: string
  /** Reads single transactions of a configured chain. */
  reader(chain: string): Promise<BlockReader>
  rates: Rates
  /** Null without a payout partner. */
  paymentPartner: object | null
  /** Signs quotes. */
  appKey: Secret
  caps: Pick<Caps, 'openSessions'>
  /** A deployment for test networks also delivers over plain HTTP. */
  environment: 'test' | 'live'
  /** Internal hosts that webhooks may go to. */
  allowHosts?: readonly string[]
}

/** Starts and ends payment sessions, and finds a payment: by API and in the dashboard. */
export const paymentRoutes = (ctx: SessionRoutesContext): Routes => ({
  async createSession({ body, caller, remember }) {
    requireMetadata(body.metadata)
    const what = await payable(ctx, caller.businessId, body)
    const { quoteId } = body
    const price =
      quoteId === undefined
        ? await priceRequest(ctx, what, body)
        : quotedPrice(ctx, what, { ...body, quoteId })
    const wanted = {
      actor: caller.actor,
      business: what.business,
      chain: what.chain,
      price,
      expirySeconds: body.expirySeconds ?? defaultExpirySeconds,
      label: body.label ?? null,
      reference: body.reference ?? null,
      metadata: body.metadata ?? null,
      returnUrl: requireReturnUrl(ctx, what.business, body.returnUrl),
      webhookUrl: await requireCallbackUrl(ctx, caller.businessId, body.webhookUrl),
    }
    const session = await createSession(ctx, wanted, (tx, view) => remember(tx, { status: 201, body: view }))
    return { status: 201, body: session }
  },
  cancelSession: async ({ params, caller, remember }) => ({
    status: 200,
    body: await cancelSession(ctx, caller.businessId, params.id, (tx, view) =>
      remember(tx, { status: 200, body: view }),
    ),
  }),
  explainTransaction: async ({ params, caller }) => ({
    status: 200,
    body: await explainTransaction(ctx, caller.businessId, params.chain, params.txId),
  }),
})

/** Sessions' metadata, and what they can be paid with: by API alone. */
export const sessionRoutes = (ctx: SessionRoutesContext): Routes => ({
  ...checkoutRoutes(ctx),
  changeSession: async ({ params, body, caller, remember }) => ({
    status: 200,
    body: await changeSession(ctx, caller.businessId, params.id, body, (tx, { view, ...change }) =>
      remember(tx, { status: 200, body: view }, change),
    ),
  }),
  listAllNetworks: async () => ({ status: 200, body: { networks: await listAllNetworks(ctx) } }),
  listNetworks: async ({ query, caller }) => ({
    status: 200,
    body: {
      networks: await listNetworks(
        ctx,
        await requireOwnBusiness(ctx, caller, query.businessId ?? caller.businessId),
      ),
    },
  }),
})
