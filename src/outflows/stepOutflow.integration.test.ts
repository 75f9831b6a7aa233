import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { losingAnswer } from '../../test/support/lostAnswer.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { giveBalance, makePayout } from '../../test/support/madePayout.ts'
import { outflowEventsFor } from '../../test/support/outflowEvents.ts'
import { appKey } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import type { OutflowsContext } from './context.ts'
import { stepOutflow } from './stepOutflow.ts'

let database: TestDatabase
let ctx: OutflowsContext
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await insertBusiness(db, businessId)
  await giveBalance(db, businessId, { chain: 'ethereum', token: 'USDC' }, 10_000_000n)
  ctx = {
    ...{
      db,
      log: createLog('test', 'silent'),
      chains: [],
      purposes: [],
      environment: 'test',
      appKey: new Secret(appKey),
      outflowEvents: outflowEventsFor(new Secret(appKey)),
    },
    ...{
      maker: { madeBy: 'worker', prover: provers.worker },
      partner: null,
      screening: null,
      coinUsd: new Map(),
      pollMs: null,
      observe: () => {},
    },
    accountsOf: async (chain) => {
      throw new Error(`${chain} is not read here`)
    },
  }
})
afterAll(() => database?.drop())

test('a claim whose answer was lost ends when the database is back, long before its lease', async () => {
  const { db } = database
  const id = await makePayout(db, businessId, await makeDestination(db, businessId))
  const losing = losingAnswer(db, 'update outflows set next_at')
  await expect(stepOutflow({ ...ctx, db: losing.db }, id)).rejects.toThrow('ECONNRESET')
  const isDue = async () =>
    (await db.query('select 1 from outflows where id = $1 and next_at <= now()', [id])).length > 0
  expect([losing.lost(), await isDue()]).toEqual([1, false])
  await waitFor('it is due again', isDue, 15_000)
})
