import type { ApiContext, Route } from '../context.ts'
import { dashboardTwin } from '../contract.ts'
import { sharedRoutes } from '../routes/index.ts'
import { accountRoutes } from './account.ts'
import { businessRoutes } from './businesses.ts'
import { keyRoutes } from './keys.ts'
import { operatorRoutes } from './operator.ts'
import { sendingRoutes } from './sending.ts'
import { settingsRoutes } from './settings.ts'

/** The handler of each operation of the dashboard's contract. */
export const dashboardRoutes = (ctx: ApiContext): Record<string, Route> => ({
  ...accountRoutes(ctx),
  ...businessRoutes(ctx),
  ...keyRoutes(ctx),
  ...sendingRoutes(ctx),
  ...settingsRoutes(ctx),
  ...operatorRoutes(ctx),
  ...Object.fromEntries(Object.entries(sharedRoutes(ctx)).map(([operationId, route]) => [dashboardTwin(operationId), route])),
})
