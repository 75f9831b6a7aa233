import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeBridgeRow } from '../../test/support/madeBridge.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newId } from '../platform/ids.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createBridgeMetrics } from './bridgeMetrics.ts'

let database: TestDatabase
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(() => database?.drop())

test('transfers that have not ended are counted by state, also those whose mint is not final, and those without a burn', async () => {
  const make = (more: Record<string, unknown>) => makeBridgeRow(database.db, businessId, more)
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  await make({ status: 'pending', created_at: ago(90) })
  await make({ status: 'in_progress', burnt_at: ago(600) })
  await make({ status: 'in_progress', burnt_at: ago(30) })
  await make({ status: 'completed', burnt_at: ago(2000), next_at: ago(-5) })
  await make({ status: 'completed', burnt_at: ago(9000), next_at: null, unburnt: 'lost' })
  await make({ status: 'failed', error_message: 'too little', next_at: null })
  const metrics = createMetrics('worker')
  createBridgeMetrics(metrics, database.db, [])
  const lines = (await metrics.exposition()).split('\n').filter((line) => line.startsWith('cowry_bridge'))
  const read = (name: string, label: string) =>
    Number(
      lines
        .find((line) => line.startsWith(`cowry_${name}{`) && line.includes(label))
        ?.split(' ')
        .at(-1),
    )
  expect(
    ['pending', 'in_progress', 'not_final', 'completed'].map((status) =>
      read('bridge_open', `status="${status}"`),
    ),
  ).toEqual([1, 2, 1, NaN])
  expect(Math.round(read('bridge_open_oldest_seconds', 'status="in_progress"') / 10)).toBe(60)
  expect(Math.round(read('bridge_open_oldest_seconds', 'status="not_final"') / 100)).toBe(20)
  expect(read('bridge_unburnt', 'state="lost"')).toBe(1)
})
