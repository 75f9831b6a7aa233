import { expect } from '@jest/globals'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'
import { createRefund } from '../../../src/refunds/createRefund.ts'
import { creditHeld } from '../../../src/sessions/creditHeld.ts'
import { resolveSession } from '../../../src/sessions/resolveSession.ts'
import { provers } from '../../support/intentKeys.ts'
import { settling } from '../../support/settling.ts'
import { one, pick } from '../histories/dice.ts'
import { credit, position, type Session, settled, taken, worthOf } from './model.ts'
import { changed, count, nameMade, type World } from './world.ts'

// What a history does with more than a session requested.

const overpaid = (world: World): Session | undefined => {
  const found = world.model.sessions.filter(({ excess }) => excess > 0n)
  return found.length > 0 ? one(world.dice, found) : undefined
}

/** Mostly a part of the excess, or all of it; sometimes more, which the business must have. */
export async function refundExcess(world: World): Promise<void> {
  const { db, dice, model, businessId } = world
  const chains = world.chains as readonly ConfiguredChain[]
  const session = overpaid(world)
  if (!session) return
  const amount = one(dice, [
    session.excess,
    session.excess,
    BigInt(1 + pick(dice, Number(session.excess))),
    session.excess + BigInt(1 + pick(dice, 9)),
  ])
  const { stays, own } = taken(model, session, amount)
  const ctx = {
    db,
    chains,
    maker: { madeBy: 'api', prover: provers.api },
    issuer: 'http://localhost',
    claimDays: 7,
    coinUsd: new Map(),
  } as const
  const wanted = { amount: `0.${amount.toString().padStart(6, '0')}`, toAddress: `0x${'ab'.repeat(20)}` }
  const there = position(model, 'USDC')
  const made = await createRefund(
    ctx,
    { businessId, account: null, apiKey: null },
    session.id,
    wanted,
    async () => {},
  ).catch((error) => error)
  if (made instanceof Error) {
    count(world, 'refund of an excess refused')
    // A fork took the money, or the session is pending again, and that is not settled yet.
    return expect([
      'amount_exceeds_rest',
      'nothing_to_refund',
      ...(own > 0n ? ['insufficient_funds'] : []),
    ]).toContain((made as { error?: string }).error)
  }
  expect(own <= 0n || own <= there).toBe(true)
  count(world, own > 0n ? 'refund of more than the excess' : 'refund of an excess')
  session.excess = stays
  const parts = { fee: 0n, margin: 0n, rounding: 0n, local: null, agreed: null, cost: 0n, back: 0n }
  const rest = { to: 'here', isElsewhere: false, state: 'held' } as const
  model.payouts.push({
    id: made.id,
    kind: 'refund',
    sessionId: null,
    refundOf: session.id,
    amount,
    ...parts,
    ...rest,
  })
}

export async function acceptExcess(world: World): Promise<void> {
  const session = overpaid(world)
  if (session?.status !== 'paid' && session?.status !== 'paid_out') return
  await resolveSession(
    { ...settling, db: world.db, chains: world.chains },
    world.businessId,
    session.id,
    'accept',
    async () => {},
  ).catch((error) => {
    // All of it was taken away by a fork that is not settled yet.
    expect(error).toMatchObject({ error: 'nothing_confirmed' })
    session.accepted = -1n
  })
  if (session.accepted === -1n) {
    session.accepted = null
    return
  }
  count(world, 'excess accepted')
  credit(world.model, session)
  session.accepted = worthOf(session)
  const payout = settled(world.model, session)
  if (payout) count(world, `automatic ${payout}`)
  if (payout === 'made' || payout === 'replaced') await nameMade(world, session)
}

export async function periodOver(world: World): Promise<void> {
  const session = overpaid(world)
  if (!session) return
  await world.db.query(
    "update pos_sessions set held_until = now() - interval '1 second' where id = $1 and held_until is not null",
    [session.id],
  )
  await creditHeld(world.db)
  credit(world.model, session)
  count(world, 'period over')
  await changed(world, session)
}
