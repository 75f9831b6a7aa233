import { knownChain } from '../../../src/chains/registry.ts'
import { monitorAddresses } from '../../../src/monitoring/monitorAddresses.ts'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import { makeWebhookRecords } from '../../support/webhookRecords.ts'
import { monitoringContext } from '../../support/wideCaps.ts'

/**
 * Rows for the pages of webhooks and monitoring of a business: an endpoint with an attempted delivery and a
 * failing event type, one that Cowry paused, an address with metadata, and a running import.
 */
export async function makeWebhooks(
  db: ModelDb,
  businessId: string,
): Promise<{ endpointId: string; deliveryId: string; eventId: string }> {
  const { endpoint, delivery, event } = await makeWebhookRecords(db, businessId)
  const paused = await makeWebhookRecords(db, businessId)
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no ethereum')
  const addresses = [{ address: `0x${'ef'.repeat(20)}`, metadata: { order: '1234' } }]
  await monitorAddresses(monitoringContext(db, 1000), businessId, { chain, addresses })
  await db.query("update monitoring_imports set status = 'running', completed_at = null where id = $1", [
    paused.import,
  ])
  await db.query(
    `insert into webhook_attempts (delivery_id, created_at, number, duration_ms, response_status, response_body, error)
     select id, created_at, 1, 1250, 500, $2, 'status 500' from webhook_deliveries where id = $1`,
    [delivery, `<h1>Internal Server Error</h1>${'-'.repeat(500)}`],
  )
  await db.query(
    `update webhook_endpoints set status = 'paused', paused_reason = 'failing', paused_at = now(), failing_since = now() - interval '3 days',
       consecutive_failures = 40, last_failed_at = now(), last_error = 'connect ETIMEDOUT 203.0.113.9:443' where id = $1`,
    [paused.endpoint],
  )
  await db.query(
    `insert into webhook_type_health (endpoint_id, business_id, type, consecutive_failures, failing_since, last_failed_at, last_error, given_up, unreported)
     values ($1, $2, 'session.paid', 12, now() - interval '4 days', now(), 'status 500', 3, 0)`,
    [endpoint, businessId],
  )
  await db.query('update webhook_endpoints set max_per_second = 20 where id = $1', [endpoint])
  return { endpointId: endpoint, deliveryId: delivery, eventId: event }
}
