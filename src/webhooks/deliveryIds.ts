import { firstIdAt, timeOfId } from '../platform/ids.ts'

/**
 * Deliveries have no index by event. Their ids are made right after that of their event (`recordEvents`), and
 * so are found in a short range of the primary key.
 */
const rangeMs = 1000

/** The first id after those of an event's deliveries, which are greater than that of the event. */
export const endOfDeliveryIds = (eventId: string): string => firstIdAt(timeOfId(eventId) + rangeMs)

/** SQL: the same. */
export const endOfDeliveryIdsSql = (eventId: string): string =>
  `rpad(lpad(to_hex(('x' || left(replace(${eventId}::text, '-', ''), 12))::bit(48)::bigint + ${rangeMs}), 12, '0'), 32, '0')::uuid`
