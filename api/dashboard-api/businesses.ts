import { inviteMember, listInvitations, revokeInvitation } from '../../src/accounts/invitations.ts'
import { requireFactor } from '../../src/accounts/secondFactor.ts'
import { listAudit } from '../../src/audit/listAudit.ts'
import { getBusiness } from '../../src/businesses/business.ts'
import { createBusiness, presentBusiness, renameBusiness } from '../../src/businesses/manageBusiness.ts'
import { changeMember, listMembers, removeMember } from '../../src/businesses/members.ts'
import { setOwnersFactor } from '../../src/businesses/setOwnersFactor.ts'
import { countAuditSearch, countInvitation } from '../../src/limits/dashboardLimits.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'
import { selfOf } from './account.ts'
import { mailingFor } from './delivery.ts'

const done = { status: 200, body: { ok: true } }

/** A business, its members and its audit log. */
export function businessRoutes(ctx: ApiContext): Record<string, Route> {
  return {
    async createBusiness({ caller, body }) {
      // The caller becomes the owner.
      requireFactor(ctx.factorPolicy, caller.account?.factor ?? null, { operates: false, role: 'owner', businessRequires: false })
      const business = await createBusiness(ctx, caller.actor, selfOf(caller).accountId, body as BodyOf<'createBusiness'>)
      return { status: 201, body: business }
    },
    getBusiness: async ({ caller }) => ({ status: 200, body: presentBusiness(await getBusiness(ctx, caller.businessId)) }),
    changeBusiness: async ({ caller, body }) => ({
      status: 200,
      body: await renameBusiness(ctx, caller.actor, caller.businessId, (body as BodyOf<'changeBusiness'>).name),
    }),
    setOwnersFactor: async ({ caller, body }) => ({
      status: 200,
      body: await setOwnersFactor(
        ctx,
        caller.actor,
        caller.businessId,
        (body as BodyOf<'setOwnersFactor'>).ownersNeedSecondFactor,
        caller.account?.factor ?? null,
      ),
    }),
    listMembers: async ({ caller }) => ({ status: 200, body: { members: await listMembers(ctx.db, caller.businessId) } }),
    async changeMember({ caller: { actor, businessId }, params, body }) {
      const { member, approval } = await changeMember(ctx, actor, businessId, params.accountId ?? '', (body as BodyOf<'changeMember'>).role)
      return approval ? { status: 202, body: { ...member, approval } } : { status: 200, body: member }
    },
    async removeMember({ caller, params }) {
      await removeMember(ctx, caller.actor, caller.businessId, params.accountId ?? '')
      return done
    },
    async leaveBusiness({ caller }) {
      await removeMember(ctx, caller.actor, caller.businessId, selfOf(caller).accountId, 'member.left')
      return done
    },
    listInvitations: async ({ caller }) => ({ status: 200, body: { invitations: await listInvitations(ctx.db, caller.businessId) } }),
    async inviteMember({ caller, body }) {
      await countInvitation(ctx, selfOf(caller).accountId)
      const { delivery, ...wanted } = body as BodyOf<'inviteMember'>
      const mailing = await mailingFor(ctx, delivery, wanted.email, caller.businessId)
      const { invitation, token } = await inviteMember(ctx, caller.actor, caller.businessId, wanted, mailing)
      return { status: 201, body: { invitation, token: mailing ? null : token.reveal() } }
    },
    async revokeInvitation({ caller, params }) {
      await revokeInvitation(ctx, caller.actor, caller.businessId, params.invitationId ?? '')
      return done
    },
    async listAudit({ caller, query }) {
      const { filter, request } = splitQuery(query as QueryOf<'listAudit'>)
      if (filter.q !== undefined) await countAuditSearch(ctx, selfOf(caller).accountId)
      return { status: 200, body: await listAudit(ctx, { ...filter, businessId: caller.businessId }, request) }
    },
  }
}
