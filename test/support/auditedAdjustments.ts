import type { Answered, Recipe } from './auditedRecipe.ts'
import { madeAdjustment, makeAdjustment } from './madeAdjustment.ts'
import { makeSuspense } from './madeSuspense.ts'

/** Operations on the books by operators. */
export const auditedAdjustments: Record<string, Recipe> = {
  proposeAdjustment: async ({ owner, ownerIs }) => ({
    path: '/operator/adjustments',
    by: owner,
    actor: ownerIs,
    body: () => madeAdjustment,
    entries: ({ id }: Answered) => [{ action: 'adjustment.proposed', target: id, businessId: null, after: madeAdjustment }],
  }),
  decideAdjustment: async ({ owner, ownerIs, stack }) => {
    const id = await makeAdjustment(stack)
    return {
      path: `/operator/adjustments/${id}/decision`,
      by: owner,
      actor: ownerIs,
      body: () => ({ decision: 'approved' }),
      entries: () => [{ action: 'adjustment.approved', target: id, businessId: null, after: madeAdjustment }],
    }
  },
  proposeAssignment: async ({ owner, ownerIs, stack: { db, businessId } }) => {
    const payment = await makeSuspense(db, 70_000_000n)
    const after = { business: businessId, debit: 'suspense', credit: 'available', asset: 'stellar:USDC', amount: '7', reason: 'found' }
    return {
      path: `/operator/suspense/${payment}/assignment`,
      by: owner,
      actor: ownerIs,
      body: () => ({ businessId, reason: ' found ' }),
      entries: ({ id }: Answered) => [{ action: 'adjustment.proposed', target: id, businessId: null, after: { ...after, suspensePayment: payment } }],
    }
  },
}
