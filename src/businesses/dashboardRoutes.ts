import { callerAccount } from '../accounts/callerAccount.ts'
import type { FactorPolicy } from '../accounts/factor.ts'
import { mailingFor } from '../accounts/mailingFor.ts'
import { requireFactor } from '../accounts/secondFactor.ts'
import { showMe } from '../accounts/showMe.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import { inviteMember, listInvitations, revokeInvitation } from '../members/invitations.ts'
import { countInvitation } from '../rateLimits/dashboardLimits.ts'
import { sortedBusinesses } from '../sessions/sortedBusinesses.ts'
import { readVolumes } from '../sessions/volumes.ts'
import { joinByInvitation } from './acceptInvitation.ts'
import { getBusiness } from './business.ts'
import { chooseDefaultBusiness } from './chooseDefault.ts'
import { removeLogo, setLogo } from './logo/logo.ts'
import { changeBusiness, createBusiness, presentBusiness } from './manageBusiness.ts'
import { changeMember, listMembers, removeMember } from './members.ts'
import { type OperatorRoutesContext, operatorRoutes } from './operatorRoutes.ts'
import { getPaymentSettings, setPaymentSettings } from './paymentSettings.ts'
import { setOwnersFactor } from './setOwnersFactor.ts'

export interface BusinessDashboardContext extends Omit<OperatorRoutesContext, 'volumes'> {
  chains: readonly ConfiguredChain[]
  /** The deployment's public URL. */
  issuer: string
  factorPolicy: FactorPolicy
}

const done = { status: 200, body: { ok: true } }

/** A business, its members and settings; and all businesses, for operators. */
export const businessDashboardRoutes = (ctx: BusinessDashboardContext): Routes => ({
  async createBusiness({ caller, body }) {
    // The caller becomes the owner.
    requireFactor(ctx.factorPolicy, caller.account?.factor ?? null, {
      operates: false,
      role: 'owner',
      writes: true,
      businessRequires: false,
    })
    return {
      status: 201,
      body: await createBusiness(ctx, caller.actor, callerAccount(caller).accountId, body),
    }
  },
  getBusiness: async ({ caller }) => ({
    status: 200,
    body: presentBusiness(await getBusiness(ctx, caller.businessId)),
  }),
  changeBusiness: async ({ caller: { actor, businessId }, body }) => ({
    status: 200,
    body: await changeBusiness(ctx, actor, businessId, body),
  }),
  async setOwnersFactor({ caller: { actor, businessId, account }, body }) {
    const set = await setOwnersFactor(
      ctx,
      actor,
      businessId,
      body.ownersNeedSecondFactor,
      account?.factor ?? null,
    )
    return { status: set.waitingApproval ? 202 : 200, body: set }
  },
  async chooseDefaultBusiness({ caller, body }) {
    await chooseDefaultBusiness(ctx, callerAccount(caller), body.businessId)
    return { status: 200, body: await showMe(ctx, callerAccount(caller).accountId) }
  },
  listMembers: async ({ caller }) => ({
    status: 200,
    body: { members: await listMembers(ctx.db, caller.businessId) },
  }),
  async changeMember({ caller: { actor, businessId }, params, body }) {
    const { member, approval } = await changeMember(ctx, actor, businessId, params.accountId, body.role)
    return approval ? { status: 202, body: { ...member, approval } } : { status: 200, body: member }
  },
  async removeMember({ caller, params }) {
    await removeMember(ctx, caller.actor, caller.businessId, params.accountId)
    return done
  },
  async leaveBusiness({ caller }) {
    await removeMember(ctx, caller.actor, caller.businessId, callerAccount(caller).accountId, 'member.left')
    return done
  },
  listInvitations: async ({ caller }) => ({
    status: 200,
    body: { invitations: await listInvitations(ctx.db, caller.businessId) },
  }),
  async inviteMember({ caller, body: { delivery, ...wanted } }) {
    await countInvitation(ctx, callerAccount(caller).accountId)
    const mailing = await mailingFor(ctx, delivery, wanted.email, caller.businessId)
    const { invitation, token } = await inviteMember(ctx, caller.actor, caller.businessId, wanted, mailing)
    return { status: 201, body: { invitation, token: mailing ? null : token.reveal() } }
  },
  async revokeInvitation({ caller, params }) {
    await revokeInvitation(ctx, caller.actor, caller.businessId, params.invitationId)
    return done
  },
  async joinByInvitation({ caller, body }) {
    await joinByInvitation(ctx, callerAccount(caller), body.token)
    return { status: 200, body: await showMe(ctx, callerAccount(caller).accountId) }
  },
  getPaymentSettings: async ({ caller }) => ({
    status: 200,
    body: await getPaymentSettings(ctx, caller.businessId),
  }),
  setPaymentSettings: async ({ caller, body }) => ({
    status: 200,
    body: await setPaymentSettings(ctx, caller.actor, caller.businessId, body),
  }),
  async setLogo({ caller: { actor, businessId }, body }) {
    await setLogo(ctx, actor, businessId, body.image)
    return { status: 200, body: await getPaymentSettings(ctx, businessId) }
  },
  async removeLogo({ caller: { actor, businessId } }) {
    await removeLogo(ctx, actor, businessId)
    return { status: 200, body: await getPaymentSettings(ctx, businessId) }
  },
  ...operatorRoutes({ ...ctx, volumes: { read: readVolumes, sorted: sortedBusinesses } }),
})
