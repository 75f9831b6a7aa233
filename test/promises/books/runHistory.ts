import { expect } from '@jest/globals'
import { newId } from '../../../src/platform/ids.ts'
import { cancelSession } from '../../../src/sessions/cancelSession.ts'
import { checkoutUrl } from '../../support/checkoutUrl.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../support/madeSessions.ts'
import { type Dice, one, pick } from '../histories/dice.ts'
import { acceptExcess, periodOver, refundExcess } from './excessSteps.ts'
import { type Model, position, type Session } from './model.ts'
import { confirmPrice, oldPrice } from './oldPrices.ts'
import { answerOfPartner } from './partnerSteps.ts'
import { comeBack, end, hold, restored, returnByBank, startAutopayout } from './payoutSteps.ts'
import { forkBeforeClaim, forkBeforeSending } from './refundSteps.ts'
import { amount, changed, compare, count, type Stage, settle, settleNow, type World } from './world.ts'

/** @returns what the books of the business must show in the end */
export async function runHistory(
  stage: Stage,
  dice: Dice,
  steps: number,
): Promise<{ businessId: string; model: Model }> {
  const businessId = newId()
  await stage.db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 10)", [
    businessId,
  ])
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

async function open(world: World): Promise<void> {
  // Of one base unit nothing is left after the fee.
  const expected = pick(world.dice, 6) === 0 ? 1n : BigInt(1 + pick(world.dice, 50))
  const made = await makeSession(world.db, world.businessId, expected)
  world.model.sessions.push({
    ...made,
    expected,
    status: 'pending',
    isOver: false,
    payments: [],
    counted: [],
    settled: 0n,
    excess: 0n,
    credited: 0n,
    accepted: null,
  })
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
  model.sessions.flatMap((session) =>
    session.payments.filter(({ state }) => states.includes(state)).map((payment) => ({ session, payment })),
  )

/** A block is confirmed, or a fork takes it away, or brings it back. */
async function fork(world: World, from: readonly string[], to: 'gone' | 'confirmed'): Promise<void> {
  const found = payments(world, ...from)
  if (found.length === 0) return
  const { session, payment } = one(world.dice, found)
  await (to === 'gone' ? takeAway : confirm)(world.db, payment.id)
  const confirmed = payment.state === 'gone' ? 'brought back' : 'confirmed'
  count(world, to === 'gone' ? `fork of a session ${session.status}` : confirmed)
  payment.state = to
  await changed(world, session)
}

async function expire(world: World): Promise<void> {
  const session = one(world.dice, world.model.sessions)
  await world.db.query('update pos_sessions set expires_at = $2 where id = $1', [
    session.id,
    new Date(world.now.getTime() - 1000),
  ])
  session.isOver = true
  await changed(world, session)
  if (session.status === 'expired') count(world, 'expired')
}

async function cancel(world: World): Promise<void> {
  const session = one(world.dice, world.model.sessions)
  if (session.status !== 'pending' || session.payments.some(({ state }) => state !== 'gone')) return
  await cancelSession({ ...world, checkoutUrl }, world.businessId, session.id, async () => {})
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

/**
 * A payout while forks are settled: either may be first. With automatic payouts, which of them is would
 * decide their amounts.
 */
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
  restored,
  forkBeforeClaim,
  forkBeforeSending,
  forkBeforeSending,
  forkBeforeClaim,
  returnByBank,
  returnByBank,
  answerOfPartner,
  answerOfPartner,
  answerOfPartner,
  oldPrice,
  oldPrice,
  confirmPrice,
  refundExcess,
  refundExcess,
  acceptExcess,
  periodOver,
]

/** Reads the running balances of the business, and compares them with the model. */
