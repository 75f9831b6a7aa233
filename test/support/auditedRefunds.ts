import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import { makePaidSession, makeRefund, someAddress } from './madeRefunds.ts'

const shared: Record<string, Recipe> = {
  createRefund: async ({ stack: { db, businessId } }) => {
    const session = await makePaidSession(db, businessId)
    const toAddress = someAddress()
    const after = { sessionId: session.id, kind: 'amount', amount: '0.5', token: 'USDC', chain: 'ethereum' }
    const entries = ({ id, toAddress: shown }: Answered & { toAddress?: string }) => [
      { action: 'refund.created', target: id, businessId, after: { ...after, toAddress: shown } },
    ]
    return {
      path: `/pos/sessions/${session.id}/refunds`,
      by: null,
      body: () => ({ amount: '0.5', toAddress }),
      entries,
    }
  },
  cancelRefund: async ({ stack: { db, businessId } }) => {
    const { refunded, refund } = await makeRefund(db, businessId)
    const before = {
      sessionId: refunded,
      kind: 'amount',
      amount: '2',
      token: 'USDC',
      chain: 'ethereum',
      claim: true,
    }
    const entries = () => [{ action: 'refund.cancelled', target: refund, businessId, before }]
    return { path: `/pos/sessions/${refunded}/refunds/${refund}/cancel`, by: null, entries }
  },
  resolveSession: async ({ stack: { db, businessId } }) => {
    const { id } = await makePaidSession(db, businessId)
    const change = { before: { resolution: null }, after: { resolution: 'left' } }
    const entries = () => [{ action: 'session.resolved', target: id, businessId, ...change }]
    return { path: `/pos/sessions/${id}/resolve`, by: null, body: () => ({ resolution: 'leave' }), entries }
  },
}

/** Refunds of sessions, and decisions about them. */
export const auditedRefunds: Record<string, Recipe> = {
  ...shared,
  ...Object.fromEntries(
    Object.entries(shared).map(([operationId, recipe]) => [dashboardTwin(operationId), twinOf(recipe)]),
  ),
}
