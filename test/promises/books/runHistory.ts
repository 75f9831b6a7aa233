import { expect } from '@jest/globals'
import type { Chain } from '../../../src/chains/registry.ts'
import type { Db } from '../../../src/platform/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { ModelDb } from '../../../src/platform/modelDb.ts'
import { cancelSession } from '../../../src/sessions/cancelSession.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../support/madeSessions.ts'
import { settling } from '../../support/settling.ts'
import { type Dice, one, pick } from '../histories/dice.ts'
import { type Model, position, type Session, settled, sums } from './model.ts'
import { comeBack, end, hold, startAutopayout } from './payoutSteps.ts'

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

/** @returns what the books of the business must show in the end */
export async function runHistory(stage: Stage, dice: Dice, steps: number): Promise<{ businessId: string; model: Model }> {
  const businessId = newId()
  await stage.db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 10)", [businessId])
  const autopayout = one(dice, [null, 'here', 'here', 'bsc', 'bank'] as const)
  const world: World = { ...stage, dice, businessId, model: { sessions: [], payouts: [], autopayout } }
  await startAutopayout(world)
  await open(world)
  for (let i = 0; i < steps; i++) {
    await one(dice, kindsOfSteps)(world)
    await compare(world)
  }
  for (const session of world.model.sessions) await settle(world, session)
  await compare(world)
  return world
}

export const amount = (dice: Dice) => BigInt(1 + pick(dice, 100))

async function open(world: World): Promise<void> {
  // Of one base unit nothing is left after the fee.
  const expected = pick(world.dice, 6) === 0 ? 1n : BigInt(1 + pick(world.dice, 50))
  const made = await makeSession(world.db, world.businessId, expected)
  world.model.sessions.push({ ...made, expected, status: 'pending', isOver: false, payments: [], counted: [] })
}

async function settle(world: World, session: Session, workers = 1): Promise<void> {
  await Promise.all(Array.from({ length: workers }, () => settleNow(world, session)))
  const payout = settled(world.model, session)
  if (payout) count(world, `automatic ${payout}`)
  if (payout === 'made' || payout === 'replaced') await nameMade(world, session)
}

/** The payout that the model expects got its id from the product. */
async function nameMade({ db, model }: World, { id }: Session): Promise<void> {
  const rows = await db.query<{ id: string }>(
    "select id from outflows where session_id = $1 and automatic and status not in ('failed', 'cancelled')",
    [id],
  )
  const made = model.payouts.find((payout) => payout.sessionId === id && payout.id === '')
  expect(rows).toHaveLength(1)
  if (made && rows[0]) made.id = rows[0].id
}

const settleNow = ({ chains, db }: Pick<World, 'chains'> & { db: Db }, { id }: Session) =>
  settleSession({ ...settling, db, chains }, { sessionId: id, outboxId: '0' })

/** Mostly a worker settles the session at once; or two do, or one that crashes before its commit, or none until the next change. */
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
          throw crash
        }),
    }
    await expect(settleNow({ ...world, db: crashing }, session)).rejects.toBe(crash)
    await compare(world)
  }
  await settle(world, session, luck === 3 ? 2 : 1)
}

async function pay(world: World): Promise<void> {
  const session = one(world.dice, world.model.sessions)
  await payTo(world, session)
  await changed(world, session)
}

/** A session that is paid at once, often in parts and with too much. */
async function payNew(world: World): Promise<void> {
  await open(world)
  const session = world.model.sessions.at(-1)
  if (!session) return
  for (let parts = 2 + pick(world.dice, 2); parts > 0; parts--) await payTo(world, session)
  await changed(world, session)
}

async function payTo(world: World, session: Session): Promise<void> {
  const { db, dice, now } = world
  const isLate = pick(dice, 6) === 0
  const token = pick(dice, 7) === 0 ? 'USDT' : 'USDC'
  const state = pick(dice, 3) === 0 ? 'seen' : 'confirmed'
  const at = new Date(now.getTime() + (isLate ? 864_000_000 : -10_000))
  const value = pick(dice, 2) === 0 ? session.expected : amount(dice)
  const id = await makePayment(db, session, { amount: value, token, at, status: state })
  session.payments.push({ id, token, amount: value, isLate, state })
  count(world, isLate ? 'late payment' : 'payment')
}

const payments = ({ model }: World, ...states: string[]) =>
  model.sessions.flatMap((session) => session.payments.filter(({ state }) => states.includes(state)).map((payment) => ({ session, payment })))

