import { attemptFrom } from '../../src/accounts/attemptFrom.ts'
import { callerAccount } from '../../src/accounts/callerAccount.ts'
import { signOutEverywhere } from '../../src/accounts/changeAccount.ts'
import { issueDeviceCookie } from '../../src/accounts/deviceCookie.ts'
import { showMe } from '../../src/accounts/showMe.ts'
import {
  type AccountsContext,
  actorOf,
  beginPasskeySignIn,
  recordSignIn,
  requireUnchanged,
  type Verified,
  verifySignIn,
} from '../../src/accounts/signIn.ts'
import { revokeSignIn, startSession } from '../../src/accounts/signIns.ts'
import { recordAudit } from '../../src/audit/recordAudit.ts'
import { acceptInvitation } from '../../src/businesses/acceptInvitation.ts'
import type { Answer } from '../../src/http/request.ts'
import type { Routes } from '../../src/http/routes.ts'
import type { Mailing } from '../../src/mail/queueMail.ts'
import { deviceOf, endSession, setDevice, setSession } from './cookies.ts'

const done = { status: 200, body: { ok: true } }

/** The start and end of the dashboard's session, which is a cookie. */
export function signInRoutes(ctx: AccountsContext & { mailing: Mailing | null }): Routes {
  /** Starts a session and marks the browser as known to the account. */
  async function enter({ account, factor }: Verified, from: ReturnType<typeof attemptFrom>): Promise<Answer> {
    const { secret } = await ctx.db.tx(async (tx) => {
      await requireUnchanged(tx, account)
      const actor = actorOf(account, { address: from.origin.address, requestId: from.requestId })
      await recordSignIn(tx, actor, 'dashboard', factor)
      return startSession(tx, account.id, from.origin, factor)
    })
    const cookies = [setSession(secret.reveal()), setDevice(issueDeviceCookie(ctx.appKey, account))]
    return { status: 200, body: await showMe(ctx, account.id), cookies }
  }
  return {
    async signIn(request) {
      const from = attemptFrom(request)
      return enter(await verifySignIn(ctx, { ...request.body, ...from, device: deviceOf(request) }), from)
    },
    async beginPasskeySignIn(request) {
      const options = await beginPasskeySignIn(ctx, {
        ...request.body,
        ...attemptFrom(request),
        device: deviceOf(request),
      })
      return { status: 200, body: { options } }
    },
    async acceptInvitation(request) {
      const from = attemptFrom(request)
      const at = { address: from.origin.address, requestId: from.requestId }
      const { account, needsSecondFactor } = await acceptInvitation(ctx, at, request.body)
      return needsSecondFactor ? { status: 202, body: done.body } : enter({ account, factor: null }, from)
    },
    async signOut({ caller }) {
      const { accountId, signInId, actor } = callerAccount(caller)
      await ctx.db.tx(async (tx) => {
        await revokeSignIn(tx, actor, accountId, signInId)
        await recordAudit(tx, actor, { businessId: null, action: 'account.signed_out', target: accountId })
      })
      return { ...done, cookies: [endSession()] }
    },
    async signOutEverywhere({ caller }) {
      await signOutEverywhere(ctx, callerAccount(caller))
      return { ...done, cookies: [endSession()] }
    },
  }
}
