import { expect } from '@jest/globals'
import type { Chain } from '../../../src/chains/registry.ts'
import type { Account } from '../../../src/ledger/account.ts'
import { post } from '../../../src/ledger/post.ts'
import { posted, released, reserved } from '../../../src/ledger/reservation.ts'
import { reverseEntry } from '../../../src/ledger/reverseEntry.ts'
import type { Db, Tx } from '../../../src/platform/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { ModelDb } from '../../../src/platform/modelDb.ts'
import { cancelSession } from '../../../src/sessions/cancelSession.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../support/madeSessions.ts'
import { settling } from '../../support/settling.ts'
import { type Dice, one, pick } from '../histories/dice.ts'
import { type Model, type Payout, position, type Session, settled, sums } from './model.ts'

export interface Stage {
  db: ModelDb
  chains: readonly Chain[]
  /** The chain's confirmed time. */
  now: Date
  /** How often each thing happened. */
  events: Map<string, number>
}

interface World extends Stage {
  dice: Dice
  businessId: string
  model: Model
}

const asset = 'ethereum:USDC'
const platform = (name: 'treasury:ethereum' | 'deposits:ethereum' | 'fees'): Account => ({ name, businessId: null, asset })
const count = ({ events }: Stage, event: string) => events.set(event, (events.get(event) ?? 0) + 1)

/** @returns what the books of the business must show in the end */
export async function runHistory(stage: Stage, dice: Dice, steps: number): Promise<{ businessId: string; model: Model }> {
  const businessId = newId()
  await stage.db.query("insert into businesses (id, name) values ($1, 'A shop')", [businessId])
  const world: World = { ...stage, dice, businessId, model: { sessions: [], payouts: [] } }
  await open(world)
  for (let i = 0; i < steps; i++) {
    await one(dice, kindsOfSteps)(world)
    await compare(world)
  }
  for (const session of world.model.sessions) await settle(world, session)
  await compare(world)
  return world
}

const amount = (dice: Dice) => BigInt(1 + pick(dice, 100))

async function open(world: World): Promise<void> {
  const expected = amount(world.dice)
  const made = await makeSession(world.db, world.businessId, expected)
  world.model.sessions.push({ ...made, expected, status: 'pending', isOver: false, payments: [], counted: [] })
}

async function settle(world: World, session: Session, workers = 1): Promise<void> {
  await Promise.all(Array.from({ length: workers }, () => settleNow(world, session)))
  settled(session)
}

const settleNow = ({ chains, db }: Pick<World, 'chains'> & { db: Db }, { id }: Session) =>
  settleSession({ ...settling, db, chains }, { sessionId: id, outboxId: '0' })

/** Mostly a worker settles the session at once; or two do, or one that crashes before its commit, or none until the next change. */
async function changed(world: World, session: Session): Promise<void> {
  const luck = pick(world.dice, 10)
  if (luck === 0) return
  if (luck === 1) {
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
  await settle(world, session, luck === 2 ? 2 : 1)
}

async function pay(world: World): Promise<void> {
  const { db, dice, now, model } = world
  const session = one(dice, model.sessions)
  const isLate = pick(dice, 6) === 0
  const token = pick(dice, 7) === 0 ? 'USDT' : 'USDC'
  const state = pick(dice, 3) === 0 ? 'seen' : 'confirmed'
  const at = new Date(now.getTime() + (isLate ? 864_000_000 : -10_000))
  const value = pick(dice, 3) === 0 ? session.expected : amount(dice)
  const id = await makePayment(db, session, { amount: value, token, at, status: state })
  session.payments.push({ id, token, amount: value, isLate, state })
  count(world, isLate ? 'late payment' : 'payment')
  await changed(world, session)
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

/** No code pays a session out yet: this is its last step. */
async function payOut(world: World): Promise<void> {
  const session = world.model.sessions.find(({ status }) => status === 'paid')
  if (!session) return
  await world.db.query("update pos_sessions set status = 'paid_out' where id = $1", [session.id])
  session.status = 'paid_out'
}

const reservationOf = ({ businessId }: World, { id, kind }: Pick<Payout, 'id' | 'kind'>) => ({ businessId, cause: { kind, id } })

/** Mostly all that is there, or too much. */
async function hold(world: World, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const { db, dice, model } = world
  const there = position(model, 'USDC')
  const wanted = one(dice, [there, there, there + 1n, there / 2n, amount(dice)])
  const value = wanted > 0n ? wanted : amount(dice)
  const payout = { id: newId(), kind: one(dice, ['payout', 'payout', 'refund'] as const), amount: value }
  const trying = db
    .tx((tx) => post(tx, [reserved(reservationOf(world, payout), asset, value)]))
    .then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'insufficient_funds' })
        return false
      },
    )
  const [isHeld] = await Promise.all([trying, meanwhile()])
  count(world, isHeld ? `${payout.kind} held` : 'refused')
  if (isHeld) model.payouts.push({ ...payout, fee: value > 2n ? BigInt(pick(dice, 3)) : 0n, state: 'held', entry: '' })
}

