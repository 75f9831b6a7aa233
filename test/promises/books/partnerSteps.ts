import { expect } from '@jest/globals'
import { recordAnswer } from '../../../src/outflows/bank/recordAnswer.ts'
import type { BankContext } from '../../../src/outflows/context.ts'
import { readOutflows } from '../../../src/outflows/outflow.ts'
import type { PartnerPayment } from '../../../src/partnerPayments/partner.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { settling } from '../../support/settling.ts'
import { one } from '../histories/dice.ts'
import type { Payout } from './model.ts'
import { submitToBank } from './payoutSteps.ts'
import { changed, count, type World } from './world.ts'

// Answers of the partner about bank payouts, by the function of the product that takes them: honest ones,
// another cost, a wrong clock.

const log = createLog('test', 'silent')
const century = 100 * 365 * 86_400_000

type Answer =
  | 'paid'
  | 'another cost'
  | 'nothing taken'
  | 'paid, by a wrong clock'
  | 'returned'
  | 'returned, with another amount'

/** What the answer means for a payout, by hand; the price expects 1000 / 1610 dollars. */
function stateAfter({ state }: Payout, answer: Answer): Payout['state'] {
  if (state === 'sent' && (answer === 'paid' || answer === 'paid, by a wrong clock')) return 'posted'
  if (state === 'sent' && (answer === 'returned' || answer === 'returned, with another amount'))
    return 'released'
  if (state === 'posted' && answer === 'returned') return 'returned by its bank'
  return state
}

/** Only for payouts whose row the answers have priced and paid: `cost` is theirs. */
export async function answerOfPartner(world: World): Promise<void> {
  const { db, dice, model } = world
  const isSuitable = ({ to, local, state, cost, isElsewhere }: Payout) =>
    to === 'bank' &&
    local === localAmount &&
    !isElsewhere &&
    (state === 'sent' || (state === 'posted' && cost === taken))
  const payout = model.payouts.find(isSuitable) ?? (await submitToBank(world))
  // The answers are about this price; one that was renewed is another.
  if (payout?.local !== localAmount) return
  const answer = one(dice, [
    'paid',
    'another cost',
    'nothing taken',
    'paid, by a wrong clock',
    'returned',
    'returned, with another amount',
  ] as const)
  await db.query(
    'update outflows set submitted_at = coalesce(submitted_at, now()), next_at = now() where id = $1 and local_amount is not null',
    [payout.id],
  )
  const [row] = await readOutflows(db, 'id = $1', [payout.id])
  if (!row?.bank?.price) return
  await recordAnswer(
    contextOf(world),
    row,
    paymentOf(payout.id, row.partnerPaymentId ?? `p-${payout.id}`, answer),
    new Date(),
    'question',
  )
  const next = stateAfter(payout, answer)
  if (next === 'posted' && payout.state === 'sent') payout.cost = taken
  if (next === 'returned by its bank') payout.back = amountTaken
  payout.state = next
  // Ten minutes pass, after which a wrong time hides nothing.
  await db.query(
    "update partner_payment_states set fetched_at = fetched_at - interval '11 minutes' where sequence_id = $1::text",
    [payout.id],
  )
  count(world, `the partner: ${answer}`)
  const [after] = await readOutflows(db, 'id = $1', [payout.id])
  if (answer === 'another cost' && after?.status === 'unknown') expect(after.reason).toBe('cost_out_of_band')
  const session = model.sessions.find(({ id }) => id === payout.sessionId)
  if (session) await changed(world, session)
}

const localAmount = 1000n
const amountTaken = 621_119n
const taken = 630_000n

function paymentOf(sequenceId: string, id: string, answer: Answer): PartnerPayment {
  const isPaid = answer !== 'returned' && answer !== 'returned, with another amount'
  const isOther = answer === 'another cost' || answer === 'returned, with another amount'
  const amountUsd = isOther ? '5000' : '0.621119'
  return {
    id,
    sequenceId,
    status: isPaid ? 'complete' : 'failed',
    currency: 'NGN',
    localAmount: `${localAmount}`,
    amountUsd: answer === 'nothing taken' ? '0' : amountUsd,
    rate: '1610',
    feeLocal: null,
    feeUsd: '0.008881',
    errorCode: null,
    sessionId: null,
    updatedAt: new Date(answer === 'paid, by a wrong clock' ? Date.now() + century : Date.now()),
    expiresAt: null,
  }
}

const contextOf = ({ db }: World): BankContext =>
  ({
    ...settling,
    db,
    log,
    pollMs: 0,
    observe: () => {},
    partner: { payments: { name: 'yellowcard' }, alarm: () => {} },
  }) as unknown as BankContext
