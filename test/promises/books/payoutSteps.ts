import { expect } from '@jest/globals'
import { post } from '../../../src/ledger/post.ts'
import { moveOutflow, type OutflowChange } from '../../../src/payouts/moveOutflow.ts'
import { type Outflow, readOutflows } from '../../../src/payouts/outflow.ts'
import { type NewOutflow, storeOutflow } from '../../../src/payouts/storeOutflow.ts'
import { makeAutopayout } from '../../support/madeAutopayout.ts'
import { makeDestination } from '../../support/madeDestination.ts'
import { insertRefundRow } from '../../support/refundRow.ts'
import { settling } from '../../support/settling.ts'
import { one, pick } from '../histories/dice.ts'
import { type Payout, position } from './model.ts'
import { amount, changed, count, type World } from './world.ts'

// What a history does with payouts, through the rows and the moves of the product.

export async function startAutopayout({ db, businessId, model }: World): Promise<void> {
  const to = model.autopayout
  if (to !== null)
    await makeAutopayout(db, businessId, to === 'bank' ? to : { chain: to === 'bsc' ? 'bsc' : 'ethereum', address: `0x${'aa'.repeat(20)}` })
}

const partner = { partner: 'yellowcard', networkId: 'bank', currency: 'NGN' }
const price = { localAmount: 1000n, localFee: '1', rate: '1610', rateAt: null, rateSource: 'yellowcard' }

/** Mostly all that is there, or too much. */
export async function hold(world: World, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const { db, dice, model, businessId } = world
  const there = position(model, 'USDC')
  const wanted = one(dice, [there, there, there + 1n, there / 2n, amount(dice)])
  const value = wanted > 0n ? wanted : amount(dice)
  const [kind, to] = [one(dice, ['payout', 'payout', 'refund'] as const), one(dice, ['here', 'here', 'bsc', 'bank'] as const)]
  const share = () => (value > 6n ? BigInt(pick(dice, 3)) : 0n)
  const parts = { fee: share(), margin: share(), rounding: share() }
  const rest = value - parts.fee - parts.margin - parts.rounding
  const wallet = to === 'bank' ? null : walletOf(to, rest)
  const destinationId = kind === 'payout' ? await makeDestination(db, businessId, wallet ?? 'bank') : null
  const of = { kind, businessId, destinationId, status: 'pending', chain: 'ethereum', token: 'USDC', amount: value, ...parts } as const
  const trying = db
    .tx(async (tx) => {
      const { outflow, entries } = await storeOutflow(settling.maker, tx, { ...of, wallet, bank: to === 'bank' ? { ...partner, price } : null })
      await insertRefundRow(tx, outflow)
      await post(tx, entries)
      return outflow.id
    })
    .catch((error) => {
      expect(error).toMatchObject({ code: 'insufficient_funds' })
      return null
    })
  const [id] = await Promise.all([trying, meanwhile()])
  count(world, id === null ? 'refused' : `${kind} held`)
  if (id !== null) model.payouts.push({ id, kind, sessionId: null, amount: value, ...parts, to, cost: 0n, isElsewhere: false, state: 'held' })
}

function walletOf(to: 'here' | 'bsc', rest: bigint): NewOutflow['wallet'] {
  const chain = to === 'bsc' ? 'bsc' : 'ethereum'
  return { chain, token: 'USDC', address: `0x${'aa'.repeat(20)}`, memo: null, amount: to === 'bsc' ? rest * 10n ** 12n : rest }
}

interface Step {
  name: string
  changes: OutflowChange[]
  state: Payout['state']
}

