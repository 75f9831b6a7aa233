import type { Db } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { failWaiting, lockEvents } from './endpoint.ts'
import { readEndpoint } from './listEndpoints.ts'
import { aboutNothing, recordEvents } from './recordEvents.ts'

/**
 * Pauses an endpoint that wants no more, or that has failed for too long, and tells its business: by its other endpoints, and in
 * the list of events. What waits for one that is gone fails.
 * @param url where it was that wants no more or fails: an endpoint that goes elsewhere by now is left alone
 * @returns whether it was active until now
 */
export function stopEndpoint(ctx: { db: Db; appKey: Secret }, id: string, url: string, reason: 'failing' | 'gone'): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const [row] = await tx.query<{ business_id: string }>(
      `update webhook_endpoints set status = 'paused', paused_reason = $2, paused_at = now()
       where id = $1 and url = $3 and status = 'active' and removed_at is null and ($2 = 'gone' or failing_since is not null) returning business_id`,
      [id, reason, url],
    )
    if (!row) return false
    const { business_id } = row
    if (reason === 'gone') {
      await lockEvents(tx, business_id)
      await failWaiting(tx, id)
    }
    const endpoint = await readEndpoint(ctx, tx, business_id, id)
    const { failingSince, lastError } = endpoint.health
    // Others hear this: paths and queries of receivers may hold what only they should know.
    const shown = { id, description: endpoint.description, host: new URL(endpoint.url).host }
    await recordEvents(tx, business_id, [
      { type: 'endpoint.paused', data: { endpoint: shown, reason, failingSince, lastError }, about: aboutNothing },
    ])
    return true
  })
}
