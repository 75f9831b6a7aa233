import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type BridgeStand, bridgeStand, mintOnStand } from '../../test/support/bridgeStand.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeBurntTransfer } from '../../test/support/madeBridge.ts'
import { urlAs } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { writesOf } from '../../test/support/writes.ts'
import { type Db, openDb } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { withClaim } from '../platform/withClaim.ts'
import { readBridgeTransfers } from './bridgeRow.ts'
import { stepBridge } from './stepBridge.ts'

let database: TestDatabase
/** By the rights of a worker, with one connection. */
let worker: Db
let stand: BridgeStand
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  worker = openDb(urlAs('worker', database.url), 1)
  await database.db.query("insert into businesses (id, name) values ($1, 'sender')", [businessId])
  stand = bridgeStand(worker)
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

const make = async () => {
  const made = await makeBurntTransfer(database.db, businessId)
  stand.signed.set(made.txId, made.message)
  mintOnStand(stand, made.message, 'final')
  return made
}

// Statements that are issued one by one are a message each: the time of a round trip, and of a turn of both processes.

test('a step sends few messages to Postgres', async () => {
  await stepBridge(stand.ctx, (await make()).id)
  const { id } = await make()
  const messages: number[] = []
  for (let i = 0; i < 3; i++) messages.push(await writesOf(() => stepBridge(stand.ctx, id)))
  // Its claim, its change, and its event with the commit; Circle's turn in place of the event.
  expect(messages).toEqual([3, 3, 3])
  expect((await readBridgeTransfers(database.db, 'id = $1', [id]))[0]).toMatchObject({ status: 'completed' })
})

test('a row that changes while it is claimed is left to the next claim, which reads it again', async () => {
  const { id } = await make()
  const due = { table: 'bridge_transfers', at: 'next_at', key: { id }, read: 'delay', leaseMs: 30_000 } as const
  const read: (string | null)[] = []
  const claim = () => withClaim<{ delay: string | null }>(worker, due, async (_claim, { delay }) => void read.push(delay))
  let claiming: Promise<void> | undefined
  await database.db.tx(async (tx) => {
    await tx.query("update bridge_transfers set delay = 'changed', next_at = now() where id = $1", [id])
    claiming = claim()
    await waitFor('a claim that waits for the row', async () => {
      const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      return (await database.db.query(sql)).length > 0
    })
  })
  await claiming
  expect(read).toEqual([])
  await claim()
  expect(read).toEqual(['changed'])
})
