import { randomBytes } from 'node:crypto'
import { Agent } from 'undici'
import { eventTypes } from '../../src/capabilities.ts'
import { type EventType, type NewEvent, recordDeliveries } from '../../src/events/recordEvents.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createBulkhead } from '../../src/webhooks/bulkhead.ts'
import {
  createEndpoint,
  type EndpointWithSecret,
  type NewEndpoint,
} from '../../src/webhooks/createEndpoint.ts'
import type { DeliveryContext } from '../../src/webhooks/deliverDue.ts'
import { createSignals } from '../../src/webhooks/signals.ts'
import { insertBusiness } from './madeBusiness.ts'
import { wideCaps } from './wideCaps.ts'

const appKey = new Secret(randomBytes(32).toString('base64'))

/** The context of the functions of webhooks. */
export const webhookContext = (db: Db) => ({
  db,
  appKey,
  environment: 'test' as const,
  eventTypes,
  caps: wideCaps,
  take: async (deliveries: number) => deliveries,
})

/**
 * A worker's context for deliveries: another worker is another context. Retries are due at once by default.
 */
export function deliveryContext(
  db: Db,
  options: Partial<DeliveryContext> = {},
): DeliveryContext & { close(): Promise<void> } {
  const dispatcher = new Agent({ pipelining: 1 })
  return {
    db,
    appKey,
    log: createLog('test', 'silent'),
    dispatcher,
    timeoutMs: 10_000,
    inFlight: 8,
    hostInFlight: 1000,
    schedule: Array.from({ length: 10 }, () => 0),
    pauseAfterMs: 3_600_000,
    stepMs: 0,
    bulkhead: createBulkhead(10),
    signals: createSignals(),
    observe: { attempted: () => {}, ended: () => {} },
    ...options,
    close: () => dispatcher.destroy(),
  }
}

export async function newBusiness(db: Db): Promise<string> {
  const id = newId()
  await insertBusiness(db, id, 'B')
  return id
}

export const newEndpoint = (
  db: Db,
  businessId: string,
  options: Partial<NewEndpoint> = {},
): Promise<EndpointWithSecret> =>
  createEndpoint(webhookContext(db), businessId, { url: 'http://127.0.0.1:9/', ...options })

export const eventOf = (
  type: EventType = 'transaction.detected',
  about: Partial<NewEvent['about']> = {},
  data: object = {},
): NewEvent => ({
  type,
  data: { id: newId(), ...data },
  about: {
    chain: 'ethereum',
    address: '0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22',
    symbol: 'USDC',
    amount: '1',
    txId: '0x01',
    ...about,
  },
})

/** Records events in one transaction. @returns the ids of their deliveries */
export const happen = (db: Db, businessId: string, count = 1, type?: EventType): Promise<string[]> =>
  db.tx((tx) =>
    recordDeliveries(
      tx,
      businessId,
      Array.from({ length: count }, () => eventOf(type)),
    ),
  )
