import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { heldIntents } from '../txmgr/dueIntents.ts'
import { getSwap } from './getSwap.ts'
import { listSwaps } from './listSwaps.ts'

/** Lists and finds among many swaps of many businesses, and many other intents. */

let database: TestDatabase
const [businessId, held] = [newId(), newId()]
const hashOf = (kind: string, i: number) => `0x${kind}${String(i).padStart(63, '0')}`

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await insert(db, businessId, 300, 20_000)
  for (let i = 0; i < 4; i++) await insert(db, newId(), 5000, 0)
  await insert(db, held, 2, 0, 'suspended')
  await db.query('analyze intents, intent_attempts, swaps')
})
afterAll(() => database?.drop())

/** Swaps of a business, each with its approval and the attempts of both, and other intents that are newer. */
async function insert(
  db: Queryable,
  business: string,
  swaps: number,
  others: number,
  approval = 'approved',
): Promise<void> {
  await db.query("insert into businesses (id, name, approval) values ($1, 'one', $2)", [business, approval])
  const columns =
    'id, business_id, purpose, chain, signer, from_address, calls, cosigners, spends, receives, status, tx_id, created_at, next_reconcile_at'
  const rest = `'ethereum', 'caller', '0x${'a'.repeat(40)}', '[{"to":"0xb","data":"0x","value":"0","accounts":[]}]', '{}', '[]', '[]'`
  await db.query(
    `with each as (select i, gen_random_uuid() as approval, gen_random_uuid() as swap from generate_series(1, $2::integer) i),
       approvals as (insert into intents (${columns}) select approval, $1::uuid, 'swap-approval', ${rest}, 'confirmed', null, now(), null from each),
       made as (insert into intents (${columns}) select swap, $1::uuid, 'swap', ${rest}, $4, null, now(), $5::timestamptz from each)
     insert into swaps (id, business_id, provider, approvals, to_address, sell_decimals, sell_amount, buy_decimals, buy_amount, min_buy_amount, slippage_bps)
     select swap, $1::uuid, '0x', array[approval], '0x${'a'.repeat(40)}', 6, i, 6, 1, 1, 50 from each where $3 >= 0`,
    [
      business,
      swaps,
      others,
      approval === 'suspended' ? 'created' : 'confirmed',
      approval === 'suspended' ? new Date() : null,
    ],
  )
  await db.query(
    `insert into intents (${columns}) select gen_random_uuid(), $1::uuid, 'test', ${rest}, 'confirmed', null, now(), null from generate_series(1, $2::integer)`,
    [business, others],
  )
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
const readBy = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

/** The rows that each node of a query's plan reads at most. */
async function maxRead(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await database.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  return Math.max(...nodesOf((row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan).map(readBy))
}

test.each(['the swap', 'its approval'])(
  'a swap is found by the hash of %s without reading all of them',
  async (which) => {
    const { db } = database
    const [swap] = await db.query<{ id: string; approvals: string[] }>(
      'select id, approvals from swaps where business_id = $1 limit 1',
      [businessId],
    )
    const [intent, hash] =
      which === 'the swap' ? [swap?.id, hashOf('a', 1)] : [swap?.approvals[0], hashOf('b', 1)]
    await db.query(
      `insert into intent_attempts (intent_id, number, chain, tx_id, terms, signed_at, bytes) values ($1, 1, 'ethereum', $2, '{}', now(), '0x')`,
      [intent, hash],
    )
    const reads: number[] = []
    const explained: Db = {
      ...db,
      async query<R extends object>(text: string, values: unknown[] = []) {
        reads.push(await maxRead(text, values))
        return db.query<R>(text, values)
      },
      tx: <T>(work: (tx: Tx) => Promise<T>) => db.tx(work),
    }
    expect((await getSwap({ db: explained }, businessId, hash)).id).toBe(swap?.id)
    expect(reads.length).toBeGreaterThanOrEqual(3)
    expect(Math.max(...reads)).toBeLessThan(100)
  },
)

test('a page of swaps reads no intents of other purposes', async () => {
  const listed = await listSwaps({ db: database.db }, businessId, {}, { page: 1, limit: 20, sort: 'DESC' })
  expect([listed.total, listed.swaps.length]).toEqual([300, 20])
  const read = await maxRead(
    `select id from intents where business_id = '${businessId}' and purpose = 'swap' order by id desc limit 20`,
  )
  expect(read).toBeLessThan(100)
})

test('steps of swaps are among the held intents of a suspended business', async () => {
  expect((await heldIntents(database.db, held)).map(({ purpose }) => purpose)).toEqual(['swap', 'swap'])
})
