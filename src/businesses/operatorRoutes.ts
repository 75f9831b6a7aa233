import { mailingFor } from '../accounts/mailingFor.ts'
import type { Routes } from '../http/routes.ts'
import type { Mailing } from '../mail/queueMail.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import type { Caps } from '../rateLimits/caps.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import {
  inviteOwner,
  listBusinesses,
  listOperatedMembers,
  openBusiness,
  setApproval,
  setCaps,
  setFees,
  setTimeZone,
  viewBusiness,
  withVolumes,
} from './operateBusinesses.ts'
import type { Volumes } from './volume.ts'

export interface OperatorRoutesContext {
  db: ModelDb
  limiter: RateLimiter
  /** Null: the deployment sends no mail. */
  mailing: Mailing | null
  caps: Caps
  volumes: Volumes
}

/** All businesses, for operators of the platform. */
export const operatorRoutes = (ctx: OperatorRoutesContext): Routes => ({
  async listBusinesses({ query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listBusinesses(ctx, filter, request) }
  },
  async openBusiness({ caller, body: { delivery, ...wanted } }) {
    const mailing = await mailingFor(ctx, delivery, wanted.ownerEmail)
    const { business, token } = await openBusiness(ctx, caller.actor, wanted, mailing)
    return { status: 201, body: { business, token: mailing ? null : token.reveal() } }
  },
  async inviteOwner({ caller, params, body: { ownerEmail, delivery } }) {
    const mailing = await mailingFor(ctx, delivery, ownerEmail)
    const { business, token } = await inviteOwner(ctx, caller.actor, params.businessId, ownerEmail, mailing)
    return { status: 201, body: { business, token: mailing ? null : token.reveal() } }
  },
  async viewBusiness({ params }) {
    const business = await viewBusiness(ctx, params.businessId)
    const [body = business] = await withVolumes(ctx, [business])
    return { status: 200, body }
  },
  listOperatedMembers: async ({ params }) => ({
    status: 200,
    body: { members: await listOperatedMembers(ctx, params.businessId) },
  }),
  approveBusiness: async ({ caller, params }) => ({
    status: 200,
    body: await setApproval(ctx, caller.actor, params.businessId, 'approved', null),
  }),
  suspendBusiness: async ({ caller, params, body }) => ({
    status: 200,
    body: await setApproval(ctx, caller.actor, params.businessId, 'suspended', body.reason),
  }),
  setFees: async ({ caller, params, body }) => ({
    status: 200,
    body: await setFees(ctx, caller.actor, params.businessId, body),
  }),
  setTimeZone: async ({ caller, params, body }) => ({
    status: 200,
    body: await setTimeZone(ctx, caller.actor, params.businessId, body.timeZone),
  }),
  setCaps: async ({ caller, params, body }) => ({
    status: 200,
    body: await setCaps(ctx, caller.actor, params.businessId, body),
  }),
  getDefaultCaps: async () => ({ status: 200, body: ctx.caps }),
})
