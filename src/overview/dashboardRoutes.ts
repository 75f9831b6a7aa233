import type { Routes } from '../http/routes.ts'
import { type OverviewContext, readOverview } from './readOverview.ts'

export const overviewDashboardRoutes = (ctx: OverviewContext): Routes => ({
  async getOverview({ caller: { businessId, account }, query: { timeZone } }) {
    if (!account) throw new Error('the overview is read by members')
    return {
      status: 200,
      body: await readOverview(ctx, { businessId, timeZone: timeZone ?? null, reader: account }),
    }
  },
})
