import type { Routes } from '../http/routes.ts'
import { issueAccessToken, type TokenContext, usualBusinessOf } from './accessToken.ts'
import { attemptFrom } from './attemptFrom.ts'
import type { Caller } from './caller.ts'
import { type AccountsContext, actorOf, recordSignIn, requireUnchanged, verifySignIn } from './signIn.ts'
import { noteToken, tokenSeconds } from './signIns.ts'

export interface AccountRoutesContext extends AccountsContext, TokenContext {
  /** The permissions of the contract's operations that a caller may use. */
  permissionsOfCaller(caller: Caller): string[]
}

/** Access tokens, and the caller of a credential. */
export const accountRoutes = (ctx: AccountRoutesContext): Routes => ({
  async login({ body, caller, headers }) {
    const from = attemptFrom({ caller, headers })
    const { account, factor } = await verifySignIn(ctx, { ...body, ...from, device: null })
    const actor = actorOf(account, { address: from.origin.address, requestId: from.requestId })
    const signInId = await ctx.db.tx(async (tx) => {
      await requireUnchanged(tx, account)
      const id = await noteToken(tx, account.id, from.origin, factor)
      await recordSignIn(tx, actor, 'token', factor)
      return id
    })
    const accessToken = await issueAccessToken(ctx, {
      accountId: account.id,
      signInId,
      businessId: await usualBusinessOf(ctx, account.id),
    })
    return {
      status: 200,
      body: {
        accessToken,
        tokenType: 'Bearer',
        expiresIn: tokenSeconds,
        account: { id: account.id, email: account.email },
      },
    }
  },
  async getMe({ caller }) {
    const { account, apiKey, business, scope } = caller
    return {
      status: 200,
      body: {
        credential: apiKey ? 'api_key' : 'access_token',
        account: account && { id: account.id, email: account.email },
        apiKey: apiKey && {
          id: apiKey.id,
          name: apiKey.name,
          prefix: apiKey.prefix,
          expiresAt: apiKey.expiresAt?.toISOString() ?? null,
        },
        business,
        role: account?.role ?? null,
        scope,
        permissions: ctx.permissionsOfCaller(caller),
      },
    }
  },
})
