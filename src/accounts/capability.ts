import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'
import { accountSettings } from './settings.ts'

/** People: sign-in, second factors, passkeys, links by mail. */
export const accounts: Capability = {
  name: 'accounts',
  sealed: sealedColumns,
  routes: {
    public: async () => (await import('./routes.ts')).accountRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).accountDashboardRoutes,
  },
  settings: { api: accountSettings },
  startApi: async (ctx) => (await import('./startAccounts.ts')).startAccounts(ctx),
  maintenance: [async ({ db }) => (await import('./passkeyChallenges.ts')).forgetChallenges(db)],
}
