import { expect } from '@jest/globals'
import { post } from '../../../src/ledger/post.ts'
import { provePrice } from '../../../src/outflows/bank/provePrice.ts'
import { RestoreUnsettledError } from '../../../src/outflows/ends/mayRelease.ts'
import { type Release, releases, type Way } from '../../../src/outflows/ends/waysToEnd.ts'
import { moveOutflow, type OutflowChange } from '../../../src/outflows/moveOutflow.ts'
import { type Outflow, readOutflows } from '../../../src/outflows/outflow.ts'
import { type NewOutflow, storeOutflow } from '../../../src/outflows/storeOutflow.ts'
import { makeAutopayout } from '../../support/madeAutopayout.ts'
import { makeDestination } from '../../support/madeDestination.ts'
import { insertRefundRow } from '../../support/refundRow.ts'
import { settling } from '../../support/settling.ts'
import { one, pick } from '../histories/dice.ts'
import { isBack, type Payout, position } from './model.ts'
import { amount, changed, count, restoredIn, settleRestored, type World } from './world.ts'

// What a history does with payouts, through the rows and the moves of the product.

export async function startAutopayout({ db, businessId, model }: World): Promise<void> {
  const to = model.autopayout
  if (to !== null)
    await makeAutopayout(
      db,
      businessId,
      to === 'bank' ? to : { chain: to === 'bsc' ? 'bsc' : 'ethereum', address: `0x${'aa'.repeat(20)}` },
    )
}

const partner = { partner: 'yellowcard', networkId: 'bank', currency: 'NGN' }
const price = { localAmount: 1000n, localFee: '1', rate: '1610', rateAt: null, rateSource: 'yellowcard' }

const anywhere = ['here', 'here', 'bsc', 'bank'] as const

