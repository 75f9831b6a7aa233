import type { Db } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { bodyOf, type EventRow } from './listEvents.ts'
import { openWebhookSecret } from './secret.ts'

/** An attempt that is to be made now. */
export interface Claimed {
  delivery_id: string
  created_at: Date
  /** Of the attempt, over all rounds. */
  attempts: number
  /** Of the attempt within the present round, which a replay begins anew. */
  tries: number
}

export interface Message {
  claimed: Claimed
  /** The `webhook-id`. */
  eventId: string
  body: string
}

interface MessageRow extends Omit<EventRow, 'id'> {
  delivery_id: string
  event_id: string
}

/** What is to be sent, in the order of the sequence numbers. */
export async function readMessages(db: Db, claimed: readonly Claimed[]): Promise<Message[]> {
  const [from, to] = spanOf(claimed.map((each) => each.created_at))
  const rows = await db.query<MessageRow>(
    `select d.id as delivery_id, d.event_id, e.created_at, e.type, e.sequence, e.data
     from webhook_deliveries d join events e on e.id = d.event_id and e.created_at = d.created_at
     where d.id = any($1::uuid[]) and d.created_at between $2 and $3 and e.created_at between $2 and $3 order by e.sequence`,
    [claimed.map((each) => each.delivery_id), from, to],
  )
  const byId = new Map(claimed.map((each) => [each.delivery_id, each]))
  return rows.flatMap((row) => {
    const each = byId.get(row.delivery_id)
    return each ? [{ claimed: each, eventId: row.event_id, body: JSON.stringify(bodyOf(row)) }] : []
  })
}

/** The first and the last time: said in a statement, they keep it to the partitions that it needs. */
export function spanOf(dates: readonly Date[]): [Date, Date] {
  const times = dates.map((each) => each.getTime())
  return [new Date(Math.min(...times)), new Date(Math.max(...times))]
}

export interface Keys {
  secret: Secret
  previous: Secret | null
}

/** Opens what signs now. */
export function openKeys(
  appKey: Secret,
  row: { id: string; sealed_secret: Buffer; previous_sealed_secret: Buffer | null; previous_until: Date | null },
): Keys {
  const overlaps = row.previous_sealed_secret !== null && row.previous_until !== null && row.previous_until > new Date()
  return {
    secret: openWebhookSecret(appKey, row.id, row.sealed_secret),
    previous: overlaps && row.previous_sealed_secret ? openWebhookSecret(appKey, row.id, row.previous_sealed_secret) : null,
  }
}
