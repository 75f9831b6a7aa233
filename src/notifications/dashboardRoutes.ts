import { callerAccount } from '../accounts/callerAccount.ts'
import type { Routes } from '../http/routes.ts'
import type { Mailing } from '../mail/queueMail.ts'
import type { Db } from '../platform/database/db.ts'
import { chooseNotifications, readNotifications } from './chooseNotifications.ts'

export interface NotificationsContext {
  db: Db
  mailing: Mailing | null
}

/** The caller's own choice of mails about a business. */
export const notificationDashboardRoutes = (ctx: NotificationsContext): Routes => ({
  getNotifications: async ({ caller }) => ({
    status: 200,
    body: await readNotifications(ctx, caller.businessId, callerAccount(caller).accountId),
  }),
  async setNotifications({ caller, body }) {
    const self = callerAccount(caller)
    await chooseNotifications(ctx, self, caller.businessId, body.kinds)
    return { status: 200, body: await readNotifications(ctx, caller.businessId, self.accountId) }
  },
})
