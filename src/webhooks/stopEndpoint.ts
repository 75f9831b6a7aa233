import { aboutNothing, recordEvents } from '../events/recordEvents.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { failWaiting, lockEvents } from './endpoint.ts'
import { readEndpoint } from './listEndpoints.ts'

/**
 * Pauses an endpoint that answered 410 or has failed for too long, and records an event for the business's
 * other endpoints. The waiting deliveries of a gone endpoint fail.
 * @param url the URL that failed: an endpoint with another URL by now is left alone
 * @returns true if it was active until now
 */
export function stopEndpoint(
  ctx: { db: Db; appKey: Secret },
  id: string,
  url: string,
  reason: 'failing' | 'gone',
): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const [row] = await tx.query<{ businessId: string }>(
      `update webhook_endpoints set status = 'paused', paused_reason = $2, paused_at = now(), stopped_for = $2, recovered_from = null
       where id = $1 and url = $3 and status = 'active' and removed_at is null and ($2 = 'gone' or failing_since is not null)
       returning business_id as "businessId"`,
      [id, reason, url],
    )
    if (!row) return false
    const { businessId } = row
    if (reason === 'gone') {
      await lockEvents(tx, businessId)
      await failWaiting(tx, id)
    }
    const endpoint = await readEndpoint(ctx, tx, businessId, id)
    const { failingSince, lastError } = endpoint.health
    // Other receivers get this event: omit the URL's path and query, which may contain secrets.
    const shown = { id, description: endpoint.description, host: new URL(endpoint.url).host }
    const data = { endpoint: shown, reason, failingSince, lastError }
    recordEvents(tx, businessId, [{ type: 'endpoint.paused', data, about: aboutNothing }], { except: id })
    return true
  })
}
