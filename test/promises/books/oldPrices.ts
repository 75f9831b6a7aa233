import { expect } from '@jest/globals'
import { systemActor } from '../../../src/audit/recordAudit.ts'
import { setLegalProfile } from '../../../src/outflows/bank/legalProfile.ts'
import type { OutflowPartner } from '../../../src/outflows/bank/outflowPartner.ts'
import { sendToBank } from '../../../src/outflows/bank/sendToBank.ts'
import type { OutflowsContext } from '../../../src/outflows/context.ts'
import { readOutflows } from '../../../src/outflows/outflow.ts'
import type { PaymentRequest } from '../../../src/partnerPayments/partner.ts'
import { confirmPayoutPrice } from '../../../src/payouts/confirmPayoutPrice.ts'
import { newId } from '../../../src/platform/ids.ts'
import { profile } from '../../support/bankPayouts.ts'
import { proofs } from '../../support/intentKeys.ts'
import { settling } from '../../support/settling.ts'
import { one, pick } from '../histories/dice.ts'
import { type Payout, position } from './model.ts'
import { hold } from './payoutSteps.ts'
import { changed, count, settle, type World } from './world.ts'

/** Units of NGN for one base unit of USDC, so that a hundred of these are whole units. */
const rates = [5n, 14n, 60n, 1610n] as const

/**
 * Time passes, the rate moves, and workers send a bank payout: by the renewed price, or not before it is
 * confirmed.
 */
export async function oldPrice(world: World): Promise<void> {
  const { dice, model } = world
  const there = position(model, 'USDC')
  if (waitingOf(world).length === 0 && there > 0n)
    await hold(world, undefined, ['bank'], pick(dice, 4) === 0 ? 1n : there)
  const waiting = waitingOf(world)
  if (waiting.length === 0) return
  const payout = one(dice, waiting)
  const session = model.sessions.find(({ id }) => id === payout.sessionId)
  // After a fork it waits until its session is settled again, which may take it back.
  if (session) await settle(world, session)
  if (payout.state !== 'held') return
  const rate = one(dice, rates)
  const submitted: PaymentRequest[] = []
  await sendAtOnce(world, payout, rate, submitted)
  const price = priceOf(payout.amount, rate)
  const agreed = payout.agreed ?? price?.local ?? 0n
  if (price === null) {
    payout.state = 'released'
  } else {
    Object.assign(payout, price, { agreed })
    if (price.local * 100n >= agreed * 99n) payout.state = 'sent'
  }
  expect(submitted.map(({ localAmount }) => localAmount)).toEqual(
    payout.state === 'sent' ? [payout.local] : [],
  )
  count(world, `old price: ${payout.state}`)
  if (session && payout.state === 'released') await changed(world, session)
  if (payout.state === 'held' && pick(dice, 2) === 0) await confirmPrice(world)
}

const waitingOf = ({ model }: World): Payout[] =>
  model.payouts.filter(({ kind, to, state }) => kind === 'payout' && to === 'bank' && state === 'held')

/**
 * A tenth is the fee, and the bank gets whole units: by arithmetic of its own. Null: nothing of the token
 * would be left for them.
 */
function priceOf(
  amount: bigint,
  rate: bigint,
): (Pick<Payout, 'fee' | 'margin' | 'rounding'> & { local: bigint }) | null {
  const local = (amount * rate * 9n) / 10n
  const [fee, sent] = [amount / 10n, local / rate]
  return sent === 0n ? null : { fee, margin: 0n, rounding: amount - fee - sent, local }
}

/** Two workers with the same row: one at most submits it. */
async function sendAtOnce(
  world: World,
  { id }: Payout,
  rate: bigint,
  submitted: PaymentRequest[],
): Promise<void> {
  const { db, businessId } = world
  await setLegalProfile({ db, appKey: settling.appKey }, systemActor('test'), businessId, profile)
  const [row] = await readOutflows(db, 'id = $1', [id])
  if (!row) throw new Error(`no outflow ${id}`)
  const ctx: OutflowsContext = {
    ...settling,
    ...{
      db,
      chains: [],
      purposes: [],
      environment: 'test',
      screening: null,
      coinUsd: new Map(),
      pollMs: null,
    },
    accountsOf: () => Promise.reject(new Error('no chain is read')),
    partner: partnerAt(rate, submitted),
    observe: () => {},
  }
  await Promise.all([sendToBank(ctx, row), sendToBank(ctx, row)])
}

const partnerAt = (rate: bigint, submitted: PaymentRequest[]): OutflowPartner => ({
  payments: {
    name: 'yellowcard',
    async submit(request: PaymentRequest) {
      submitted.push(request)
      const unsaid = {
        amountUsd: null,
        rate: null,
        feeLocal: null,
        feeUsd: null,
        errorCode: null,
        sessionId: null,
        expiresAt: null,
      }
      const said = {
        id: newId(),
        sequenceId: request.sequenceId,
        status: 'created',
        currency: 'NGN',
        localAmount: `${request.localAmount}`,
      }
      return { ...unsaid, ...said, updatedAt: new Date() }
    },
  } as OutflowPartner['payments'],
  rates: { midOrNull: async () => ({ rate: `${rate * 1_000_000n}`, at: new Date(), source: 'yellowcard' }) },
  prices: { maxAgeMs: -1, maxFallPercent: '1', maxAboveWorthPercent: '2' },
  funds: async () => ({ available: 10n ** 30n, readAt: new Date() }),
  alarm: () => {},
  proofs,
})

/** A person agrees to the price that is shown, or finds that there is nothing to agree to. */
export async function confirmPrice(world: World): Promise<void> {
  const { db, dice, businessId } = world
  const held = waitingOf(world)
  if (held.length === 0) return
  const payout = one(dice, held)
  const [row] = await db.query<{ revision: number }>('select revision from outflows where id = $1', [
    payout.id,
  ])
  const of = { businessId, id: payout.id, revision: row?.revision ?? 0 }
  const confirming = confirmPayoutPrice({ ...settling, db }, of, async () => {})
  if (payout.local === null || payout.agreed === null || payout.local >= payout.agreed) {
    await expect(confirming).rejects.toMatchObject({ error: 'price_not_changed' })
    return
  }
  await confirming
  payout.agreed = payout.local
  count(world, 'price confirmed')
}
