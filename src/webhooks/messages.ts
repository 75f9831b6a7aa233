import type { Secret } from '../platform/secrets.ts'
import { bodyOf, type EventRow } from './listEvents.ts'
import { openWebhookSecret } from './secret.ts'

/** An attempt that is to be made now, and what of. */
export interface Claimed extends Omit<EventRow, 'id'> {
  delivery_id: string
  /** The `webhook-id`. Null: the event is no longer kept. */
  event_id: string | null
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

/** What is to be sent; of an event that is no longer kept there is nothing. */
export function messagesOf(claimed: readonly Claimed[]): Message[] {
  return claimed.flatMap((each) => (each.event_id === null ? [] : [{ claimed: each, eventId: each.event_id, body: JSON.stringify(bodyOf(each)) }]))
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
