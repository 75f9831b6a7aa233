import { callerAccount } from '../accounts/callerAccount.ts'
import type { ApiRequest } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { countAuditSearch } from '../rateLimits/dashboardLimits.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import { listAudit } from './listAudit.ts'

export interface AuditDashboardContext {
  db: ModelDb
  limiter: RateLimiter
}

/** The audit log: of a business, and of all for operators. */
export function auditDashboardRoutes(ctx: AuditDashboardContext): Routes {
  const countSearch = async (caller: ApiRequest['caller'], { q }: { q?: string }) => {
    if (q !== undefined) await countAuditSearch(ctx, callerAccount(caller).accountId)
  }
  return {
    async listAudit({ caller, query }) {
      const { filter, request } = splitQuery(query)
      await countSearch(caller, filter)
      return {
        status: 200,
        body: await listAudit(ctx, { ...filter, businessId: caller.businessId }, request),
      }
    },
    async listAllAudit({ caller, query }) {
      const { filter, request } = splitQuery(query)
      await countSearch(caller, filter)
      return { status: 200, body: await listAudit(ctx, filter, request) }
    },
  }
}
