import { dashboardTwin } from '../../api/contract.ts'
import type { Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'

const shared: Record<string, Recipe> = {
  createSession: async ({ stack: { businessId, chain } }) => ({
    path: '/pos/sessions',
    by: null,
    body: () => ({ chain, token: 'USDC', amount: '10' }),
    entries: ({ id }) => [{ action: 'session.created', target: id, businessId }],
  }),
  cancelSession: async ({ stack }) => {
    const { id } = await stack.createSession()
    const entries = () => [{ action: 'session.cancelled', target: id, businessId: stack.businessId }]
    return { path: `/pos/sessions/${id}/cancel`, by: null, entries }
  },
  createPaymentLink: async ({ stack: { businessId } }) => ({
    path: '/payment-links',
    by: null,
    body: () => ({ amount: '10' }),
    entries: ({ id }) => [{ action: 'payment_link.created', target: id, businessId }],
  }),
  changePaymentLink: async ({ stack }) => {
    const { body: link } = await stack.api<{ id: string }>('POST', '/payment-links', {
      amount: '10',
      label: 'A',
    })
    // Only what changed.
    const change = { before: { disabled: false }, after: { disabled: true } }
    return {
      path: `/payment-links/${link.id}`,
      by: null,
      body: () => ({ disabled: true, label: 'A' }),
      entries: () => [
        { action: 'payment_link.changed', target: link.id, businessId: stack.businessId, ...change },
      ],
    }
  },
}

/** Sessions and payment links, as they are started and ended. */
export const auditedSessions: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
}
