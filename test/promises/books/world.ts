import { expect } from '@jest/globals'
import type { Chain } from '../../../src/chains/registry.ts'
import type { Db } from '../../../src/platform/database/db.ts'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { settling } from '../../support/settling.ts'
import { type Dice, pick } from '../histories/dice.ts'
import { type Model, position, type Session, settled, sums } from './model.ts'

export interface Stage {
  db: ModelDb
  chains: readonly Chain[]
  /** The chain's confirmed time. */
  now: Date
  /** How often each thing happened. */
  events: Map<string, number>
}

export interface World extends Stage {
  dice: Dice
  businessId: string
  model: Model
}

export const count = ({ events }: Stage, event: string) => events.set(event, (events.get(event) ?? 0) + 1)

export const amount = (dice: Dice) => BigInt(1 + pick(dice, 100))

/** Workers settle a session, and the model does. */
export async function settle(world: World, session: Session, workers = 1): Promise<void> {
  await Promise.all(Array.from({ length: workers }, () => settleNow(world, session)))
  const payout = settled(world.model, session)
  if (payout) count(world, `automatic ${payout}`)
  if (payout === 'made' || payout === 'replaced') await nameMade(world, session)
}

/** The payout that the model expects got its id from the product. */
export async function nameMade({ db, model }: World, { id }: Session): Promise<void> {
  const rows = await db.query<{ id: string }>(
    "select id from outflows where session_id = $1 and automatic and status not in ('failed', 'cancelled', 'returned')",
    [id],
  )
  const made = model.payouts.find((payout) => payout.sessionId === id && payout.id === '')
  expect(rows).toHaveLength(1)
  if (made && rows[0]) made.id = rows[0].id
}

/** The same while the database is a restored copy, which is settled before the commit. */
export async function settleRestored(world: World, session: Session): Promise<void> {
  await settleNow({ ...world, db: restoredIn(world.db) }, session)
  const payout = settled(world.model, session, true)
  if (payout) count(world, `automatic ${payout}`)
  if (payout === 'made' || payout === 'replaced') await nameMade(world, session)
}

/** Its transactions see a restored database, and no other does. */
export const restoredIn = (db: Db): Db => ({
  ...db,
  tx: (work) =>
    db.tx(async (tx) => {
      await tx.query("update database_identity set identity = 'another'")
      const result = await work(tx)
      await tx.query('update database_identity set identity = present_identity()')
      return result
    }),
})

export const settleNow = ({ chains, db }: Pick<World, 'chains'> & { db: Db }, { id }: Session) =>
  settleSession({ ...settling, db, chains }, { sessionId: id, outboxId: '0' })

/**
 * Mostly a worker settles the session at once; or two do, or one that crashes before its commit, or no worker
 * until the next change.
 */
export async function changed(world: World, session: Session): Promise<void> {
  const luck = pick(world.dice, 10)
  if (luck < 2) return
  if (luck === 2) {
    count(world, 'crash')
    const crash = new Error('crash')
    const crashing: Db = {
      ...world.db,
      tx: (work) =>
        world.db.tx(async (tx) => {
          await work(tx)
          // What would be sent with the commit is written, too.
          await tx.query('select 1')
          throw crash
        }),
    }
    await expect(settleNow({ ...world, db: crashing }, session)).rejects.toBe(crash)
    await compare(world)
  }
  await settle(world, session, luck === 3 ? 2 : 1)
}

/** The books and states of the business are those of the model. */
export async function compare(world: World): Promise<void> {
  const rows = await world.db.query<{ name: string; asset: string; balance: string }>(
    `select a.name, a.asset, b.balance from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.business_id = $1 and b.balance <> 0`,
    [world.businessId],
  )
  const found = new Map(
    rows.map(({ name, asset: of, balance }) => [`${name} ${of.replace('ethereum:', '')}`, BigInt(balance)]),
  )
  const expected = new Map(
    [...sums(world.model)].filter(
      ([key]) => !/^(deposits|treasury|fees|fx_|rounding|capital|exchange|partner)/.test(key),
    ),
  )
  expect(Object.fromEntries([...found].sort())).toEqual(Object.fromEntries([...expected].sort()))
  if (position(world.model, 'USDC') < 0n) count(world, 'owed')
  const statuses = await world.db.query<{ id: string; status: string }>(
    'select id, status from pos_sessions where business_id = $1 order by id',
    [world.businessId],
  )
  expect(statuses.map(({ id, status }) => `${id} ${status}`)).toEqual(
    world.model.sessions.map(({ id, status }) => `${id} ${status}`).sort(),
  )
  const payouts = await world.db.query<{ id: string; status: string }>(
    'select id, status from outflows where business_id = $1 order by id',
    [world.businessId],
  )
  const states: Record<string, string> = {
    cancelled: 'released',
    pending: 'held',
    processing: 'sent',
    unknown: 'sent',
    completed: 'posted',
    returned: 'returned by its bank',
  }
  const stateOf = (id: string) => world.model.payouts.find((payout) => payout.id === id)?.state
  expect(
    payouts.map(({ id, status }) => [
      id,
      status === 'failed' && stateOf(id) === 'returned' ? 'returned' : (states[status] ?? 'released'),
    ]),
  ).toEqual(
    world.model.payouts.map(({ id, state }) => [id, state]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}
