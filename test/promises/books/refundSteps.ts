import { expect } from '@jest/globals'
import { systemActor } from '../../../src/audit/recordAudit.ts'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'
import { formatUnits, parseUnits } from '../../../src/money/amount.ts'
import { readOutflows } from '../../../src/outflows/outflow.ts'
import { isSourceThere } from '../../../src/outflows/outflowSource.ts'
import { ApiError } from '../../../src/platform/errors.ts'
import { claimRefund } from '../../../src/refunds/claim.ts'
import { createRefund } from '../../../src/refunds/createRefund.ts'
import { provers } from '../../support/intentKeys.ts'
import { someAddress } from '../../support/madeRefunds.ts'
import { takeAway } from '../../support/madeSessions.ts'
import { settling } from '../../support/settling.ts'
import { one } from '../histories/dice.ts'
import { cameOf, type Payout, position, type Session, taken } from './model.ts'
import { count, settle, type World } from './world.ts'

// Refunds of sessions, and forks that take away what they give back: before a customer claims them, and
// before they are sent.

const maker = { madeBy: 'api', prover: provers.api } as const

/** @returns null where the product refuses it */
async function refund(
  world: World,
  session: Session,
  to: object,
): Promise<{ payout: Payout; token: string } | null> {
  const { db, model, businessId } = world
  const chains = world.chains as readonly ConfiguredChain[]
  const ctx = { db, chains, maker, issuer: 'http://localhost', claimDays: 7, coinUsd: new Map() }
  const by = { businessId, account: null, apiKey: null }
  const [came, there] = [cameOf(session), position(model, 'USDC')]
  const wanted = there > 0n && there < came ? { amount: formatUnits(there, 6) } : { kind: 'rest' as const }
  const made = await createRefund(ctx, by, session.id, { ...wanted, ...to }, async () => {}).catch(
    (error) => {
      expect(error).toBeInstanceOf(ApiError)
      return null
    },
  )
  if (made === null) return null
  count(world, 'refund of a session')
  const amount = parseUnits(made.amount, 6) ?? 0n
  const parts = {
    fee: 0n,
    margin: 0n,
    rounding: 0n,
    local: null,
    agreed: null,
    cost: 0n,
    back: 0n,
    isElsewhere: false,
    to: 'here',
    state: 'held',
  } as const
  const payout: Payout = {
    id: made.id,
    kind: 'refund',
    sessionId: null,
    refundOf: session.id,
    amount,
    ...parts,
  }
  // Of what a session got too much, refunds take first.
  session.excess = taken(model, session, amount).stays
  model.payouts.push(payout)
  return { payout, token: made.claimUrl?.split('#')[1] ?? '' }
}

/** A fork takes away a payment that refunds give back, and workers settle its session. */
async function forkSource(world: World, session: Session, payout: Payout, when: string): Promise<void> {
  const gone = session.payments.find(({ token, state }) => token === 'USDC' && state === 'confirmed')
  if (!gone) return
  await takeAway(world.db, gone.id)
  gone.state = 'gone'
  // The gate knows at once.
  const [row] = await readOutflows(world.db, 'id = $1', [payout.id])
  const { payouts } = world.model
  const sent = payouts.filter(
    (each) => each.refundOf === session.id && (each.state === 'sent' || each.state === 'posted'),
  )
  const isThere = cameOf(session) - sent.reduce((sum, { amount }) => sum + amount, 0n) >= payout.amount
  expect(row && (await isSourceThere(world.db, row))).toBe(isThere)
  await settle(world, session)
  if (payout.state === 'released') count(world, `refund whose payment is gone before ${when}`)
}

const ended = ({ model }: World) =>
  model.sessions.filter((session) => session.status !== 'pending' && cameOf(session) > 0n)

export async function forkBeforeClaim(world: World): Promise<void> {
  const sessions = ended(world)
  if (sessions.length === 0) return
  const session = one(world.dice, sessions)
  await settle(world, session)
  const made = await refund(world, session, { claim: true })
  if (made === null) return
  const { payout, token } = made
  await forkSource(world, session, payout, 'its claim')
  const chains = world.chains as readonly ConfiguredChain[]
  const claiming = claimRefund(
    { db: world.db, chains, maker, outflowEvents: settling.outflowEvents },
    systemActor('customer'),
    { token, toAddress: someAddress() },
  )
  if (payout.state === 'held') await claiming
  else await expect(claiming).rejects.toMatchObject({ status: 410, error: 'payment_reversed' })
}

export async function forkBeforeSending(world: World): Promise<void> {
  const sessions = ended(world)
  if (sessions.length === 0) return
  const session = one(world.dice, sessions)
  await settle(world, session)
  const made = await refund(world, session, { toAddress: someAddress() })
  if (made !== null) await forkSource(world, session, made.payout, 'it leaves')
}