/** A block is confirmed, or a fork takes it away, or brings it back. */
async function fork(world: World, from: readonly string[], to: 'gone' | 'confirmed'): Promise<void> {
  const found = payments(world, ...from)
  if (found.length === 0) return
  const { session, payment } = one(world.dice, found)
  await (to === 'gone' ? takeAway : confirm)(world.db, payment.id)
  count(world, to === 'gone' ? `fork of a session ${session.status}` : payment.state === 'gone' ? 'brought back' : 'confirmed')
  payment.state = to
  await changed(world, session)
}

async function expire(world: World): Promise<void> {
  const session = one(world.dice, world.model.sessions)
  await world.db.query('update pos_sessions set expires_at = $2 where id = $1', [session.id, new Date(world.now.getTime() - 1000)])
  session.isOver = true
  await changed(world, session)
  if (session.status === 'expired') count(world, 'expired')
}

async function cancel(world: World): Promise<void> {
  const session = one(world.dice, world.model.sessions)
  if (session.status !== 'pending' || session.payments.some(({ state }) => state !== 'gone')) return
  await cancelSession(world, world.businessId, session.id, async () => {})
  session.status = 'cancelled'
  count(world, 'cancelled')
}

async function holdAlone(world: World): Promise<void> {
  const before = world.model.payouts.length
  const there = position(world.model, 'USDC')
  await hold(world)
  const added = world.model.payouts[before]
  if (added) expect(added.amount <= there).toBe(true)
}

/** A payout while forks are settled: either may be first. With automatic payouts, which of them is would decide their amounts. */
async function holdMeanwhile(world: World): Promise<void> {
  if (world.model.autopayout !== null) return
  const gone = payments(world, 'confirmed').filter(() => pick(world.dice, 2) === 0)
  await hold(world, async () => {
    for (const { payment } of gone) await takeAway(world.db, payment.id)
    await Promise.all(world.model.sessions.map((session) => settleNow(world, session)))
  })
  for (const { payment } of gone) payment.state = 'gone'
  for (const session of world.model.sessions) await settle(world, session)
}

const kindsOfSteps: readonly ((world: World) => Promise<void>)[] = [
  open,
  pay,
  pay,
  payNew,
  (world) => fork(world, ['seen'], 'confirmed'),
  (world) => fork(world, ['seen', 'confirmed'], 'gone'),
  (world) => fork(world, ['confirmed'], 'gone'),
  (world) => fork(world, ['gone'], 'confirmed'),
  expire,
  cancel,
  holdAlone,
  holdMeanwhile,
  end,
  end,
  end,
  end,
  end,
  comeBack,
  comeBack,
]

/** Reads the running balances of the business, and compares them with the model. */
async function compare(world: World): Promise<void> {
  const rows = await world.db.query<{ name: string; asset: string; balance: string }>(
    `select a.name, a.asset, b.balance from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.business_id = $1 and b.balance <> 0`,
    [world.businessId],
  )
  const found = new Map(rows.map(({ name, asset: of, balance }) => [`${name} ${of.replace('ethereum:', '')}`, BigInt(balance)]))
  const expected = new Map(
    [...sums(world.model)].filter(([key]) => !/^(deposits|treasury|fees|fx_margin|rounding|capital|exchange|partner)/.test(key)),
  )
  expect(Object.fromEntries([...found].sort())).toEqual(Object.fromEntries([...expected].sort()))
  if (position(world.model, 'USDC') < 0n) count(world, 'owed')
  const statuses = await world.db.query<{ id: string; status: string }>('select id, status from pos_sessions where business_id = $1 order by id', [
    world.businessId,
  ])
  expect(statuses.map(({ id, status }) => `${id} ${status}`)).toEqual(world.model.sessions.map(({ id, status }) => `${id} ${status}`).sort())
  const payouts = await world.db.query<{ id: string; status: string }>('select id, status from outflows where business_id = $1 order by id', [
    world.businessId,
  ])
  const states: Record<string, string> = { cancelled: 'released', pending: 'held', processing: 'sent', unknown: 'sent', completed: 'posted' }
  const stateOf = (id: string) => world.model.payouts.find((payout) => payout.id === id)?.state
  expect(
    payouts.map(({ id, status }) => [id, status === 'failed' && stateOf(id) === 'returned' ? 'returned' : (states[status] ?? 'released')]),
  ).toEqual(world.model.payouts.map(({ id, state }) => [id, state]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}
