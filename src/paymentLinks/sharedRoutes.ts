import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import { changePaymentLink } from './changePaymentLink.ts'
import { type CreateLinkContext, createPaymentLink } from './createPaymentLink.ts'
import { listPaymentLinks } from './listPaymentLinks.ts'
import { getPaymentLink } from './paymentLink.ts'

/** Payment links of a business: by API and in the dashboard. */
export const sharedPaymentLinkRoutes = (ctx: CreateLinkContext): Routes => ({
  async createPaymentLink({ body, caller, remember }) {
    const link = await createPaymentLink(ctx, caller.businessId, body, (tx, view) =>
      remember(tx, { status: 201, body: view }),
    )
    return { status: 201, body: link }
  },
  async listPaymentLinks({ query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listPaymentLinks(ctx, caller.businessId, filter, request) }
  },
  getPaymentLink: async ({ params, caller }) => ({
    status: 200,
    body: await getPaymentLink(ctx, caller.businessId, params.id),
  }),
  changePaymentLink: async ({ params, body, caller, remember }) => ({
    status: 200,
    body: await changePaymentLink(ctx, caller.businessId, params.id, body, (tx, { view, ...change }) =>
      remember(tx, { status: 200, body: view }, change),
    ),
  }),
})
