import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type BridgeStand, bridgeStand, mintOnStand } from '../../test/support/bridgeStand.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeBurntTransfer } from '../../test/support/madeBridge.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { urlAs } from '../../test/support/template.ts'
import { writesOf } from '../../test/support/writes.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
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
  await insertBusiness(database.db, businessId, 'sender')
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

// Statements that are issued one by one are a message each: the time of a round trip, and of a turn of both
// processes.

test('a step sends few messages to Postgres, and a message is minted by the claim that stored it', async () => {
  await stepBridge(stand.ctx, (await make()).id)
  const { id } = await make()
  const messages: number[] = []
  for (let i = 0; i < 3; i++) messages.push(await writesOf(() => stepBridge(stand.ctx, id)))
  // Burnt: read, and changed with its event. Attested: claimed, a turn at Circle, changed; minted: changed
  // with its event.
  expect(messages).toEqual([2, 4, 1])
  expect((await readBridgeTransfers(database.db, 'id = $1', [id]))[0]).toMatchObject({ status: 'completed' })
})
