import type { EventType } from '../events/recordEvents.ts'

/** What a mail about events is about. */
export const notificationKinds = ['paid', 'exception', 'payout_failed', 'endpoint_failing'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The events of each kind. */
export const typesOf: Readonly<Record<NotificationKind, readonly EventType[]>> = {
  paid: ['session.paid'],
  exception: ['session.underpaid', 'session.overpaid', 'session.late', 'session.reversed'],
  payout_failed: ['payout.failed', 'payout.returned'],
  endpoint_failing: ['endpoint.paused', 'delivery.failed'],
}

/**
 * SQL: a member gets the kind of a row. Owners get what they have not refused; cashiers see no money, and get
 * none. @param choice the alias of notification_choices @param member that of members
 */
export const getsKindSql = (choice: string, member: string): string =>
  `(coalesce(${choice}.wanted, ${member}.role = 'owner') and ${member}.role <> 'cashier')`

/**
 * SQL: the member may be mailed about the business now: the mailbox is known to be the account's own, and the
 * account and the business are not closed. @param account the alias of accounts @param business that of
 * businesses
 */
export const mayBeMailedSql = (account: string, business: string): string =>
  `(${account}.locked_at is null and ${account}.email_proven_at is not null and ${business}.approval <> 'suspended')`
