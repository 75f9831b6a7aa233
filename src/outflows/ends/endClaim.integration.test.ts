import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../../test/support/database.ts'
import { provers } from '../../../test/support/intentKeys.ts'
import { insertBusiness } from '../../../test/support/madeBusiness.ts'
import { makeRefund } from '../../../test/support/madeRefunds.ts'
import { outflowEventsFor } from '../../../test/support/outflowEvents.ts'
import { createSessionDatabase } from '../../../test/support/sessionDatabase.ts'
import { appKey } from '../../../test/support/template.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { tokenAsset } from '../../ledger/entry.ts'
import { newId } from '../../platform/ids.ts'
import { Secret } from '../../platform/secrets.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import type { OutflowsContext } from '../context.ts'
import { stepOutflow } from '../stepOutflow.ts'

let database: TestDatabase
let ctx: OutflowsContext
const businessId = newId()

beforeAll(async () => {
  database = await createSessionDatabase()
  const { db } = database
  await insertBusiness(db, businessId)
  ctx = {
    ...{
      db,
      log: createLog('test', 'error'),
      chains: [],
      purposes: [],
      environment: 'test',
      appKey: new Secret(appKey),
      outflowEvents: outflowEventsFor(new Secret(appKey)),
      partner: null,
      screening: null,
      coinUsd: new Map(),
      pollMs: null,
      accountsOf: async (chain: string) => {
        throw new Error(`${chain} is not read here`)
      },
    },
    ...{ maker: { madeBy: 'worker', prover: provers.worker }, observe: () => {} },
  }
})
afterAll(() => database?.drop())

const rowOf = async (id: string) =>
  (
    await database.db.query<{ status: string; reason: string | null; isDue: boolean; waits: boolean }>(
      `select status, reason, next_at is not null as "isDue", next_at = claim_expires_at as waits
       from outflows join refunds on outflow_id = id where id = $1`,
      [id],
    )
  )[0]
const held = () =>
  balanceOf(database.db, { name: 'payouts_held', businessId, asset: tokenAsset('ethereum', 'USDC') })

test('a refund waits for its customer until its link expires; then it is cancelled, and its money goes back', async () => {
  const { refund } = await makeRefund(database.db, businessId)
  await stepOutflow(ctx, refund)
  expect([await rowOf(refund), await held()]).toEqual([
    { status: 'awaiting_claim', reason: null, isDue: true, waits: true },
    2_000_000n,
  ])
  // It is not due: a job finds nothing to do.
  await stepOutflow(ctx, refund)
  await database.db.query('update refunds set claim_expires_at = now() where outflow_id = $1', [refund])
  await database.db.query('update outflows set next_at = now() where id = $1', [refund])
  await Promise.all([stepOutflow(ctx, refund), stepOutflow(ctx, refund)])
  expect([await rowOf(refund), await held()]).toEqual([
    { status: 'cancelled', reason: 'claim_expired', isDue: false, waits: null },
    0n,
  ])
  const reported = await database.db.query(
    "select type, data->>'status' as status, data->'claim'->>'status' as claim from events where data->>'id' = $1",
    [refund],
  )
  expect(reported.slice(1)).toEqual([{ type: 'refund.expired', status: 'cancelled', claim: 'expired' }])
})
