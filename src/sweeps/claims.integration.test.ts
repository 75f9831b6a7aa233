import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { losingAnswer } from '../../test/support/lostAnswer.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import type { SweepsContext } from './context.ts'
import { planSource } from './planSource.ts'
import { stepSweep } from './stepSweep.ts'

let database: TestDatabase
let ctx: SweepsContext
const [businessId, sweepId] = [newId(), newId()]
const source = { chain: 'ethereum', address: `0x${'7'.repeat(40)}` }

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await insertBusiness(db, businessId)
  await db.query(
    "insert into sweep_sources (chain, address, family, business_id) values ('ethereum', $1, 'evm', $2)",
    [source.address, businessId],
  )
  await db.query(
    `insert into sweeps (id, chain, address, token, contract, decimals, amount, payer, closes, status, cost, next_at)
     values ($1, 'ethereum', $2, 'ETH', null, 18, 5, 'deposit', false, 'planned', 1, now())`,
    [sweepId, source.address],
  )
  ctx = {
    ...{
      db,
      log: createLog('test', 'silent'),
      purposes: [],
      prover: provers.worker,
      pollMs: null,
      observe: () => {},
    },
    costs: { maxShare: { numerator: 1n, denominator: 1n }, coinUsd: new Map() },
    sweeping: async (chain) => {
      throw new Error(`${chain} is not read here`)
    },
  }
})
afterAll(() => database?.drop())

interface Claimed {
  what: string
  table: 'sweeps' | 'sweep_sources'
  work: (of: SweepsContext) => Promise<void>
  /** How the first statement after the claim starts. */
  read: string
}
const both: Claimed[] = [
  { what: 'a sweep', table: 'sweeps', work: (of) => stepSweep(of, sweepId), read: 'select id, chain' },
  {
    what: 'an address',
    table: 'sweep_sources',
    work: (of) => planSource(of, source),
    read: 'select business_id',
  },
]

describe.each(both)('$what', ({ table, work, read }) => {
  test.each([
    ['whose claim lost its answer', `update ${table} set next_at`],
    ['whose work lost the database', read],
  ])('%s is due again when the database is back, long before its lease', async (_what, begin) => {
    const { db } = database
    const losing = losingAnswer(db, begin)
    const isDue = async () => (await db.query(`select 1 from ${table} where next_at <= now()`)).length > 0
    await expect(work({ ...ctx, db: losing.db })).rejects.toThrow('ECONNRESET')
    expect([losing.lost(), await isDue()]).toEqual([1, false])
    await waitFor('it is due again', isDue, 15_000)
  })
})
