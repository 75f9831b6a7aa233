import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { dueIntents } from '../../src/txmgr/dueIntents.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { claimBatch } from '../../src/webhooks/claimBatch.ts'
import { dueEndpoints } from '../../src/webhooks/dueEndpoints.ts'
import { replayFailed } from '../../src/webhooks/replayDelivery.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { happen, newBusiness, newEndpoint, webhookContext } from '../support/deliveries.ts'
import { proofs } from '../support/intentKeys.ts'
import { transfersWith, walletsWith } from '../support/purposes.ts'

/** Options of a worker's claim for one endpoint. */
const claimOptions = {
  cap: 8,
  troubledCap: 1,
  hostCap: 1000,
  deadlineMs: 10_000,
  schedule: [0],
  pauseAfterMs: 3_600_000,
  stepMs: 1000,
}

let database: TestDatabase
let busy: string
let others: string[]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.db.query('delete from intent_attempts')
  await database.db.query('delete from intents')
  busy = await newBusiness(database.db)
  others = [await newBusiness(database.db), await newBusiness(database.db)]
})

/** Due transfers of a business, the oldest this many seconds old. */
const transfers = (businessId: string, count: number, secondsAgo: number) =>
  database.db.query(
    `insert into intents (id, business_id, purpose, chain, signer, from_address, to_address, symbol, decimals, amount, status, next_reconcile_at)
     select gen_random_uuid(), $1, 'transfer', 'ethereum', 'external', '0x01', '0x02', 'ETH', 18, 1, 'created', now() - ($3 - n * 0.001) * interval '1 second'
     from generate_series(1, $2) n`,
    [businessId, count, secondsAgo],
  )
async function ownersOf(ids: readonly string[]): Promise<string[]> {
  const rows = await database.db.query<{ business_id: string }>(
    'select o.business_id from unnest($1::uuid[]) with ordinality as d(id, n) join intents o on o.id = d.id order by d.n',
    [ids],
  )
  return rows.map(({ business_id }) => business_id)
}

test('ten thousand due transfers of one business do not delay the transfer of another beyond the next batch', async () => {
  await transfers(busy, 10_000, 3600)
  for (const other of others) await transfers(other, 1, 1)
  const owners = await ownersOf(await dueIntents(database.db))
  for (const other of others) expect(owners.indexOf(other)).toBeLessThan(3)
  // The backlog in front of a new transfer is bounded as well.
  expect(owners.filter((owner) => owner === busy)).toHaveLength(100)
  expect(owners).toHaveLength(102)
})

test("each business's longest-waiting transfers come first", async () => {
  const [other = ''] = others
  // The newest of each were stored first.
  await transfers(busy, 600, 3600)
  await transfers(busy, 10, 7200)
  await transfers(other, 150, 600)
  await transfers(other, 10, 1200)
  const due = await dueIntents(database.db)
  const owners = await ownersOf(due)
  for (const business of [busy, other]) {
    const longest = await database.db.query<{ id: string }>(
      'select id from intents where business_id = $1 order by next_reconcile_at limit 100',
      [business],
    )
    expect(due.filter((_, index) => owners[index] === business)).toEqual(longest.map(({ id }) => id))
  }
})

test('many transfers of one business that wait for a signature do not delay the transfer of another beyond the next batch', async () => {
  await transfers(busy, 1000, 3600)
  for (const other of others) await transfers(other, 1, 1)
  await database.db.query(
    `insert into intent_attempts (intent_id, number, chain, terms, sends, created_at) select id, 0, chain, '{}', 0, next_reconcile_at from intents`,
  )
  const refused: string[] = []
  const ctx: SigningContext = {
    db: database.db,
    log: createLog('turns', 'silent'),
    environment: 'test',
    proofs,
    // The treasury lacks the chain and refuses each: only the order matters.
    signing: async () => null,
    signers: walletsWith(async () => new Secret('')),
    purposes: transfersWith(async (_tx, row) => void refused.push(row.businessId ?? '')),
    signed: () => {},
  }
  await signPending(ctx)
  for (const other of others) {
    expect(refused).toContain(other)
    expect(refused.indexOf(other)).toBeLessThan(3)
  }
})

test("a large replay gets one claim among all due endpoints, limited to an endpoint's cap", async () => {
  const { db } = database
  const endpoints: string[] = []
  for (const each of [busy, ...others]) endpoints.push((await newEndpoint(db, each)).endpoint.id)
  const [replayed = ''] = endpoints
  for (let i = 0; i < 4; i++) await happen(db, busy, 500)
  await db.query('delete from webhook_queue where endpoint_id = $1', [replayed])
  await db.query("update webhook_deliveries set status = 'failed' where business_id = $1", [busy])
  expect(await replayFailed(webhookContext(db), busy, { since: new Date(0) })).toEqual({
    replayed: 2000,
    more: false,
  })
  // These come after all replayed deliveries.
  for (const other of others) await happen(db, other, 1)
  const claimed: [endpoint: string, deliveries: number][] = []
  for (const endpoint of await dueEndpoints(db))
    claimed.push([endpoint, (await claimBatch(db, endpoint, [], claimOptions)).claimed.length])
  const expected = endpoints.map((endpoint) => [endpoint, endpoint === replayed ? claimOptions.cap : 1])
  expect(claimed.sort()).toEqual(expected.sort())
})
