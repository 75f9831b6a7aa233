import { getPaymentSettings, setPaymentSettings } from '../../src/businesses/paymentSettings.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf } from '../types.ts'

/** A business's payment settings. */
export function settingsRoutes(ctx: ApiContext): Record<string, Route> {
  return {
    getPaymentSettings: async ({ caller }) => ({ status: 200, body: await getPaymentSettings(ctx, caller.businessId) }),
    setPaymentSettings: async ({ caller, body }) => ({
      status: 200,
      body: await setPaymentSettings(ctx, caller.actor, caller.businessId, body as BodyOf<'setPaymentSettings'>),
    }),
  }
}
