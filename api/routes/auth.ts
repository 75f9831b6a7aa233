import { issueAccessToken, usualBusinessOf } from '../../src/accounts/accessToken.ts'
import { actorOf, recordSignIn, requireUnchanged, verifySignIn } from '../../src/accounts/signIn.ts'
import { noteToken, tokenSeconds } from '../../src/accounts/signIns.ts'
import { includesRole } from '../../src/members/role.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import { type Contract, minRoleOf, operationsOf } from '../contract.ts'
import { hasPermission } from '../middleware/authorize.ts'
import type { BodyOf } from '../types.ts'

/** The origin of a sign-in attempt. */
export const attemptFrom = ({ caller, request }: Pick<ApiRequest, 'caller' | 'request'>) => ({
  origin: { address: caller.actor.address ?? '', userAgent: request.headers['user-agent'] ?? null },
  requestId: caller.actor.requestId ?? '',
})

/** POST /auth/login */
export function loginRoute(ctx: ApiContext) {
  return async ({ body, caller, request }: ApiRequest<BodyOf<'login'>>): Promise<Answer> => {
    const from = attemptFrom({ caller, request })
    const { account, factor } = await verifySignIn(ctx, { ...body, ...from, device: null })
    const actor = actorOf(account, { address: from.origin.address, requestId: from.requestId })
    const signInId = await ctx.db.tx(async (tx) => {
      await requireUnchanged(tx, account)
      const id = await noteToken(tx, account.id, from.origin, factor)
      await recordSignIn(tx, actor, 'token', factor)
      return id
    })
    const accessToken = await issueAccessToken(ctx, { accountId: account.id, signInId, businessId: await usualBusinessOf(ctx, account.id) })
    return {
      status: 200,
      body: { accessToken, tokenType: 'Bearer', expiresIn: tokenSeconds, account: { id: account.id, email: account.email } },
    }
  }
}

/** GET /auth/me */
export function getMeRoute(contract: Contract) {
  const guarded = operationsOf(contract).flatMap(({ operation }) => (operation['x-scope'] === 'public' ? [] : [operation]))
  return async ({ caller }: ApiRequest): Promise<Answer> => {
    const { account, apiKey, business, scope } = caller
    const role = account?.role ?? null
    const allowed = guarded.filter((operation) => {
      if (apiKey) return (operation['x-scope'] === 'read' || scope === 'write') && hasPermission(apiKey, operation)
      const min = minRoleOf(operation)
      return min === null || (role !== null && includesRole(role, min))
    })
    return {
      status: 200,
      body: {
        credential: apiKey ? 'api_key' : 'access_token',
        account: account && { id: account.id, email: account.email },
        apiKey: apiKey && { id: apiKey.id, name: apiKey.name, prefix: apiKey.prefix, expiresAt: apiKey.expiresAt?.toISOString() ?? null },
        business,
        role,
        scope,
        permissions: [...new Set(allowed.map((operation) => operation['x-permission']))].toSorted(),
      },
    }
  }
}
