import type { Routes } from '../http/routes.ts'
import type { Secret } from '../platform/secrets.ts'
import { getAutopayout, setAutopayout } from './autopayout.ts'
import { type EstimateContext, estimatePayout } from './estimatePayout.ts'
import { getLegalProfile, setLegalProfile } from './legalProfile.ts'
import { createPayoutBanks, type PayoutBanksContext } from './payoutBanks.ts'
import { getPayoutSettings, setPayoutSettings } from './payoutSettings.ts'

export type PayoutDashboardContext = Omit<EstimateContext, 'banks'> & PayoutBanksContext & { appKey: Secret }

/** Banks to choose from, what a payout would cost, the settings of payouts, autopayout, and the legal profile. */
export function payoutDashboardRoutes(ctx: PayoutDashboardContext): Routes {
  const banks = createPayoutBanks(ctx)
  return {
    estimatePayout: async ({ caller, query }) => ({ status: 200, body: await estimatePayout({ ...ctx, banks }, caller.businessId, query) }),
    listPayoutBanks: async () => ({ status: 200, body: { banks: await banks() } }),
    getPayoutSettings: async ({ caller }) => ({ status: 200, body: await getPayoutSettings(ctx, caller.businessId) }),
    setPayoutSettings: async ({ caller, body }) => ({ status: 200, body: await setPayoutSettings(ctx, caller.actor, caller.businessId, body) }),
    getAutopayout: async ({ caller }) => ({ status: 200, body: await getAutopayout(ctx, caller.businessId) }),
    setAutopayout: async ({ caller, body }) => ({ status: 200, body: await setAutopayout(ctx, caller.actor, caller.businessId, body.payouts) }),
    getLegalProfile: async ({ caller }) => ({ status: 200, body: await getLegalProfile(ctx, caller.businessId) }),
    setLegalProfile: async ({ caller, body }) => ({ status: 200, body: await setLegalProfile(ctx, caller.actor, caller.businessId, body) }),
  }
}
