import {
  beginTotp,
  changePassword,
  disableTotp,
  enableTotp,
  renameAccount,
  renewRecoveryCodes,
  signOutEverywhere,
} from '../../src/accounts/changeAccount.ts'
import type { Self } from '../../src/accounts/confirmOwner.ts'
import { issueDeviceCookie } from '../../src/accounts/deviceCookie.ts'
import { findInvitation } from '../../src/accounts/invitations.ts'
import { beginProof, requestReset } from '../../src/accounts/mailedLinks.ts'
import { addPasskey, beginPasskey, beginPasskeyConfirmation, listPasskeys, removePasskey, renamePasskey } from '../../src/accounts/passkeys.ts'
import { unprovenMembershipsOf } from '../../src/accounts/provenAddress.ts'
import { showMe } from '../../src/accounts/showMe.ts'
import { actorOf, beginPasskeySignIn, recordSignIn, requireUnchanged, type Verified, verifySignIn } from '../../src/accounts/signIn.ts'
import { beginSession, listSignIns, revokeSignIn } from '../../src/accounts/signIns.ts'
import { recordAudit } from '../../src/audit/recordAudit.ts'
import { acceptInvitation, joinByInvitation } from '../../src/businesses/acceptInvitation.ts'
import { chooseDefaultBusiness } from '../../src/businesses/chooseDefault.ts'
import { countReset } from '../../src/limits/mailLimits.ts'
import type { Answer, ApiContext, ApiRequest, Route } from '../context.ts'
import { attemptFrom } from '../routes/auth.ts'
import type { BodyOf } from '../types.ts'
import { deviceOf, endSession, setDevice, setSession } from './cookies.ts'

const done = { status: 200, body: { ok: true } }

/** The caller's own account. @throws Error if the caller is not an account */
export function selfOf({ actor, account }: ApiRequest['caller']): Self {
  if (!account) throw new Error('the caller is not a signed-in account')
  return { accountId: account.id, signInId: account.signInId, actor }
}

