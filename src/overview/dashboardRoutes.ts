import type { Routes } from '../http/routes.ts'
import type { BusinessDay } from './businessDays.ts'
import { keptDays } from './keptDays.ts'
import { type OverviewContext, readOverview } from './readOverview.ts'

export function overviewDashboardRoutes(ctx: Omit<OverviewContext, 'days'>): Routes {
  const days = keptDays<BusinessDay>()
  return {
    async getOverview({ caller: { businessId, account }, query: { timeZone } }) {
      if (!account) throw new Error('the overview is read by members')
      return {
        status: 200,
        body: await readOverview(
          { ...ctx, days },
          { businessId, timeZone: timeZone ?? null, reader: account },
        ),
      }
    },
  }
}
