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
}

/** Sessions, as they are started and ended. */
export const auditedSessions: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
}