/** Signing in, and the caller's own account. */
export function accountRoutes(ctx: ApiContext): Record<string, Route> {
  const me = async (caller: ApiRequest['caller']): Promise<Answer> => ({ status: 200, body: await showMe(ctx, selfOf(caller).accountId) })

  /** Starts a session and marks the browser as known to the account. */
  async function enter({ account, factor }: Verified, from: ReturnType<typeof attemptFrom>): Promise<Answer> {
    const { secret } = await ctx.db.tx(async (tx) => {
      await requireUnchanged(tx, account)
      const actor = actorOf(account, { address: from.origin.address, requestId: from.requestId })
      await recordSignIn(tx, actor, 'dashboard', factor)
      return beginSession(tx, account.id, from.origin, factor)
    })
    const cookies = [setSession(secret.reveal()), setDevice(issueDeviceCookie(ctx.appKey, account))]
    return { status: 200, body: await showMe(ctx, account.id), cookies }
  }

  return {
    async signIn(asked) {
      const { body, request } = asked as ApiRequest<BodyOf<'signIn'>>
      const from = attemptFrom(asked)
      return enter(await verifySignIn(ctx, { ...body, ...from, device: deviceOf(request) }), from)
    },
    async beginPasskeySignIn(asked) {
      const { body, request } = asked as ApiRequest<BodyOf<'beginPasskeySignIn'>>
      return { status: 200, body: { options: await beginPasskeySignIn(ctx, { ...body, ...attemptFrom(asked), device: deviceOf(request) }) } }
    },
    async signOut({ caller }) {
      const { accountId, signInId, actor } = selfOf(caller)
      await ctx.db.tx(async (tx) => {
        await revokeSignIn(tx, actor, accountId, signInId)
        await recordAudit(tx, actor, { businessId: null, action: 'account.signed_out', target: accountId })
      })
      return { ...done, cookies: [endSession()] }
    },
    async signOutEverywhere({ caller }) {
      await signOutEverywhere(ctx, selfOf(caller))
      return { ...done, cookies: [endSession()] }
    },
    getAccount: ({ caller }) => me(caller),
    async changeAccount({ caller, body }) {
      await renameAccount(ctx, selfOf(caller), (body as BodyOf<'changeAccount'>).name)
      return me(caller)
    },
    async chooseDefaultBusiness({ caller, body }) {
      await chooseDefaultBusiness(ctx, selfOf(caller), (body as BodyOf<'chooseDefaultBusiness'>).businessId)
      return me(caller)
    },
    async proveAddress({ caller }) {
      await beginProof(ctx, selfOf(caller))
      return { ...done, status: 202 }
    },
    getSignInHelp: async () => ({ status: 200, body: { resetByMail: ctx.mailing !== null } }),
    async requestReset({ body, caller }) {
      await countReset(ctx, caller.actor.address ?? '')
      await requestReset(ctx, (body as BodyOf<'requestReset'>).email)
      return { ...done, status: 202 }
    },
    async changePassword({ caller, body }) {
      const { currentPassword, newPassword } = body as BodyOf<'changePassword'>
      await changePassword(ctx, selfOf(caller), currentPassword, newPassword)
      return done
    },
    async beginTotp({ caller, body }) {
      const { password, ...given } = body as BodyOf<'beginTotp'>
      const { secret, uri } = await beginTotp(ctx, selfOf(caller), password, given)
      return { status: 200, body: { secret: secret.reveal(), uri } }
    },
    async enableTotp({ caller, body }) {
      return { status: 200, body: { recoveryCodes: await enableTotp(ctx, selfOf(caller), (body as BodyOf<'enableTotp'>).totp) } }
    },
    async disableTotp({ caller, body }) {
      const { password, ...given } = body as BodyOf<'disableTotp'>
      await disableTotp(ctx, selfOf(caller), password, given)
      return me(caller)
    },
    async renewRecoveryCodes({ caller, body }) {
      const { password, ...given } = body as BodyOf<'renewRecoveryCodes'>
      return { status: 200, body: { recoveryCodes: await renewRecoveryCodes(ctx, selfOf(caller), password, given) } }
    },
    async listPasskeys({ caller }) {
      return { status: 200, body: { passkeys: await listPasskeys(ctx.db, selfOf(caller).accountId) } }
    },
    async beginPasskey({ caller, body }) {
      const { password, ...given } = body as BodyOf<'beginPasskey'>
      return { status: 200, body: await beginPasskey(ctx, selfOf(caller), password, given) }
    },
    async addPasskey({ caller, body }) {
      const { name, passkey } = body as BodyOf<'addPasskey'>
      return { status: 200, body: await addPasskey(ctx, selfOf(caller), name, passkey) }
    },
    beginPasskeyConfirmation: async ({ caller }) => ({ status: 200, body: await beginPasskeyConfirmation(ctx, selfOf(caller)) }),
    async renamePasskey({ caller, body, params }) {
      const { name } = body as BodyOf<'renamePasskey'>
      return { status: 200, body: await renamePasskey(ctx, selfOf(caller), params.passkeyId ?? '', name) }
    },
    async removePasskey({ caller, body, params }) {
      const { password, ...given } = body as BodyOf<'removePasskey'>
      await removePasskey(ctx, selfOf(caller), params.passkeyId ?? '', password, given)
      return me(caller)
    },
    async listSignIns({ caller }) {
      const { accountId, signInId } = selfOf(caller)
      return { status: 200, body: { signIns: await listSignIns(ctx, accountId, signInId) } }
    },
    async revokeSignIn({ caller, params }) {
      const { accountId, actor } = selfOf(caller)
      await ctx.db.tx(async (tx) => {
        await revokeSignIn(tx, actor, accountId, params.signInId ?? '')
        await recordAudit(tx, actor, { businessId: null, action: 'account.sign_in_revoked', target: params.signInId ?? null })
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
      } = await findInvitation(ctx.db, (body as BodyOf<'lookAtInvitation'>).token)
      const ends = seen.purpose === 'reset' ? await unprovenMembershipsOf(ctx.db, seen.email, keeps) : []
      return { status: 200, body: { ...seen, ends, expiresAt: expiresAt.toISOString() } }
    },
    async acceptInvitation(asked) {
      const from = attemptFrom(asked)
      const { account, needsSecondFactor } = await acceptInvitation(
        ctx,
        { address: from.origin.address, requestId: from.requestId },
        asked.body as BodyOf<'acceptInvitation'>,
      )
      return needsSecondFactor ? { status: 202, body: done.body } : enter({ account, factor: null }, from)
    },
    async joinByInvitation({ caller, body }) {
      await joinByInvitation(ctx, selfOf(caller), (body as BodyOf<'joinByInvitation'>).token)
      return me(caller)
    },
  }
}