/** Mostly all that is there, or too much. @param only this amount, as a payout */
export async function hold(
  world: World,
  meanwhile: () => Promise<unknown> = async () => {},
  targets: readonly Payout['to'][] = anywhere,
  only?: bigint,
): Promise<void> {
  const { db, dice, model, businessId } = world
  const there = position(model, 'USDC')
  const wanted = one(dice, [there, there, there + 1n, there / 2n, amount(dice)])
  const value = only ?? (wanted > 0n ? wanted : amount(dice))
  const kind = only !== undefined ? 'payout' : one(dice, ['payout', 'payout', 'refund'] as const)
  const to = one(dice, targets)
  const share = () => (value > 6n ? BigInt(pick(dice, 3)) : 0n)
  const parts = { fee: share(), margin: share(), rounding: share() }
  const rest = value - parts.fee - parts.margin - parts.rounding
  const wallet = to === 'bank' ? null : walletOf(to, rest)
  const destinationId = kind === 'payout' ? await makeDestination(db, businessId, wallet ?? 'bank') : null
  const of = {
    kind,
    businessId,
    destinationId,
    status: 'pending',
    chain: 'ethereum',
    token: 'USDC',
    amount: value,
    ...parts,
  } as const
  const trying = db
    .tx(async (tx) => {
      const { outflow, entries } = await storeOutflow(settling.maker, tx, {
        ...of,
        wallet,
        bank: to === 'bank' ? { ...partner, price } : null,
      })
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
  const local = to === 'bank' ? price.localAmount : null
  const made = {
    refundOf: null,
    local,
    agreed: local,
    cost: 0n,
    back: 0n,
    isElsewhere: false,
    state: 'held',
  } as const
  if (id !== null) model.payouts.push({ id, kind, sessionId: null, amount: value, ...parts, to, ...made })
}

function walletOf(to: 'here' | 'bsc', rest: bigint): NewOutflow['wallet'] {
  const chain = to === 'bsc' ? 'bsc' : 'ethereum'
  return {
    chain,
    token: 'USDC',
    address: `0x${'aa'.repeat(20)}`,
    memo: null,
    amount: to === 'bsc' ? rest * 10n ** 12n : rest,
  }
}

interface Step {
  name: string
  changes: OutflowChange[]
  state: Payout['state']
}

/** Its business has paid it itself. Made each time: a price may be added to it. */
const elsewhere = (): Step => ({
  name: 'paid elsewhere',
  changes: [{ status: 'cancelled', release: 'paid_elsewhere', paidElsewhere: 'a receipt' }],
  state: 'released',
})

/** What may happen to a payout that has not ended; a bank payout's cost is known when it has left. */
function stepsOf({ state, to, kind }: Payout, cost: bigint): Step[] {
  const leaves: OutflowChange = {
    status: 'completed',
    nextInMs: null,
    ...(to === 'bank' && { partnerCost: cost }),
  }
  const fails: OutflowChange = {
    status: 'failed',
    release: state === 'held' ? 'refused_by_worker' : 'chain_failed',
    reason: 'refused',
  }
  if (state === 'held')
    return [
      { name: 'sent', changes: [{ status: 'processing', nextInMs: 0 }], state: 'sent' },
      { name: 'sent', changes: [{ status: 'processing', nextInMs: 0 }], state: 'sent' },
      {
        name: 'cancelled by hand',
        changes: [
          {
            status: 'cancelled',
            release: kind === 'payout' ? 'cancelled' : 'refund_cancelled',
            reason: 'cancelled',
          },
        ],
        state: 'released',
      },
      { name: 'failed', changes: [fails], state: 'released' },
      {
        name: 'paid by the platform',
        changes: [{ status: 'completed', paidElsewhere: 'a receipt', nextInMs: null }],
        state: 'posted',
      },
      ...(kind === 'payout' ? [elsewhere()] : []),
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
  if (row.bank && row.bank.price === null && payout.state === 'held')
    priceIt(world, payout, row, [first, second])
  // A second worker that knows no better is refused in either order. One post a transaction: two moves of
  // one are one worker's.
  const results = await Promise.allSettled([first, second].map(({ changes }) => moved(world, row, changes)))
  const happened = [first, second].filter((_, i) => results[i]?.status === 'fulfilled')
  expect(happened).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(`${result.reason}`).toMatch(/was changed by another process/)
  const [step] = happened
  if (!step) return
  payout.state = step.state
  payout.isElsewhere = step.name === 'paid by the platform'
  if (step.state === 'posted' && payout.to === 'bank' && !payout.isElsewhere) payout.cost = cost
  count(world, step.name)
  if (step.state === 'posted') count(world, `posted to ${payout.to}`)
  await tellSession(world, payout)
}

/** A payout to a bank that is on its way: one that was held, or a new one where there is money. */
export async function submitToBank(world: World): Promise<Payout | undefined> {
  const held = () => world.model.payouts.find(({ to, state }) => to === 'bank' && state === 'held')
  if (!held()) await hold(world, undefined, ['bank'])
  const payout = held()
  if (!payout) return undefined
  const row = await rowOf(world, payout)
  const step: Step = { name: 'sent', changes: [{ status: 'processing', nextInMs: 0 }], state: 'sent' }
  if (row.bank?.price === null) priceIt(world, payout, row, [step])
  await moved(world, row, step.changes)
  payout.state = 'sent'
  return payout
}

/** An automatic bank payout gets its price, and what the platform keeps, when it is sent. */
function priceIt({ dice }: World, payout: Payout, row: Outflow, steps: readonly Step[]): void {
  const parts =
    payout.amount > 4n
      ? { fee: 1n, margin: BigInt(pick(dice, 2)), rounding: BigInt(pick(dice, 2)) }
      : { fee: 0n, margin: 0n, rounding: 0n }
  const now = { ...price, pricedAt: new Date(), agreedAmount: price.localAmount }
  const priced = provePrice(settling.maker, row, { price: now, ...parts })
  for (const { changes } of steps) for (const change of changes) change.priced = priced
  Object.assign(payout, parts, { local: price.localAmount, agreed: price.localAmount })
}

/** A bank returns a completed payout: the partner gives back what it took, without its fee. */
export async function returnByBank(world: World): Promise<void> {
  const payout = world.model.payouts.find(
    ({ state, to, isElsewhere }) => state === 'posted' && to === 'bank' && !isElsewhere,
  )
  if (!payout) return
  const row = await rowOf(world, payout)
  const partnerReturned = payout.cost - BigInt(pick(world.dice, 100))
  const back: OutflowChange[] = [{ status: 'returned', reason: 'bank_returned', partnerReturned }]
  const results = await Promise.allSettled([moved(world, row, back), moved(world, row, back)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  payout.state = 'returned by its bank'
  payout.back = partnerReturned
  count(world, 'returned by its bank')
  await tellSession(world, payout)
}

/** The chain, or a bank, takes it back. */
export async function comeBack(world: World): Promise<void> {
  const payout = world.model.payouts.find(({ state }) => state === 'posted')
  if (!payout) return
  const row = await rowOf(world, payout)
  const back: OutflowChange[] = [{ status: 'failed', release: 'taken_back', reason: 'taken_back' }]
  const results = await Promise.allSettled([moved(world, row, back), moved(world, row, back)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  payout.state = 'returned'
  count(world, 'returned')
  await tellSession(world, payout)
}

/** A restored copy: no way gives anything back, and a session that a fork has changed keeps its payout. */
export async function restored(world: World): Promise<void> {
  const { db, dice, model } = world
  const payouts = model.payouts.filter(({ state }) => !isBack(state))
  if (payouts.length > 0) {
    const payout = one(dice, payouts)
    const row = await rowOf(world, payout)
    const ways = (Object.entries(releases) as [Release, Way][]).filter(
      ([, { from, kinds }]) => from.includes(row.status) && kinds.includes(row.kind),
    )
    const [release, { to }] = one(dice, ways)
    const change = { status: to, release, reason: release } as OutflowChange
    const trying = restoredIn(db).tx((tx) => moveOutflow(settling, tx, row, change))
    await expect(trying).rejects.toBeInstanceOf(RestoreUnsettledError)
    count(world, 'not given back while restored')
  }
  for (const session of model.sessions) await settleRestored(world, session)
}

async function tellSession(world: World, { sessionId, refundOf }: Payout): Promise<void> {
  const session = world.model.sessions.find(({ id }) => id === (sessionId ?? refundOf))
  if (session) await changed(world, session)
}
