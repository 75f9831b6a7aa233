import type { Db, Tx } from '../platform/database/db.ts'
import { newIds } from '../platform/ids.ts'
import { getsKindSql, mayBeMailedSql, type NotificationKind, typesOf } from './kinds.ts'

/** Choices that are looked at in one transaction. */
const batch = 100
/** Events that one mail looks at; the next one is about those that follow. */
const maxEvents = 50_000
/** Older events are not mailed: a deployment that sends mail for the first time must not send its history. */
const maxAge = '3 days'
/** Seconds until a choice is looked at again that had events of other kinds only. */
const idleSeconds = 5

export interface MakingContext {
  db: Db
  /**
   * Between two mails of a kind to one member while more comes: after the first, after the second, and so on; the
   * last repeats. What happens meanwhile is in the next.
   */
  waitSeconds: readonly number[]
}

interface Due {
  businessId: string
  accountId: string
  kind: NotificationKind
  seen: string
  mayBeMailed: boolean
}

interface Counted {
  upto: string
  events: number
}

/**
 * Makes mails of events. A choice has the sequence number up to which its events are counted; it moves in the
 * transaction that stores the mail, under the row's lock. Numbers have no gaps and become visible in order, so
 * each event is in exactly one count. While a mail of the kind waits no other is made: the next one will be
 * about all that came meanwhile. After an hour in which one could have been made and nothing had come, the
 * next is the first again.
 * @returns whether there may be more to make
 */
export const makeNotifications = (ctx: MakingContext): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const due = await claimDue(tx)
    if (due.length === 0) return false
    const counted = await countEvents(tx, due)
    const found = due.flatMap((each, at) => {
      const count = counted[at]
      return count && count.events > 0 && each.mayBeMailed ? [{ ...each, ...count }] : []
    })
    const ids = newIds(found.length)
    await tx.query(
      `insert into notifications (id, business_id, account_id, kind, after, upto, events)
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::integer[])`,
      [
        ids,
        found.map(({ businessId }) => businessId),
        found.map(({ accountId }) => accountId),
        found.map(({ kind }) => kind),
        found.map(({ seen }) => seen),
        found.map(({ upto }) => upto),
        found.map(({ events }) => events),
      ],
    )
    const paces = await tx.query<{ choice: string; wait: number }>(paceSql, [
      found.map(({ businessId }) => businessId),
      found.map(({ accountId }) => accountId),
      found.map(({ kind }) => kind),
      ctx.waitSeconds,
    ])
    const waits = new Map(paces.map(({ choice, wait }) => [choice, wait]))
    const idle = Math.min(idleSeconds, ...ctx.waitSeconds)
    await tx.query(
      `update notification_choices c set seen = g.upto, next_at = now() + g.wait * interval '1 second'
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::integer[]) as g(business_id, account_id, kind, upto, wait)
       where c.business_id = g.business_id and c.account_id = g.account_id and c.kind = g.kind`,
      [
        due.map(({ businessId }) => businessId),
        due.map(({ accountId }) => accountId),
        due.map(({ kind }) => kind),
        due.map(({ seen }, at) => counted[at]?.upto ?? seen),
        due.map((each) => waits.get(choiceKey(each)) ?? idle),
      ],
    )
    return due.length === batch
  })

const choiceKey = ({ businessId, accountId, kind }: Due): string => `${businessId} ${accountId} ${kind}`

/** Counts a mail of each choice, whose rows are locked. @returns the seconds until its next */
const paceSql = `
  insert into notification_paces as p (business_id, account_id, kind, mails, ends_at)
  select g.business_id, g.account_id, g.kind, 1, now() + ($4::int[])[1] * interval '1 second' + interval '1 hour'
  from unnest($1::uuid[], $2::uuid[], $3::text[]) as g(business_id, account_id, kind)
  on conflict (business_id, account_id, kind) do update set
    mails = case when p.ends_at > now() then p.mails + 1 else 1 end,
    ends_at = now() + interval '1 hour'
      + ($4::int[])[least(case when p.ends_at > now() then p.mails + 1 else 1 end, cardinality($4::int[]))] * interval '1 second'
  returning business_id || ' ' || account_id || ' ' || kind as choice, ($4::int[])[least(mails, cardinality($4::int[]))] as wait`

const claimDue = (tx: Tx): Promise<Due[]> =>
  tx.query<Due>(
    `select c.business_id as "businessId", c.account_id as "accountId", c.kind, c.seen::text, ${mayBeMailedSql('a', 'b')} as "mayBeMailed"
     from notification_choices c
       join event_sequences s on s.business_id = c.business_id
       join members m on m.business_id = c.business_id and m.account_id = c.account_id
       join accounts a on a.id = c.account_id join businesses b on b.id = c.business_id
     where s.last > c.seen and c.next_at <= now() and ${getsKindSql('c', 'm')}
       and not exists (select from notifications n where n.business_id = c.business_id and n.account_id = c.account_id and n.kind = c.kind)
     order by c.next_at limit ${batch} for update of c skip locked`,
  )

/** In the order of `due`. The statement after the locks: it sees all that the locked rows do not count yet. */
const countEvents = (tx: Tx, due: readonly Due[]): Promise<Counted[]> =>
  tx.query<Counted>(
    `select g.upto::text, (
       select count(*)::int from events e
       where e.business_id = g.business_id and e.sequence > g.seen and e.sequence <= g.upto
         and e.created_at > now() - interval '${maxAge}' and e.type = any(string_to_array(g.types, ' '))) as events
     from (
       select d.*, least(s.last, d.seen + ${maxEvents}) as upto
       from unnest($1::uuid[], $2::bigint[], $3::text[]) with ordinality as d(business_id, seen, types, n)
         join event_sequences s on s.business_id = d.business_id) g
     order by g.n`,
    [
      due.map(({ businessId }) => businessId),
      due.map(({ seen }) => seen),
      due.map(({ kind }) => typesOf[kind].join(' ')),
    ],
  )
