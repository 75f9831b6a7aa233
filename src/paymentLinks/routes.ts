import type { Routes } from '../http/routes.ts'
import { type PayContext, payByLink } from './payByLink.ts'
import { type ShowContext, showLink } from './showLink.ts'

/** For customers, who have the address of a payment link and no credential. */
export const paymentLinkRoutes = (ctx: ShowContext & PayContext): Routes => ({
  lookAtPaymentLink: async ({ params }) => ({ status: 200, body: await showLink(ctx, params.token) }),
  async payByLink({ params, body, caller }) {
    const { isNew, checkoutUrl } = await payByLink(ctx, caller.actor, params.token, body)
    return { status: isNew ? 201 : 200, body: { checkoutUrl } }
  },
})
