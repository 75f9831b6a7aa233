import { accountDashboardRoutes } from '../src/accounts/dashboardRoutes.ts'
import { accountRoutes } from '../src/accounts/routes.ts'
import { keyDashboardRoutes } from '../src/apiKeys/dashboardRoutes.ts'
import { approvalDashboardRoutes } from '../src/approvals/dashboardRoutes.ts'
import { auditDashboardRoutes } from '../src/audit/dashboardRoutes.ts'
import { businessDashboardRoutes } from '../src/businesses/dashboardRoutes.ts'
import { businessRoutes } from '../src/businesses/routes.ts'
import { eventRoutes } from '../src/events/routes.ts'
import { monitoringRoutes } from '../src/monitoring/routes.ts'
import { pricingRoutes } from '../src/pricing/routes.ts'
import { sendLimitsDashboardRoutes } from '../src/sendLimits/dashboardRoutes.ts'
import { sessionRoutes } from '../src/sessions/routes.ts'
import { transferDashboardRoutes } from '../src/transfers/dashboardRoutes.ts'
import { transferRoutes } from '../src/transfers/routes.ts'
import { walletRoutes } from '../src/wallets/routes.ts'
import { webhookRoutes } from '../src/webhooks/routes.ts'
import type { ApiContext } from './context.ts'
import type { CapabilityRoutes } from './routeTable.ts'

/** Of the API's contract alone. */
export const publicRoutes: readonly CapabilityRoutes<ApiContext>[] = [
  { name: 'accounts', routes: accountRoutes },
  { name: 'sessions', routes: sessionRoutes },
  { name: 'pricing', routes: pricingRoutes },
  { name: 'businesses', routes: businessRoutes },
  { name: 'wallets', routes: walletRoutes },
  { name: 'transfers', routes: transferRoutes },
]

/** Of both contracts: in the dashboard for the selected business. */
export const sharedRoutes: readonly CapabilityRoutes<ApiContext>[] = [
  { name: 'monitoring', routes: monitoringRoutes },
  { name: 'webhooks', routes: webhookRoutes },
  { name: 'events', routes: eventRoutes },
]

/** Of the dashboard's contract alone. */
export const dashboardRoutes: readonly CapabilityRoutes<ApiContext>[] = [
  { name: 'accounts', routes: accountDashboardRoutes },
  { name: 'businesses', routes: businessDashboardRoutes },
  { name: 'apiKeys', routes: keyDashboardRoutes },
  { name: 'approvals', routes: approvalDashboardRoutes },
  { name: 'sendLimits', routes: sendLimitsDashboardRoutes },
  { name: 'transfers', routes: transferDashboardRoutes },
  { name: 'audit', routes: auditDashboardRoutes },
]
