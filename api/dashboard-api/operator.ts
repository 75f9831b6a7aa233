import { listAudit } from '../../src/audit/listAudit.ts'
import { inviteOwner, listBusinesses, openBusiness, setApproval, setCaps, setFees, viewBusiness } from '../../src/businesses/operateBusinesses.ts'
import { countAuditSearch } from '../../src/limits/dashboardLimits.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import { giveUpTransfer } from '../../src/transfers/giveUpTransfer.ts'
import { listHeldTransfers } from '../../src/transfers/listHeldTransfers.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'
import { selfOf } from './account.ts'
import { mailingFor } from './delivery.ts'

/** Operations for operators of the platform. */
export function operatorRoutes(ctx: ApiContext): Record<string, Route> {
  return {
    async listBusinesses({ query }) {
      const { filter, request } = splitQuery(query as QueryOf<'listBusinesses'>)
      return { status: 200, body: await listBusinesses(ctx, filter, request) }
    },
    async openBusiness({ caller, body }) {
      const { delivery, ...wanted } = body as BodyOf<'openBusiness'>
      const mailing = await mailingFor(ctx, delivery, wanted.ownerEmail)
      const { business, token } = await openBusiness(ctx, caller.actor, wanted, mailing)
      return { status: 201, body: { business, token: mailing ? null : token.reveal() } }
    },
    async inviteOwner({ caller, params, body }) {
      const { ownerEmail, delivery } = body as BodyOf<'inviteOwner'>
      const mailing = await mailingFor(ctx, delivery, ownerEmail)
      const { business, token } = await inviteOwner(ctx, caller.actor, params.businessId ?? '', ownerEmail, mailing)
      return { status: 201, body: { business, token: mailing ? null : token.reveal() } }
    },
    viewBusiness: async ({ params }) => ({ status: 200, body: await viewBusiness(ctx, params.businessId ?? '') }),
    approveBusiness: async ({ caller, params }) => ({
      status: 200,
      body: await setApproval(ctx, caller.actor, params.businessId ?? '', 'approved', null),
    }),
    suspendBusiness: async ({ caller, params, body }) => ({
      status: 200,
      body: await setApproval(ctx, caller.actor, params.businessId ?? '', 'suspended', (body as BodyOf<'suspendBusiness'>).reason),
    }),
    async listHeldTransfers({ params, query }) {
      const { request } = splitQuery(query as QueryOf<'listHeldTransfers'>)
      return { status: 200, body: await listHeldTransfers(ctx, params.businessId ?? '', request) }
    },
    giveUpTransfer: async ({ caller, params }) => ({
      status: 200,
      body: await giveUpTransfer({ db: ctx.db, purposes: ctx.txmgr.purposes }, caller.actor, params.businessId ?? '', params.transferId ?? ''),
    }),
    setFees: async ({ caller, params, body }) => ({
      status: 200,
      body: await setFees(ctx, caller.actor, params.businessId ?? '', body as BodyOf<'setFees'>),
    }),
    setCaps: async ({ caller, params, body }) => ({
      status: 200,
      body: await setCaps(ctx, caller.actor, params.businessId ?? '', body as BodyOf<'setCaps'>),
    }),
    getDefaultCaps: async () => ({ status: 200, body: ctx.caps }),
    async listAllAudit({ caller, query }) {
      const { filter, request } = splitQuery(query as QueryOf<'listAllAudit'>)
      if (filter.q !== undefined) await countAuditSearch(ctx, selfOf(caller).accountId)
      return { status: 200, body: await listAudit(ctx, filter, request) }
    },
  }
}
