import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { configuredChains } from '../../src/chains/configuration.ts'
import { closeLedger } from '../../src/ledger/closeLedger.ts'
import { seeded } from '../faults/random.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { full, howMany } from '../support/full.ts'
import { sums } from './books/model.ts'
import { runHistory } from './books/runHistory.ts'
import type { Stage } from './books/world.ts'
import { one } from './histories/dice.ts'

/*
 * Random histories of businesses: payments, forks, late money, automatic and direct payouts of every outcome,
 * answers of the partner, crashes, workers at once. The books are the product's, on a real Postgres; the
 * count of what they must show is `books/model.ts`.
 */

let database: TestDatabase
let stage: Stage

beforeAll(async () => {
  database = await createTestDatabase(16)
  const { chains } = configuredChains({
    ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
    BSC_RPC_URLS: 'http://127.0.0.1:1',
  })
  stage = { db: database.db, chains, now: new Date(), events: new Map() }
  await database.db.query(
    "insert into chain_cursors (chain, epoch, confirmed_time) values ('ethereum', 1, $1)",
    [stage.now],
  )
})
afterAll(() => database?.drop())

const from = Number(process.env.COWRY_SEED ?? 1)
const atOnce = 4
/** In full each close verifies tens of thousands of entries. */
const timeMs = full ? 7_200_000 : 300_000

test(
  'in any history of a business, its balances are those of a count by hand, and the books sum to zero',
  async () => {
    const seeds = Array.from({ length: Number(process.env.N ?? howMany(180, 5000)) }, (_, i) => from + i)
    const expected = new Map<string, bigint>()
    const wrong: string[] = []
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          try {
            const { model } = await runHistory(stage, seeded(seed), 22)
            for (const [key, amount] of sums(model)) expected.set(key, (expected.get(key) ?? 0n) + amount)
          } catch (error) {
            wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`)
          }
        }
      }),
    )
    expect(wrong).toEqual([])
    process.stdout.write(
      `\n${[...stage.events]
        .sort()
        .map(([event, times]) => `${event} ${times}`)
        .join(', ')}\n`,
    )
    // Which of two steps comes first is left to the database, so counts differ from run to run.
    expect(happens.filter((event) => (stage.events.get(event) ?? 0) < howMany(1, 20))).toEqual([])

    const accounts = await addedUp()
    const byName = new Map<string, bigint>()
    const byAsset = new Map<string, bigint>()
    for (const { name, asset, side, sum, balance } of accounts) {
      expect([name, balance]).toEqual([name, side === 'debit' ? sum : -sum])
      const key = `${name} ${asset.replace('ethereum:', '')}`
      byName.set(key, (byName.get(key) ?? 0n) + balance)
      byAsset.set(asset, (byAsset.get(asset) ?? 0n) + sum)
    }
    expect([...byAsset.values()].filter((sum) => sum !== 0n)).toEqual([])
    const shown = (all: Map<string, bigint>) => [...all].filter(([, sum]) => sum !== 0n).sort()
    expect(shown(byName)).toEqual(shown(expected))
    expect((await closeLedger(stage, 'now'))?.drifts).toEqual([])
  },
  timeMs,
)

/** The histories are worth little without these. */
const happens = [
  ...['payment', 'late payment', 'confirmed', 'brought back', 'expired', 'cancelled', 'crash', 'owed'],
  ...['pending', 'paid', 'paid_out', 'expired'].map((status) => `fork of a session ${status}`),
  ...[
    'payout held',
    'refund held',
    'refused',
    'sent',
    'completed',
    'failed',
    'unknown',
    'cancelled by hand',
    'paid elsewhere',
    'paid by the platform',
    'not given back while restored',
    'returned',
  ],
  ...['sent', 'held', 'released'].map((state) => `old price: ${state}`),
  'price confirmed',
  ...['here', 'bsc', 'bank'].map((to) => `posted to ${to}`),
  'returned by its bank',
  ...[
    'paid',
    'another cost',
    'nothing taken',
    'paid, by a wrong clock',
    'returned',
    'returned, with another amount',
  ].map((answer) => `the partner: ${answer}`),
  ...['its claim', 'it leaves'].map((when) => `refund whose payment is gone before ${when}`),
  ...['made', 'cancelled', 'skipped'].map((payout) => `automatic ${payout}`),
  ...['refund of an excess', 'refund of more than the excess', 'excess accepted', 'period over'],
]

test.each([
  ['a posting', 'ledger_postings', 'amount'],
  ['a balance', 'ledger_balances', 'balance'],
])(
  '%s of these histories that is changed by hand is found by the next close, and by no close after it was put back',
  async (_what, table, column) => {
    const dice = seeded(from)
    const change = (row: Record<string, string>, by: number) =>
      database.db.tx(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        const where = Object.keys(row).map((key, i) => `${key} = $${i + 1}`)
        await tx.query(
          `update ${table} set ${column} = ${column} + (${by}) where ${where.join(' and ')}`,
          Object.values(row),
        )
      })
    const rows = await database.db.query<Record<string, string>>(
      `select ${table === 'ledger_postings' ? 'id' : 'account_id, slot'} from ${table} where ${column} > 5 order by 1`,
    )
    for (let i = 0; i < howMany(3, 30); i++) {
      const row = one(dice, rows)
      await change(row, -1)
      expect((await closeLedger(stage, 'now'))?.close.drifts).toBeGreaterThan(0)
      await change(row, 1)
      expect((await closeLedger(stage, 'now'))?.close.drifts).toBe(0)
    }
  },
  timeMs,
)

interface Added {
  name: string
  asset: string
  side: string
  sum: bigint
  balance: bigint
}

/** Every account with its postings and its rows of balances, added up here. */
async function addedUp(): Promise<Added[]> {
  const { db } = database
  const accounts = await db.query<{ id: string; name: string; asset: string; side: string }>(
    'select id, name, asset, normal_side as side from ledger_accounts',
  )
  const total = (rows: { id: string; amount: string }[], id: string) =>
    rows.filter((row) => row.id === id).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const postings = Map.groupBy(
    await db.query<{ id: string; amount: string }>('select account_id as id, amount from ledger_postings'),
    ({ id }) => id,
  )
  const balances = Map.groupBy(
    await db.query<{ id: string; amount: string }>(
      'select account_id as id, balance as amount from ledger_balances',
    ),
    ({ id }) => id,
  )
  return accounts.map(({ id, ...account }) => ({
    ...account,
    sum: total(postings.get(id) ?? [], id),
    balance: total(balances.get(id) ?? [], id),
  }))
}
