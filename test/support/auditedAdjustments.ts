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
    entries: ({ id }: Answered) => [
      { action: 'adjustment.proposed', target: id, businessId: null, after: madeAdjustment },
    ],
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
  proposeReturn: async ({ owner, ownerIs, stack: { db } }) => {
    const payment = await makeSuspense(db, 70_000_000n)
    const toAddress = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
    const after = {
      debit: 'suspense',
      credit: 'deposits:stellar',
      asset: 'stellar:USDC',
      amount: '7',
      reason: 'found',
      suspensePayment: payment,
    }
    return {
      path: `/operator/suspense/${payment}/return`,
      by: owner,
      actor: ownerIs,
      body: () => ({ toAddress, memo: '7', memoType: 'id', reason: ' found ' }),
      entries: ({ id }: Answered) => [
        {
          action: 'adjustment.proposed',
          target: id,
          businessId: null,
          after: { ...after, toAddress, memo: '7' },
        },
      ],
    }
  },
  proposeAssignment: async ({ owner, ownerIs, stack: { db, businessId } }) => {
    const payment = await makeSuspense(db, 70_000_000n)
    const after = {
      business: businessId,
      debit: 'suspense',
      credit: 'available',
      asset: 'stellar:USDC',
      amount: '7',
      reason: 'found',
    }
    return {
      path: `/operator/suspense/${payment}/assignment`,
      by: owner,
      actor: ownerIs,
      body: () => ({ businessId, reason: ' found ' }),
      entries: ({ id }: Answered) => [
        {
          action: 'adjustment.proposed',
          target: id,
          businessId: null,
          after: { ...after, suspensePayment: payment },
        },
      ],
    }
  },
}
