import type { Capability } from '../capability.ts'
import { notificationSettings } from './settings.ts'

/** Mails about events, to the members who chose them. The worker's part of mail makes and sends them. */
export const notifications: Capability = {
  name: 'notifications',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).notificationDashboardRoutes },
  settings: { worker: notificationSettings },
  tables: {
    notification_choices: { api: 'select, insert, update', worker: 'select, update (seen, next_at)' },
    notification_paces: { worker: 'select, insert, update' },
    notifications: { worker: 'select, insert, update (attempts, next_attempt_at, last_error), delete' },
  },
}
