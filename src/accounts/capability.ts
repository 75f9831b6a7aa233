import type { Capability } from '../capability.ts'

/** People: sign-in, second factors, passkeys, links by mail. */
export const accounts: Capability = {
  name: 'accounts',
  routes: {
    public: async () => (await import('./routes.ts')).accountRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).accountDashboardRoutes,
  },
  maintenance: [async ({ db }) => (await import('./passkeyChallenges.ts')).forgetChallenges(db)],
}
