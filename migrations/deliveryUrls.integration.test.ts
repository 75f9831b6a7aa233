import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { addBusiness, addPerson } from '../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { createMigrator, type Migration } from './migrator.ts'

const names = [
  '0254-endpoint-filters',
  '0255-delivery-urls',
  '0256-session-webhook-urls',
  '0257-amount-limits',
]
let database: TestDatabase
const migrator = () =>
  createMigrator(database.db, {
    migrations: names.map((name) => ({
      name,
      load: async () => (await import(`./${name}.ts`)) as Migration,
    })),
  })

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const columns = () =>
  database.db.query(
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
     where table_name in ('webhook_endpoints', 'webhook_deliveries', 'pos_sessions', 'businesses') order by 1, 2`,
  )

test('a host of callbacks is left alone by the function of workers of the version before; the steps go back and forward', async () => {
  const { db } = database
  const businessId = await addBusiness(database, await addPerson(database))
  const id = newId()
  await db.query(
    `insert into webhook_endpoints (id, business_id, url, host, event_types, sealed_secret, callback_host, not_before)
     values ($1, $2, 'https://shop.example.com/', 'shop.example.com', '{}', '\\x00', 'shop.example.com', 'infinity')`,
    [id, businessId],
  )
  const [event, delivery, at] = [newId(), newId(), new Date()]
  await db.query(
    `insert into events (id, created_at, business_id, sequence, type, data) values ($1, $2, $3, 1, 'session.paid', '{}')`,
    [event, at, businessId],
  )
  await db.query(
    `insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, url)
     values ($1, $2, $3, $4, $5, 'session', 'session.paid', '', '', '', '', 'https://shop.example.com/1')`,
    [delivery, at, event, businessId, id],
  )
  await db.query(
    'insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at) values ($1, $2, $3, $2)',
    [delivery, at, id],
  )
  const claimed = async (name: string, column: string) => {
    const none = "'{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', null, null"
    const [row] = await db.query<{ of: string | null }>(
      `select ${column} as of from ${name}($1, ${none}, null, false, 0, null, 1000, 8, 1, 3, 16, 1000, 0, 1000, 60000, 4, 50, 21)`,
      [id],
    )
    return row?.of ?? null
  }
  expect(await claimed('take_webhook_turn', 'delivery_id')).toBeNull()
  expect(await claimed('take_delivery_turn', 'delivery_url')).toBe('https://shop.example.com/1')
  const before = await columns()
  for (const _ of names) await migrator().down()
  expect(await columns()).not.toEqual(before)
  await migrator().up()
  expect(await columns()).toEqual(before)
})