/** What may happen to a payout that has not ended; a bank payout's cost is known when it has left. */
function stepsOf({ state, to }: Payout, cost: bigint): Step[] {
  const leaves: OutflowChange = { status: 'completed', nextInMs: null, ...(to === 'bank' && { partnerCost: cost }) }
  const fails: OutflowChange = { status: 'failed', reason: 'refused' }
  if (state === 'held')
    return [
      { name: 'sent', changes: [{ status: 'processing', nextInMs: 0 }], state: 'sent' },
      { name: 'sent', changes: [{ status: 'processing', nextInMs: 0 }], state: 'sent' },
      { name: 'cancelled by hand', changes: [{ status: 'cancelled', reason: 'cancelled' }], state: 'released' },
      { name: 'failed', changes: [fails], state: 'released' },
      { name: 'paid elsewhere', changes: [{ status: 'completed', paidElsewhere: 'a receipt', nextInMs: null }], state: 'posted' },
    ]
  const unknown: OutflowChange = { status: 'unknown', nextInMs: 0 }
  return [
    { name: 'completed', changes: [leaves], state: 'posted' },
    { name: 'completed', changes: [leaves], state: 'posted' },
    { name: 'failed', changes: [fails], state: 'released' },
    { name: 'unknown', changes: [unknown, leaves], state: 'posted' },
    { name: 'unknown', changes: [unknown, { status: 'processing', nextInMs: 0 }, fails], state: 'released' },
    { name: 'not sent after all', changes: [{ status: 'pending', nextInMs: 0 }], state: 'held' },
  ]
}

async function rowOf({ db }: World, { id }: Payout): Promise<Outflow> {
  const [row] = await readOutflows(db, 'id = $1', [id])
  if (!row) throw new Error(`no outflow ${id}`)
  return row
}

const moved = ({ db }: World, row: Outflow, changes: readonly OutflowChange[]) =>
  db.tx(async (tx) => {
    let now = row
    for (const change of changes) now = await moveOutflow(settling, tx, now, change)
  })

export async function end(world: World): Promise<void> {
  const { dice, model } = world
  const open = model.payouts.filter(({ state }) => state === 'held' || state === 'sent')
  if (open.length === 0) return
  const payout = one(dice, open)
  const cost = 1000n * payout.amount + BigInt(pick(dice, 100))
  const steps = stepsOf(payout, cost)
  const [first, second] = [one(dice, steps), one(dice, steps)]
  const row = await rowOf(world, payout)
  if (row.bank && row.bank.price === null && payout.state === 'held') await priceIt(world, payout, [first, second])
  // A second worker that knows no better is refused whichever was first. One post a transaction: two moves of one are one worker's.
  const results = await Promise.allSettled([first, second].map(({ changes }) => moved(world, row, changes)))
  const happened = [first, second].filter((_, i) => results[i]?.status === 'fulfilled')
  expect(happened).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(`${result.reason}`).toMatch(/was changed by another process/)
  const [step] = happened
  if (!step) return
  payout.state = step.state
  payout.isElsewhere = step.name === 'paid elsewhere'
  if (step.state === 'posted' && payout.to === 'bank' && !payout.isElsewhere) payout.cost = cost
  count(world, step.name)
  if (step.state === 'posted') count(world, `posted to ${payout.to}`)
  await tellSession(world, payout)
}

/** An automatic bank payout gets its price, and what the platform keeps, when it is sent. */
async function priceIt({ dice }: World, payout: Payout, steps: readonly Step[]): Promise<void> {
  const parts =
    payout.amount > 4n ? { fee: 1n, margin: BigInt(pick(dice, 2)), rounding: BigInt(pick(dice, 2)) } : { fee: 0n, margin: 0n, rounding: 0n }
  for (const { changes } of steps) for (const change of changes) change.priced = { price, ...parts }
  Object.assign(payout, parts)
}

/** The chain, or a bank, takes it back. */
export async function comeBack(world: World): Promise<void> {
  const payout = world.model.payouts.find(({ state }) => state === 'posted')
  if (!payout) return
  const row = await rowOf(world, payout)
  const back: OutflowChange[] = [{ status: 'failed', reason: 'taken_back' }]
  const results = await Promise.allSettled([moved(world, row, back), moved(world, row, back)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  payout.state = 'returned'
  count(world, 'returned')
  await tellSession(world, payout)
}

async function tellSession(world: World, { sessionId }: Payout): Promise<void> {
  const session = world.model.sessions.find(({ id }) => id === sessionId)
  if (session) await changed(world, session)
}
