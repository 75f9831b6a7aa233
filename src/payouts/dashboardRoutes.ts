import type { WaitingChange } from '../approvals/requestApproval.ts'
import { payoutBanks } from '../destinations/payoutBanks.ts'
import type { Routes } from '../http/routes.ts'
import { getLegalProfile, setLegalProfile } from '../outflows/bank/legalProfile.ts'
import { listPartners, requirePartner, viewPartner } from '../outflows/bank/listPartners.ts'
import type { PaymentPartner } from '../partnerPayments/partner.ts'
import { pausePartner, resumePartner } from '../partnerPayments/partnerPauses.ts'
import type { Secret } from '../platform/secrets.ts'
import { getAutopayout, setAutopayout } from './autopayout.ts'
import { type EstimateContext, estimatePayout } from './estimatePayout.ts'
import { getPayoutSettings, setPayoutSettings } from './payoutSettings.ts'

export interface PayoutDashboardContext extends EstimateContext {
  appKey: Secret
  excessHoldDays: number
  /** Null without a payout partner. */
  paymentPartner: Pick<PaymentPartner, 'name'> | null
}

/** 202: a part of it waits for a second owner. */
const changed = <T extends { waitingApproval?: WaitingChange }>(body: T) => ({
  status: body.waitingApproval ? 202 : 200,
  body,
})

/**
 * Banks to choose from, what a payout would cost, the settings of payouts, autopayout, and the legal profile;
 * payout partners, for operators.
 */
export function payoutDashboardRoutes(ctx: PayoutDashboardContext): Routes {
  return {
    estimatePayout: async ({ caller, query }) => ({
      status: 200,
      body: await estimatePayout(ctx, caller.businessId, query),
    }),
    listPayoutBanks: async () => ({ status: 200, body: { banks: await payoutBanks(ctx) } }),
    getPayoutSettings: async ({ caller }) => ({
      status: 200,
      body: await getPayoutSettings(ctx, caller.businessId),
    }),
    setPayoutSettings: async ({ caller, body }) =>
      changed(await setPayoutSettings(ctx, caller.actor, caller.businessId, body)),
    listPayoutPartners: async () => ({ status: 200, body: { partners: await listPartners(ctx) } }),
    getAutopayout: async ({ caller }) => ({ status: 200, body: await getAutopayout(ctx, caller.businessId) }),
    setAutopayout: async ({ caller, body }) =>
      changed(await setAutopayout(ctx, caller.actor, caller.businessId, body.payouts)),
    async pausePayoutPartner({ caller, params, body }) {
      await requirePartner(ctx, params.partner)
      await pausePartner(ctx, caller.actor, params.partner, body.reason.trim())
      return { status: 200, body: await viewPartner(ctx, params.partner) }
    },
    async resumePayoutPartner({ caller, params }) {
      await requirePartner(ctx, params.partner)
      await resumePartner(ctx, caller.actor, params.partner)
      return { status: 200, body: await viewPartner(ctx, params.partner) }
    },
    getLegalProfile: async ({ caller }) => ({
      status: 200,
      body: await getLegalProfile(ctx, caller.businessId),
    }),
    setLegalProfile: async ({ caller, body }) => ({
      status: 200,
      body: await setLegalProfile(ctx, caller.actor, caller.businessId, body),
    }),
  }
}
