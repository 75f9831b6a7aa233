import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closeLedger } from '../../src/ledger/closeLedger.ts'
import { seeded } from '../faults/random.ts'
import { full, howMany } from '../support/full.ts'
import { runHistory } from './staking/history.ts'
import { makeStakingWorld, type StakingWorld } from './staking/world.ts'

/*
 * Random histories of pooled stakes: stakes, parts, times, changes of plans, forks of stakes and of payments,
 * short rewards, payments that fail. The code is the product's, on a real Postgres, and the treasury's policy
 * allows each payment. What the books and the chain must show is counted a second time, with exact fractions
 * and without that code.
 */

let world: StakingWorld
beforeAll(async () => {
  world = await makeStakingWorld()
})
afterAll(() => world?.database.drop())

const from = Number(process.env.COWRY_SEED ?? 1)
const atOnce = 4

test(
  'in any history no unit is lost or made, and the books equal the chain',
  async () => {
    const seeds = Array.from({ length: Number(process.env.N ?? howMany(100, 5000)) }, (_, i) => from + i)
    const wrong: string[] = []
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
          await runHistory(world, seeded(seed)).catch((error) =>
            wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : error}`),
          )
      }),
    )
    expect(wrong).toEqual([])
    expect(happens.filter((event) => (world.events.get(event) ?? 0) < howMany(1, 20))).toEqual([])
    const rows = await world.database.db.query<{ name: string; balance: string }>(
      'select a.name, sum(b.balance)::text as balance from ledger_accounts a join ledger_balances b on b.account_id = a.id group by a.name',
    )
    const books = new Map(rows.map(({ name, balance }) => [name, BigInt(balance)]))
    for (const [name, amount] of world.expected) expect([name, books.get(name) ?? 0n]).toEqual([name, amount])
    // All was paid: nothing is left with a business.
    for (const name of ['stakes', 'available']) expect([name, books.get(name) ?? 0n]).toEqual([name, 0n])
    expect((await closeLedger({ db: world.database.db }, 'now'))?.drifts).toEqual([])
  },
  full ? 7_200_000 : 300_000,
)

/** The histories are worth little without these. */
const happens = [
  'part',
  'plan changed',
  'unstaked early',
  'unstaked late',
  'short rewards',
  'fork of a stake',
  'fork of an unstaked stake',
  'fork of a payment',
  'failure of parts',
  'success of a failed stake',
  'a stake failed for good',
  'a paid stake failed for good',
  'payment confirmed',
  'payment failed',
  'payment broadcast',
]
