import type { Capability } from '../capability.ts'

/** Who changed what. */
export const audit: Capability = {
  name: 'audit',
  tables: { audit_retention: { worker: 'select (days)' } },
  maintenance: [async (ctx) => (await import('./keepMonths.ts')).keepMonths(ctx)],
  startWorker: async ({ metrics, db }) => (await import('./auditMetrics.ts')).createAuditMetrics(metrics, db),
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).auditDashboardRoutes },
}
