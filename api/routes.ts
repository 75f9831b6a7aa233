import { dashboardRoutes, publicRoutes, sharedRoutes } from './capabilityRoutes.ts'
import type { ApiContext } from './context.ts'
import { signInRoutes } from './dashboard-api/signInRoutes.ts'
import { forDashboard, type RouteTable, routeTable } from './routeTable.ts'

/** The handlers of the API's contract. */
export const publicTable = (ctx: ApiContext): RouteTable => routeTable(ctx, [...publicRoutes, ...sharedRoutes])

/** The handlers of the dashboard's contract. */
export const dashboardTable = (ctx: ApiContext): RouteTable =>
  routeTable(ctx, [{ name: "the dashboard's session", routes: signInRoutes }, ...dashboardRoutes, ...sharedRoutes.map(forDashboard)])
