import { type Actor, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import type { Mailing } from '../mail/queueMail.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { getsKindSql, type NotificationKind, notificationKinds } from './kinds.ts'

export interface NotificationsView {
  kinds: NotificationKind[]
  email: string
  /** Mails go to proven addresses only. */
  emailProven: boolean
  /** The deployment sends mails. */
  sendsMail: boolean
}

/** Which mails about a business's events a member gets. */
export async function readNotifications(
  ctx: { db: Queryable; mailing: Mailing | null },
  businessId: string,
  accountId: string,
): Promise<NotificationsView> {
  const [account] = await ctx.db.query<{ email: string; emailProven: boolean }>(
    'select email, email_proven_at is not null as "emailProven" from accounts where id = $1',
    [accountId],
  )
  if (!account) throw new Error(`account ${accountId} does not exist`)
  const kinds = await chosenKinds(ctx.db, businessId, accountId)
  return { kinds, ...account, sendsMail: ctx.mailing !== null }
}

/**
 * Chooses them. A kind that is new is about events from now on.
 * @param kinds all that the member is to get
 */
export async function chooseNotifications(
  ctx: { db: Db },
  { actor, accountId }: { actor: Actor; accountId: string },
  businessId: string,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    // The member is locked before what hangs on it.
    await confirmActor(tx, actor)
    const before = await chosenKinds(tx, businessId, accountId)
    const after = notificationKinds.filter((kind) => kinds.includes(kind))
    if (String(before) === String(after)) return
    for (const kind of notificationKinds)
      if (before.includes(kind) !== after.includes(kind))
        await storeChoice(tx, { businessId, accountId, kind }, after.includes(kind))
    await recordAudit(tx, actor, {
      businessId,
      action: 'notifications.changed',
      target: accountId,
      before: { kinds: before },
      after: { kinds: after },
    })
  })
}

/** One kind of one member. */
export interface Choice {
  businessId: string
  accountId: string
  kind: NotificationKind
}

/** Stores what a member wants; mails are about later events. @returns whether there is such a member */
export async function storeChoice(
  db: Queryable,
  { businessId, accountId, kind }: Choice,
  wanted: boolean,
): Promise<boolean> {
  const rows = await db.query(
    `insert into notification_choices (business_id, account_id, kind, wanted, seen)
     select m.business_id, m.account_id, $3, $4, coalesce(s.last, 0)
     from members m left join event_sequences s on s.business_id = m.business_id
     where m.business_id = $1 and m.account_id = $2 for key share of m
     on conflict (business_id, account_id, kind) do update set wanted = excluded.wanted, seen = excluded.seen
     returning kind`,
    [businessId, accountId, kind, wanted],
  )
  return rows.length === 1
}

export async function chosenKinds(
  db: Queryable,
  businessId: string,
  accountId: string,
): Promise<NotificationKind[]> {
  const rows = await db.query<{ kind: NotificationKind }>(
    `select c.kind from notification_choices c join members m on m.business_id = c.business_id and m.account_id = c.account_id
     where c.business_id = $1 and c.account_id = $2 and ${getsKindSql('c', 'm')}`,
    [businessId, accountId],
  )
  return notificationKinds.filter((kind) => rows.some((row) => row.kind === kind))
}
