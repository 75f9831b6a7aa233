import type { Caller } from '../../accounts/caller.ts'
import type { Routes } from '../../http/routes.ts'
import { splitQuery } from '../../platform/pages.ts'
import type { PayoutCaller } from '../createPayout.ts'
import { approvePayoutBatch } from './approvePayoutBatch.ts'
import { cancelPayoutBatch } from './cancelPayoutBatch.ts'
import { checkPayoutBatch } from './checkPayoutBatch.ts'
import { createPayoutBatch } from './createPayoutBatch.ts'
import { listPayoutBatches } from './listPayoutBatches.ts'
import type { BatchContext } from './readBatch.ts'
import { findBatch, type PayoutBatchView } from './readBatches.ts'

/** Payouts in batches: by API and in the dashboard. @param payerOf the caller, as payouts take it */
export function payoutBatchRoutes(ctx: BatchContext, payerOf: (caller: Caller) => PayoutCaller): Routes {
  return {
    async createPayoutBatch({ body, caller, remember }) {
      const batch = await createPayoutBatch(ctx, payerOf(caller), body, (tx, view) =>
        remember(tx, { status: 201, body: view }, { after: auditedBatch(view) }),
      )
      return { status: 201, body: batch }
    },
    checkPayoutBatch: async ({ body, caller }) => ({
      status: 200,
      body: await checkPayoutBatch(ctx, payerOf(caller), body),
    }),
    async listPayoutBatches({ query, caller }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listPayoutBatches(ctx, caller.businessId, filter, request) }
    },
    getPayoutBatch: async ({ params, caller }) => ({
      status: 200,
      body: await findBatch(ctx.db, caller.businessId, params.id),
    }),
    cancelPayoutBatch: async ({ params, caller, remember }) => ({
      status: 200,
      body: await cancelPayoutBatch(ctx, caller.businessId, params.id, (tx, view) =>
        remember(tx, { status: 200, body: view }),
      ),
    }),
    async approvePayoutBatch({ params, body: { revision }, caller, remember }) {
      const { businessId, actor, account, apiKey } = caller
      const of = { businessId, id: params.id, accountId: apiKey ? null : (account?.id ?? null), revision }
      const batch = await approvePayoutBatch(ctx, actor, of, (tx, view) =>
        remember(tx, { status: 200, body: view }, { after: { revision } }),
      )
      return { status: 200, body: batch }
    },
  }
}

/** The fields of a batch in the audit log. */
const auditedBatch = ({ reference, payouts, totals: { taken } }: PayoutBatchView) => ({
  reference,
  payouts,
  taken,
})
