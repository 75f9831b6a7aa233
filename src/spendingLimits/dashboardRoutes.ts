import { getKey } from '../apiKeys/listKeys.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { findWallet } from '../wallets/getWallet.ts'
import { listSenders, presentNext, withDisplayed } from './listSenders.ts'
import { setLimits } from './setLimits.ts'

export interface SendLimitsDashboardContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
}

/** Limits of transfers from stored wallets. */
export const sendLimitsDashboardRoutes = (ctx: SendLimitsDashboardContext): Routes => ({
  listSenders: async ({ caller }) => ({ status: 200, body: await listSenders(ctx, caller.businessId) }),
  async setWalletLimits({ caller: { businessId, actor }, params, body }) {
    const { id, chain } = await findWallet(ctx, businessId, params.walletId)
    return answerOf(
      await setLimits(ctx, actor, { businessId, subject: { kind: 'wallet', id }, only: chain }, body),
    )
  },
  async setKeyLimits({ caller: { businessId, actor }, params, body }) {
    const { rootId } = await getKey(ctx, businessId, params.keyId)
    return answerOf(
      await setLimits(ctx, actor, { businessId, subject: { kind: 'key', id: rootId }, only: null }, body),
    )
  },
})

function answerOf({ limits, next, approval }: Awaited<ReturnType<typeof setLimits>>) {
  const shown = { ...withDisplayed(limits), next: presentNext(next) }
  return approval ? { status: 202, body: { ...shown, approval } } : { status: 200, body: shown }
}
