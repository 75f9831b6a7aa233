import type { Capability } from '../capability.ts'

/** Payment links: the customer chooses network, token and sometimes the amount, and gets a session. */
export const paymentLinks: Capability = {
  name: 'paymentLinks',
  routes: {
    public: async () => (await import('./routes.ts')).paymentLinkRoutes,
    shared: async () => (await import('./sharedRoutes.ts')).sharedPaymentLinkRoutes,
  },
  tables: {
    payment_links: { api: 'select, insert, update' },
    payment_link_visits: { api: 'select, insert' },
  },
}
