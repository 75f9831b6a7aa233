import type { NewEvent } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Outflow, OutflowKind } from './outflow.ts'

/** The events of a kind of outflow. Its capability brings them (`outflowEvents` in its `capability.ts`). */
export interface EventsOfKind {
  /** The events of its new status. */
  changed(ctx: EventsOfKindContext, tx: Tx, before: Outflow, after: Outflow): Promise<NewEvent[]>
  /** Its price has to be confirmed before it leaves. */
  priceChanged?(ctx: EventsOfKindContext, tx: Tx, after: Outflow): Promise<NewEvent[]>
}

export interface EventsOfKindContext {
  /** Opens the account of the destination, whose number is shown masked. */
  appKey: Secret
}

/** By kind, loaded on demand. A kind of the platform's own has no events. */
export type OutflowEventSources = Readonly<Partial<Record<OutflowKind, () => Promise<EventsOfKind>>>>

/** The events of all kinds of outflows. */
export interface OutflowEvents {
  /** Empty where the status is the same. */
  changed(tx: Tx, before: Outflow, after: Outflow): Promise<NewEvent[]>
  priceChanged(tx: Tx, after: Outflow): Promise<NewEvent[]>
}

export interface OutflowEventContext {
  outflowEvents: OutflowEvents
}

export const createOutflowEvents = (
  sources: OutflowEventSources,
  ctx: EventsOfKindContext,
): OutflowEvents => ({
  async changed(tx, before, after) {
    if (before.status === after.status) return []
    const events = await sources[after.kind]?.()
    return events ? events.changed(ctx, tx, before, after) : []
  },
  async priceChanged(tx, after) {
    const events = await sources[after.kind]?.()
    return (await events?.priceChanged?.(ctx, tx, after)) ?? []
  },
})
