import type { Answer } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import type { RouteContext } from '../routeContext.ts'
import { createVerificationKey, type NewKey } from './createKey.ts'
import { revokeVerificationKey, rotateVerificationKey } from './endKey.ts'
import { listVerificationKeys } from './listKeys.ts'
import { listVerifications } from './listVerifications.ts'
import { presentVerificationKey } from './presentKey.ts'
import { presentStatus } from './presentVerification.ts'
import { listPrices, setPrice } from './prices.ts'
import { readShownVerification } from './readVerification.ts'
import { setKeyOrigins } from './setOrigins.ts'

/** Keys, verifications and prices of the verification area. */
export function verificationDashboardRoutes(ctx: Pick<RouteContext, 'db' | 'environment'>): Routes {
  const fresh = ({ key, secret }: NewKey): Answer => ({
    status: 201,
    body: { key: presentVerificationKey(key), secret: secret.reveal() },
  })
  const prices = async (): Promise<Answer> => ({ status: 200, body: { prices: await listPrices(ctx.db) } })
  return {
    async listVerificationKeys({ caller }) {
      const keys = await listVerificationKeys(ctx.db, caller.businessId)
      return { status: 200, body: { keys: keys.map(presentVerificationKey) } }
    },
    createVerificationKey: async ({ caller, body }) =>
      fresh(await createVerificationKey(ctx, caller.actor, caller.businessId, body)),
    rotateVerificationKey: async ({ caller, params, body }) =>
      fresh(
        await rotateVerificationKey(ctx, caller.actor, caller.businessId, params.keyId, body.overlapSeconds),
      ),
    async revokeVerificationKey({ caller, params }) {
      const key = await revokeVerificationKey(ctx, caller.actor, caller.businessId, params.keyId)
      return { status: 200, body: presentVerificationKey(key) }
    },
    async setVerificationKeyOrigins({ caller, params, body }) {
      const key = await setKeyOrigins(ctx, caller.actor, caller.businessId, params.keyId, body.origins)
      return { status: 200, body: presentVerificationKey(key) }
    },
    async listVerificationsOfBusiness({ caller, query }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listVerifications(ctx, caller.businessId, filter, request) }
    },
    getVerificationOfBusiness: async ({ caller, params }) => ({
      status: 200,
      body: presentStatus(await readShownVerification(ctx.db, caller.businessId, params.id)),
    }),
    listVerificationPrices: prices,
    async setVerificationPrice({ caller, body }) {
      await setPrice(ctx, caller.actor, body)
      return prices()
    },
  }
}
