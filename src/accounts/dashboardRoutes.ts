import { recordAudit } from '../audit/recordAudit.ts'
import type { Answer, ApiRequest } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import type { Mailing } from '../mail/queueMail.ts'
import { findInvitation } from '../members/invitations.ts'
import { countReset } from '../rateLimits/mailLimits.ts'
import { callerAccount } from './callerAccount.ts'
import {
  beginTotp,
  changePassword,
  disableTotp,
  enableTotp,
  renameAccount,
  renewRecoveryCodes,
} from './changeAccount.ts'
import { confirmFactor } from './confirmFactor.ts'
import { requestReset, startProof } from './mailedLinks.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyConfirmation,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts'
import { unprovenMembershipsOf } from './provenAddress.ts'
import { showMe } from './showMe.ts'
import type { AccountsContext } from './signIn.ts'
import { listSignIns, revokeSignIn } from './signIns.ts'

export interface AccountDashboardContext extends AccountsContext {
  /** Null: the deployment sends no mail. */
  mailing: Mailing | null
}

const done = { status: 200, body: { ok: true } }

/** The caller's own account. Signing in and out is with the dashboard's cookies (`api/dashboard-api`). */
export function accountDashboardRoutes(ctx: AccountDashboardContext): Routes {
  const me = async (caller: ApiRequest['caller']): Promise<Answer> => ({
    status: 200,
    body: await showMe(ctx, callerAccount(caller).accountId),
  })
  return {
    getAccount: ({ caller }) => me(caller),
    async changeAccount({ caller, body }) {
      await renameAccount(ctx, callerAccount(caller), body.name)
      return me(caller)
    },
    async proveAddress({ caller }) {
      await startProof(ctx, callerAccount(caller))
      return { ...done, status: 202 }
    },
    getSignInHelp: async () => ({ status: 200, body: { resetByMail: ctx.mailing !== null } }),
    async requestReset({ body, caller }) {
      await countReset(ctx, caller.actor.address ?? '')
      await requestReset(ctx, body.email)
      return { ...done, status: 202 }
    },
    async changePassword({ caller, body: { currentPassword, newPassword } }) {
      await changePassword(ctx, callerAccount(caller), currentPassword, newPassword)
      return done
    },
    async confirmFactor({ caller, body }) {
      await confirmFactor(ctx, callerAccount(caller), body)
      return done
    },
    async beginTotp({ caller, body: { password, ...given } }) {
      const { secret, uri } = await beginTotp(ctx, callerAccount(caller), password, given)
      return { status: 200, body: { secret: secret.reveal(), uri } }
    },
    enableTotp: async ({ caller, body }) => ({
      status: 200,
      body: { recoveryCodes: await enableTotp(ctx, callerAccount(caller), body.totp) },
    }),
    async disableTotp({ caller, body: { password, ...given } }) {
      await disableTotp(ctx, callerAccount(caller), password, given)
      return me(caller)
    },
    renewRecoveryCodes: async ({ caller, body: { password, ...given } }) => ({
      status: 200,
      body: { recoveryCodes: await renewRecoveryCodes(ctx, callerAccount(caller), password, given) },
    }),
    listPasskeys: async ({ caller }) => ({
      status: 200,
      body: { passkeys: await listPasskeys(ctx.db, callerAccount(caller).accountId) },
    }),
    beginPasskey: async ({ caller, body: { password, ...given } }) => ({
      status: 200,
      body: await beginPasskey(ctx, callerAccount(caller), password, given),
    }),
    addPasskey: async ({ caller, body: { name, passkey } }) => ({
      status: 200,
      body: await addPasskey(ctx, callerAccount(caller), name, passkey),
    }),
    beginPasskeyConfirmation: async ({ caller }) => ({
      status: 200,
      body: await beginPasskeyConfirmation(ctx, callerAccount(caller)),
    }),
    renamePasskey: async ({ caller, body, params }) => ({
      status: 200,
      body: await renamePasskey(ctx, callerAccount(caller), params.passkeyId, body.name),
    }),
    async removePasskey({ caller, body: { password, ...given }, params }) {
      await removePasskey(ctx, callerAccount(caller), params.passkeyId, password, given)
      return me(caller)
    },
    async listSignIns({ caller }) {
      const { accountId, signInId } = callerAccount(caller)
      return { status: 200, body: { signIns: await listSignIns(ctx, accountId, signInId) } }
    },
    async revokeSignIn({ caller, params: { signInId } }) {
      const { accountId, actor } = callerAccount(caller)
      await ctx.db.tx(async (tx) => {
        await revokeSignIn(tx, actor, accountId, signInId)
        await recordAudit(tx, actor, {
          businessId: null,
          action: 'account.sign_in_revoked',
          target: signInId,
        })
      })
      return done
    },
    async lookAtInvitation({ body }) {
      const {
        id: _,
        businessId: __,
        invitedById: ___,
        keeps,
        expiresAt,
        ...seen
      } = await findInvitation(ctx.db, body.token)
      const ends = seen.purpose === 'reset' ? await unprovenMembershipsOf(ctx.db, seen.email, keeps) : []
      return { status: 200, body: { ...seen, ends, expiresAt: expiresAt.toISOString() } }
    },
  }
}
