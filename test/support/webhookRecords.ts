import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { eventTypes } from '../../src/capabilities.ts'
import { knownChain } from '../../src/chains/registry.ts'
import { monitorAddresses } from '../../src/monitoring/monitorAddresses.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { setCallbackHosts } from '../../src/webhooks/callbacks.ts'
import { createEndpoint } from '../../src/webhooks/createEndpoint.ts'
import { sendTest } from '../../src/webhooks/sendTest.ts'
import { appKey } from './template.ts'
import { monitoringContext, wideCaps } from './wideCaps.ts'

export interface WebhookRecords {
  endpoint: string
  delivery: string
  event: string
  monitored: string
  monitoredAddress: string
  import: string
  addition: string
}

/** Records for operations on webhooks and monitoring of a business. Nothing listens at the endpoint. */
export async function makeWebhookRecords(db: ModelDb, businessId: string): Promise<WebhookRecords> {
  const ctx = { db, appKey: new Secret(appKey), environment: 'test' as const, caps: wideCaps, eventTypes }
  const chain = knownChain('ethereum')
  if (!chain) throw new Error('no ethereum')
  const { endpoint } = await createEndpoint(ctx, businessId, {
    url: 'http://127.0.0.1:9/hooks',
    eventTypes: ['endpoint.test'],
  })
  await setCallbackHosts(ctx, businessId, ['shop.example.com'], async () => {})
  const delivery = await sendTest(ctx, businessId, endpoint.id)
  const address = privateKeyToAddress(generatePrivateKey())
  const { entries } = await monitorAddresses(monitoringContext(db, 1000), businessId, {
    chain,
    addresses: [{ address }],
  })
  const importId = newId()
  await db.query(
    `insert into monitoring_imports (id, business_id, chain, from_height, to_height, next_height, addresses, status, completed_at)
     values ($1, $2, 'ethereum', 1, 2, 3, 1, 'completed', now())`,
    [importId, businessId],
  )
  const additionId = newId()
  await db.query(
    `insert into monitoring_additions (id, business_id, chain, tokens, total, stored, added, status, completed_at)
     values ($1, $2, 'ethereum', 'known', 1, 1, 1, 'completed', now())`,
    [additionId, businessId],
  )
  await db.query(
    'insert into monitoring_addition_rows (addition_id, place, address, monitored_id, created) values ($1, 0, $2, $3, true)',
    [additionId, address, entries[0]?.view.id],
  )
  return {
    endpoint: endpoint.id,
    delivery: delivery.id,
    event: delivery.eventId,
    monitored: entries[0]?.view.id ?? '',
    monitoredAddress: address,
    import: importId,
    addition: additionId,
  }
}
