import { expect } from '@jest/globals'
import type { Stack } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** The effects of one payment, counted in the database and at the receiver. */
export interface Effects {
  detections: number
  /** Entries that credited the business, less reversals. */
  credits: number
  status: string
  /** `session.paid` at the receiver: distinct events, and all deliveries. */
  paidEvents: number
  paidDeliveries: number
}

/** The effects on each of these sessions, by independent counting: plain SQL and received requests. */
export async function effectsOn(
  stack: Pick<Stack, 'db' | 'receiver'>,
  sessionIds: readonly string[],
): Promise<Map<string, Effects>> {
  const rows = await stack.db.query<{ id: string; status: string; detections: number; credits: number }>(
    `select s.id, s.status,
       (select count(*) from detections d where d.subject_id = s.id and d.status <> 'reverted')::int as detections,
       (select coalesce(sum(case e.kind when 'deposit.credited' then 1 when 'deposit.reverted' then -1 end), 0)
          from ledger_entries e join detections d on d.id::text = e.reference where d.subject_id = s.id)::int as credits
     from pos_sessions s where s.id = any($1::uuid[])`,
    [sessionIds],
  )
  return new Map(
    rows.map((row) => {
      const paid = stack.receiver.received.filter(
        (event) => event.type === 'session.paid' && event.data.id === row.id,
      )
      return [
        row.id,
        {
          detections: row.detections,
          credits: row.credits,
          status: row.status,
          paidEvents: new Set(paid.map((event) => event.id)).size,
          paidDeliveries: paid.length,
        },
      ]
    }),
  )
}

/** Work that must not remain after everything was processed. */
export async function leftovers(
  stack: Stack,
): Promise<{ outbox: number; pendingDeliveries: number; unsettled: number }> {
  const [row] = await stack.db.query<{ outbox: number; pendingDeliveries: number; unsettled: number }>(
    `select (select count(*) from outbox)::int as outbox,
       (select count(*) from webhook_deliveries where status = 'pending')::int as "pendingDeliveries",
       (select count(*) from detections d join watches w on w.id = d.watch_id and w.purpose = 'session' left join session_payments p on p.detection_id = d.id
          where p.detection_id is null or p.status <> d.status or p.generation <> d.generation)::int
       + (select count(*) from detections d left join suspense_payments s on s.detection_id = d.id
          where d.business_id is null and coalesce(s.posted, false) <> (d.status = 'confirmed'))::int
       + (select count(*) from detections d join watches w on w.id = d.watch_id and w.purpose = 'monitor' left join monitored_movements m on m.detection_id = d.id
          where coalesce(m.told, 'reverted') <> case d.status when 'seen' then 'detected' else d.status end
            or m.generation <> d.generation and d.status <> 'reverted')::int as unsettled`,
  )
  return row ?? { outbox: -1, pendingDeliveries: -1, unsettled: -1 }
}

/**
 * Waits until no work remains: a delivery whose answer came too late is made again seconds later, further
 * ahead than `idle` covers.
 */
export const expectNothingLeftOver = (stack: Stack): Promise<true> =>
  waitFor('no remaining work', async () => {
    expect(await leftovers(stack)).toEqual({ outbox: 0, pendingDeliveries: 0, unsettled: 0 })
    return true
  })
