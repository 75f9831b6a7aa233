import { aboutNothing, type NewEvent, recordEvents } from '../events/recordEvents.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'

/**
 * An endpoint is reported at once, and then at most this often, with the number of deliveries given up since.
 */
const reportMinutes = 60

interface Reported {
  businessId: string
  url: string
  description: string
  /** It is a host of the `webhookUrl` of sessions. */
  isCallback: boolean
  /** Why Cowry had paused it; null: it was not paused, or has not succeeded since. */
  recoveredFrom: 'failing' | 'gone' | null
  /** An event `delivery.failed` may be recorded now. */
  due: boolean
}

/** Event types in the body of an event. */
interface LostType {
  type: string
  count: number
  lastError: string | null
  /** The latest delivery given up. */
  deliveryId: string | null
}

/**
 * Records what an endpoint's other endpoints are to be notified of: `delivery.failed` if deliveries were
 * given up, and
 * `endpoint.recovered` if a reported type is delivered again, or anything after Cowry had paused the
 * endpoint. The counts are stored with the attempts; they are reset in the transaction of the event, so each
 * delivery that was given up is counted by one event. Where a process crashes in between, `maintain` records
 * them.
 */
export const reportHealth = (ctx: { db: Db }, endpointId: string): Promise<void> =>
  ctx.db.tx((tx) => reportWithin(tx, endpointId))

/** The same within a transaction. */
export async function reportWithin(tx: Tx, endpointId: string): Promise<void> {
  const [endpoint] = await tx.query<Reported>(
    `select business_id as "businessId", url, description, callback_host is not null as "isCallback", recovered_from as "recoveredFrom",
       coalesce(reported_at <= now() - $2 * interval '1 minute', true) as due
     from webhook_endpoints where id = $1 and removed_at is null for no key update`,
    [endpointId, reportMinutes],
  )
  if (!endpoint) return
  const events: NewEvent[] = []
  const about = {
    id: endpointId,
    description: endpoint.description,
    host: new URL(endpoint.url).host,
    ...(endpoint.isCallback && { callback: true }),
  }
  const lost = endpoint.due ? await takeLost(tx, endpointId) : []
  if (lost.length > 0) {
    await tx.query('update webhook_endpoints set reported_at = now() where id = $1', [endpointId])
    const count = lost.reduce((sum, each) => sum + each.count, 0)
    events.push({
      type: 'delivery.failed',
      data: { endpoint: about, count, types: lost },
      about: aboutNothing,
    })
  }
  const types = await takeRecovered(tx, endpointId)
  if (types.length > 0 || endpoint.recoveredFrom !== null) {
    await tx.query(
      'update webhook_endpoints set recovered_from = null where id = $1 and recovered_from is not null',
      [endpointId],
    )
    events.push({
      type: 'endpoint.recovered',
      data: { endpoint: about, pausedReason: endpoint.recoveredFrom, types },
      about: aboutNothing,
    })
  }
  recordEvents(tx, endpoint.businessId, events, { except: endpointId })
}

/** Endpoints with something to report, which the process that stored it did not report. */
export async function unreportedEndpoints(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e join (
       select endpoint_id, bool_or(recovered) as recovered from webhook_type_health where unreported > 0 or recovered group by 1) h on h.endpoint_id = e.id
     where e.removed_at is null and (h.recovered or coalesce(e.reported_at <= now() - $1 * interval '1 minute', true))
     union select id from webhook_endpoints where recovered_from is not null and removed_at is null`,
    [reportMinutes],
  )
  return rows.map(({ id }) => id)
}

async function takeLost(tx: Tx, endpointId: string): Promise<LostType[]> {
  return tx.query<LostType>(
    `with lost as (select endpoint_id, type, unreported from webhook_type_health where endpoint_id = $1 and unreported > 0),
     taken as (
       update webhook_type_health h set unreported = 0, reported = true from lost where h.endpoint_id = lost.endpoint_id and h.type = lost.type
       returning h.type, lost.unreported as count, h.last_error, h.last_given_up)
     select type, count, last_error as "lastError", last_given_up as "deliveryId" from taken order by type`,
    [endpointId],
  )
}

async function takeRecovered(tx: Tx, endpointId: string): Promise<string[]> {
  const rows = await tx.query<{ type: string }>(
    'update webhook_type_health set recovered = false where endpoint_id = $1 and recovered returning type',
    [endpointId],
  )
  return rows.map(({ type }) => type).sort()
}
