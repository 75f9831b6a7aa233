import { bodyOf, type EventRow } from '../events/listEvents.ts'
import type { Secret } from '../platform/secrets.ts'
import { type OwnHeaders, openHeaders } from './ownHeaders.ts'
import { openWebhookSecret } from './secret.ts'

/** A claimed attempt with its delivery and event. */
export interface Claimed extends Omit<EventRow, 'id' | 'erasedAt'> {
  /** Of the work that recorded the event; null: not traced. */
  traceparent?: string | null
  deliveryId: string
  /** Of a callback: its own URL; null: that of the endpoint. */
  deliveryUrl?: string | null
  /** The `webhook-id`. Null: the event is no longer stored. */
  eventId: string | null
  /** Number of the attempt, over all rounds. */
  attempts: number
  /** Number of the attempt within the current round; a replay starts a new round. */
  tries: number
}

export interface Message {
  claimed: Claimed
  /** The `webhook-id`. */
  eventId: string
  body: string
}

/** The messages to send; events no longer stored are skipped. */
export function messagesOf(claimed: readonly Claimed[]): Message[] {
  return claimed.flatMap((each) =>
    each.eventId === null
      ? []
      : [{ claimed: each, eventId: each.eventId, body: JSON.stringify(bodyOf(each)) }],
  )
}

/** The earliest and latest time: as a condition they limit a statement to the partitions it needs. */
export function spanOf(dates: readonly Date[]): [Date, Date] {
  const times = dates.map((each) => each.getTime())
  return [new Date(Math.min(...times)), new Date(Math.max(...times))]
}

export interface Keys {
  secret: Secret
  previous: Secret | null
  headers: OwnHeaders
}

/** Opens the current signing secrets, and the endpoint's own headers. */
export function openKeys(
  appKey: Secret,
  row: {
    id: string
    sealedSecret: Buffer
    previousSealedSecret: Buffer | null
    previousUntil: Date | null
    sealedHeaders: Buffer | null
  },
): Keys {
  const overlaps =
    row.previousSealedSecret !== null && row.previousUntil !== null && row.previousUntil > new Date()
  return {
    secret: openWebhookSecret(appKey, row.id, row.sealedSecret),
    previous:
      overlaps && row.previousSealedSecret
        ? openWebhookSecret(appKey, row.id, row.previousSealedSecret)
        : null,
    headers: openHeaders(appKey, row.id, row.sealedHeaders),
  }
}