async function holdAlone(world: World): Promise<void> {
  const before = world.model.payouts.length
  const there = position(world.model, 'USDC')
  await hold(world)
  const added = world.model.payouts[before]
  if (added) expect(added.amount <= there).toBe(true)
}

/** A payout while forks are settled: either may be first. */
async function holdMeanwhile(world: World): Promise<void> {
  const gone = payments(world, 'confirmed').filter(() => pick(world.dice, 2) === 0)
  await hold(world, async () => {
    for (const { payment } of gone) await takeAway(world.db, payment.id)
    await Promise.all(world.model.sessions.map((session) => settleNow(world, session)))
  })
  for (const { payment } of gone) payment.state = 'gone'
  for (const session of world.model.sessions) await settle(world, session)
}

async function end(world: World): Promise<void> {
  const { db, dice } = world
  const held = world.model.payouts.filter(({ state }) => state === 'held')
  if (held.length === 0) return
  const payout = one(dice, held)
  const reservation = reservationOf(world, payout)
  const { fee } = payout
  const postedNow = async (tx: Tx) =>
    posted(tx, reservation, [
      { account: platform(payout.kind === 'payout' ? 'treasury:ethereum' : 'deposits:ethereum'), amount: fee - payout.amount },
      ...(fee > 0n ? [{ account: platform('fees'), amount: -fee }] : []),
    ])
  // A second end, by a worker that knows no better, is refused whichever was first.
  const results = await Promise.allSettled([
    db.tx(async (tx) => ({ state: 'posted' as const, ids: await post(tx, [await postedNow(tx)]) })),
    db.tx(async (tx) => ({ state: 'released' as const, ids: await post(tx, [await released(tx, reservation)]) })),
  ])
  const ended = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(ended).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ constraint: 'ledger_entries_cause' })
  payout.state = ended[0]?.state ?? 'held'
  payout.entry = ended[0]?.ids[0] ?? ''
  count(world, payout.state)
}

/** A bank sends the money back. */
async function comeBack(world: World): Promise<void> {
  const payout = world.model.payouts.find(({ state }) => state === 'posted')
  if (!payout) return
  const back = () =>
    world.db.tx(async (tx) =>
      post(tx, [await reverseEntry(tx, { id: payout.entry, businessId: world.businessId, kind: `${payout.kind}.returned`, step: 3 })]),
    )
  const results = await Promise.allSettled([back(), back()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  payout.state = 'returned'
  count(world, 'returned')
}

const kindsOfSteps: readonly ((world: World) => Promise<void>)[] = [
  open,
  pay,
  pay,
  pay,
  (world) => fork(world, ['seen'], 'confirmed'),
  (world) => fork(world, ['seen', 'confirmed'], 'gone'),
  (world) => fork(world, ['confirmed'], 'gone'),
  (world) => fork(world, ['gone'], 'confirmed'),
  expire,
  cancel,
  payOut,
  holdAlone,
  holdAlone,
  holdMeanwhile,
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
  const expected = new Map([...sums(world.model)].filter(([key]) => !/^(deposits|treasury|fees)/.test(key)))
  expect(Object.fromEntries([...found].sort())).toEqual(Object.fromEntries([...expected].sort()))
  if (position(world.model, 'USDC') < 0n) count(world, 'owed')
  const statuses = await world.db.query<{ id: string; status: string }>('select id, status from pos_sessions where business_id = $1 order by id', [
    world.businessId,
  ])
  expect(statuses.map(({ id, status }) => `${id} ${status}`)).toEqual(world.model.sessions.map(({ id, status }) => `${id} ${status}`).sort())
}
