import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import type { SessionException, SessionStatus } from './model.ts'
import {
  type Bucket,
  isPaid,
  type Payment,
  type PaymentException,
  type PaymentStatus,
  type PayoutState,
  type SessionState,
  type Settled,
  settle,
} from './settle.ts'

/**
 * Random histories: transfers appear, are confirmed, are reverted and come back; the chain's clock moves, the
 * business cancels or accepts what came, a payout starts, is completed, and is taken back. At any moment the
 * session may be settled or not. After any history, the session must be what the rules require of the
 * present.
 */

const expected = 100n
const expiresAt = new Date('2026-01-01T12:00:00.000Z')
const at = (seconds: number) => new Date(expiresAt.getTime() + seconds * 1000)

/** A transfer of the history; `status` is null until it appears. */
interface Movement {
  id: string
  chain: string
  token: string
  amount: bigint
  blockTime: Date
  status: PaymentStatus | null
  generation: number
}

type Step = { settle: boolean } & (
  | { kind: 'appear' | 'confirm' | 'revert' | 'revive' | 'replace'; movement: number }
  | { kind: 'clock'; seconds: number }
  | { kind: 'cancel' | 'accept' | 'payOut' | 'takeBack' | 'credit' | 'refund' | 'nothing' }
)

interface History {
  movements: Pick<Movement, 'chain' | 'token' | 'amount' | 'blockTime'>[]
  /** What may be missing. */
  tolerated: bigint
  steps: Step[]
}

const mostly = <T>(usual: T, unusual: T) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(unusual) })
const movements = fc.record({
  chain: mostly('ethereum', 'polygon'),
  token: mostly('USDC', 'USDT'),
  amount: fc.constantFrom(1n, 40n, 60n, 99n, 100n, 100n, 101n, 250n),
  // Seconds after the session's end: at 0 it is still in time.
  blockTime: fc.constantFrom(-2, -1, 0, 0, 1).map(at),
})
const changes = [
  'appear',
  'appear',
  'appear',
  'confirm',
  'confirm',
  'confirm',
  'revert',
  'revive',
  'replace',
] as const
const onMovement = fc.record({ kind: fc.constantFrom(...changes), movement: fc.nat(3), settle: fc.boolean() })
const onClock = fc.record({
  kind: fc.constant('clock' as const),
  seconds: fc.constantFrom(-2, -1, 0, 1, 2),
  settle: fc.boolean(),
})
const ofSession = ['cancel', 'payOut', 'payOut', 'payOut', 'takeBack', 'nothing'] as const
const onSession = fc.record({ kind: fc.constantFrom(...ofSession), settle: fc.boolean() })
const onAccept = fc.record({ kind: fc.constant('accept' as const), settle: fc.boolean() })
const onExcess = fc.record({
  kind: fc.constantFrom('credit' as const, 'refund' as const),
  settle: fc.boolean(),
})
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: onMovement },
  { weight: 3, arbitrary: onClock },
  { weight: 3, arbitrary: onSession },
  { weight: 1, arbitrary: onAccept },
  { weight: 2, arbitrary: onExcess },
)
const histories: fc.Arbitrary<History> = fc.record({
  movements: fc.array(movements, { minLength: 4, maxLength: 4 }),
  tolerated: fc.constantFrom(0n, 0n, 1n, 2n, 10n),
  steps: fc.array(steps, { maxLength: 40, size: 'max' }),
})

/**
 * The database as the state machine sees it: the session, its transfers, and the last settled state of each.
 */
interface World {
  session: SessionState
  movements: Movement[]
  last: Map<string, NonNullable<Payment['last']>>
  clock: Date | null
  /** The automatic payout: it starts while the session is paid, and may be completed when it is no longer. */
  payout: 'none' | 'begun' | 'completed'
  /** What was confirmed when it was accepted. */
  accepted: bigint | null
}

const payoutOf = ({ payout }: World): PayoutState => (payout === 'completed' ? 'completed' : 'none')

const begin = (history: History): World => ({
  session: {
    status: 'pending',
    chain: 'ethereum',
    token: 'USDC',
    amountExpected: expected,
    minAmount: expected - history.tolerated,
    amountSettled: 0n,
    excessAbove: expected,
    isAccepted: false,
    expiresAt,
  },
  movements: history.movements.map((each, i) => ({ ...each, id: `m${i}`, status: null, generation: 1 })),
  last: new Map(),
  clock: null,
  payout: 'none',
  accepted: null,
})

const isAlive = (movement: Movement) => movement.status === 'seen' || movement.status === 'confirmed'

/** All of it is in stablecoins. */
const worthOf = ({ movements }: World) => sum(movements.filter(({ status }) => status === 'confirmed'))
/** The session as the worker reads it. */
const sessionOf = (world: World): SessionState => ({
  ...world.session,
  isAccepted: world.accepted !== null && worthOf(world) >= world.accepted,
})

function accept(world: World): void {
  const { status } = world.session
  if ((status === 'pending' || status === 'expired') && worthOf(world) > 0n) world.accepted = worthOf(world)
}

function move(movement: Movement, kind: string): void {
  if (kind === 'appear' && movement.status === null) movement.status = 'seen'
  if (kind === 'confirm' && movement.status === 'seen') movement.status = 'confirmed'
  if (kind === 'revert' && isAlive(movement)) movement.status = 'reverted'
  if (kind === 'revive' && movement.status === 'reverted') {
    movement.status = 'seen'
    movement.generation++
  }
  // Reverted and back, as deep as before, without a settlement between.
  if (kind === 'replace' && isAlive(movement)) movement.generation++
}

/** What happens on the chain and in the API; an impossible step does nothing. */
function happen(world: World, step: Step, clockGoesBack: boolean): void {
  if ('movement' in step) {
    move(world.movements[step.movement] as Movement, step.kind)
  } else if (step.kind === 'clock') {
    const to = at(step.seconds)
    if (clockGoesBack || world.clock === null || to > world.clock) world.clock = to
  } else if (step.kind === 'cancel' && world.session.status === 'pending' && !world.movements.some(isAlive)) {
    world.session = { ...world.session, status: 'cancelled' }
  } else if (step.kind === 'accept') {
    accept(world)
  } else if (step.kind === 'credit' || step.kind === 'refund') {
    // An excess was accepted or its time is over; or a part of it goes back.
    const { excessAbove: above, amountSettled } = world.session
    const next = step.kind === 'refund' ? above + 3n : amountSettled
    if (next > above && amountSettled > above) world.session = { ...world.session, excessAbove: next }
  } else if (step.kind === 'payOut' || step.kind === 'takeBack') {
    world.payout = nextPayout(world, step.kind)
  }
}

function nextPayout({ payout, session }: World, kind: 'payOut' | 'takeBack'): World['payout'] {
  if (kind === 'takeBack') return payout === 'completed' ? 'none' : payout
  if (payout === 'none') return session.status === 'paid' ? 'begun' : 'none'
  return 'completed'
}

const paymentsOf = (world: World): Payment[] =>
  world.movements.flatMap(({ id, status, ...movement }) =>
    status === null ? [] : [{ ...movement, detectionId: id, status, last: world.last.get(id) ?? null }],
  )

/** Settles as the worker does: read, decide, store. */
function settleNow(world: World): Settled {
  const settled = settle(sessionOf(world), paymentsOf(world), world.clock, payoutOf(world))
  world.session = { ...world.session, status: settled.status, amountSettled: settled.amountSettled }
  for (const { detectionId, status, generation, posted, held } of settled.payments)
    world.last.set(detectionId, { status, generation, posted, held })
  return settled
}

/**
 * Runs a history; after every settlement, `check` gets the world before and after it. The last step is always
 * settled.
 */
function run(
  history: History,
  clockGoesBack: boolean,
  check: (before: World, after: World, settled: Settled) => void,
): World {
  const world = begin(history)
  for (const step of [...history.steps, { kind: 'nothing', settle: true } as const]) {
    happen(world, step, clockGoesBack)
    if (!step.settle) continue
    const before = { ...world, last: new Map(world.last) }
    check(before, world, settleNow(world))
  }
  return world
}

const sum = (all: { amount: bigint }[]) => all.reduce((total, { amount }) => total + amount, 0n)

/**
 * The rules of the design (§3), written a second time: the session, from the present and its last state
 * alone.
 */
function rules(world: World) {
  const left = world.session.status
  const alive = world.movements.filter(isAlive)
  const wrongToken = alive.filter((m) => m.token !== 'USDC')
  const wrongChain = alive.filter((m) => m.token === 'USDC' && m.chain !== 'ethereum')
  const right = alive.filter((m) => m.token === 'USDC' && m.chain === 'ethereum')
  const inTime = right.filter((m) => left !== 'cancelled' && m.blockTime.getTime() <= expiresAt.getTime())
  const late = right.filter((m) => !inTime.includes(m))
  const settledAmount = sum(inTime.filter((m) => m.status === 'confirmed'))
  const timeOver = world.clock !== null && world.clock.getTime() > expiresAt.getTime()

  // Money that came in time is waited for, for as long as it takes to be final.
  const open = inTime.some((m) => m.status === 'seen')
  let status: SessionStatus = 'pending'
  if ((timeOver && !open) || left === 'expired') status = 'expired'
  const least = world.session.minAmount
  if (settledAmount >= least || sessionOf(world).isAccepted)
    status = world.payout === 'completed' ? 'paid_out' : 'paid'
  if (left === 'cancelled' || left === 'paid_out') status = left

  let exception: SessionException = 'none'
  if (inTime.length > 0 && sum(inTime) < least) exception = 'underpaid'
  if (sum(inTime) > expected) exception = 'overpaid'
  if (late.length > 0) exception = 'late'
  if (wrongChain.length > 0) exception = 'wrong_chain'
  if (wrongToken.length > 0) exception = 'wrong_token'

  // A reverted transfer still shows why it did not count.
  const kind = (m: Movement): PaymentException => {
    if (m.token !== 'USDC') return 'wrong_token'
    if (m.chain !== 'ethereum') return 'wrong_chain'
    return left === 'cancelled' || m.blockTime.getTime() > expiresAt.getTime() ? 'late' : 'none'
  }
  const bucketOfConfirmed = status === 'pending' ? 'pending' : 'available'
  const bucket = (m: Movement): Bucket => (m.status === 'confirmed' ? bucketOfConfirmed : 'none')
  const above = settledAmount - world.session.excessAbove
  const excess = (status === 'paid' || status === 'paid_out') && above > 0n ? above : 0n
  // Counted from the last payment on: what comes after it is covered by the excess first.
  const isAfter = (m: Movement, of: Movement) =>
    m.blockTime > of.blockTime || (m.blockTime.getTime() === of.blockTime.getTime() && m.id > of.id)
  const held = (m: Movement): bigint => {
    if (!inTime.includes(m) || m.status !== 'confirmed') return 0n
    const left = excess - sum(inTime.filter((each) => each.status === 'confirmed' && isAfter(each, m)))
    if (left <= 0n) return 0n
    return left < m.amount ? left : m.amount
  }
  return {
    status,
    exception,
    amountReceived: sum(right),
    amountSettled: settledAmount,
    excess,
    inTime,
    late,
    kind,
    bucket,
    held,
  }
}

const shown = ({
  status,
  exception,
  amountReceived,
  amountSettled,
}: Pick<Settled, 'status' | 'exception' | 'amountReceived' | 'amountSettled'>) => ({
  status,
  exception,
  amountReceived,
  amountSettled,
})

/** `expect(…).toEqual(…)` is slow and runs a million times here: call it only for a difference. */
function same(actual: unknown, should: unknown): void {
  if (!isDeepStrictEqual(actual, should)) expect(actual).toEqual(should)
}

const runs = { numRuns: howMany(1000, 50_000) }

test('at every moment the session matches the rules for the present, after any history', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      run(history, clockGoesBack, (before, after, settled) => {
        const should = rules(before)
        same(shown(settled), shown(should))
        same(
          settled.payments,
          after.movements
            .filter((m) => m.status !== null)
            .map((m) => ({
              detectionId: m.id,
              status: m.status,
              generation: m.generation,
              exception: should.kind(m),
              posted: should.bucket(m),
              held: should.held(m),
            })),
        )
      })
    }),
    runs,
  )
})

test('a history settled at any moments ends the same as one settled once, at its end', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      let final: Settled | undefined
      let leftIn = 'pending' as SessionStatus
      const world = run(history, clockGoesBack, (before, _after, settled) => {
        leftIn = before.session.status
        final = settled
      })
      // Some decisions last: cancelled by a person, paid out, expired by a clock that only a fork moves back,
      // or expired before money in time was seen, which is waited for only while the session is pending.
      const waitedFor = rules({ ...world, session: { ...world.session, status: leftIn } }).inTime.some(
        (m) => m.status === 'seen',
      )
      const decided =
        leftIn === 'cancelled' ||
        leftIn === 'paid_out' ||
        (leftIn === 'expired' && (clockGoesBack || waitedFor))
      const session: SessionState = {
        ...sessionOf(world),
        status: decided ? leftIn : 'pending',
        amountSettled: 0n,
      }
      const fromScratch = settle(
        session,
        paymentsOf({ ...world, last: new Map() }).map((payment) => ({ ...payment, last: null })),
        world.clock,
        payoutOf(world),
      )
      same(final && shown(final), shown(fromScratch))
      same(final?.payments, fromScratch.payments)
    }),
    runs,
  )
})

test('the order of transfers does not matter', () => {
  fc.assert(
    fc.property(histories, (history) => {
      run(history, true, (before, _after, settled) => {
        const reversed = settle(
          sessionOf(before),
          paymentsOf(before).reverse(),
          before.clock,
          payoutOf(before),
        )
        same(shown(reversed), shown(settled))
        same([...reversed.payments].reverse(), settled.payments)
        same([...reversed.moves].reverse(), settled.moves)
      })
    }),
    runs,
  )
})

test('money moves exactly as far as needed: every account holds the sum of its payments', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      const balances = new Map<string, bigint>()
      const holds = (bucket: Bucket, m: { chain: string; token: string }) => `${bucket} ${m.chain}:${m.token}`
      const add = (account: string, amount: bigint) =>
        balances.set(account, (balances.get(account) ?? 0n) + amount)
      run(history, clockGoesBack, (before, after, settled) => {
        for (const { payment, from, to, held } of settled.moves) {
          const before = payment.last?.held ?? 0n
          same(from === to && held === before, false)
          add(holds(from, payment), before - payment.amount)
          add(holds('pending', payment), -before)
          add(holds(to, payment), payment.amount - held)
          add(holds('pending', payment), held)
        }
        const { bucket, excess } = rules(before)
        for (const asset of ['ethereum:USDC', 'ethereum:USDT', 'polygon:USDC', 'polygon:USDT']) {
          const inAsset = after.movements.filter(
            (m) => m.status !== null && `${m.chain}:${m.token}` === asset,
          )
          const held = asset === 'ethereum:USDC' ? excess : 0n
          const pending = sum(inAsset.filter((m) => bucket(m) === 'pending')) + held
          const available = sum(inAsset.filter((m) => bucket(m) === 'available')) - held
          same(
            {
              pending: balances.get(`pending ${asset}`) ?? 0n,
              available: balances.get(`available ${asset}`) ?? 0n,
              // The platform's side of the ledger: what it holds for the business.
              deposits: balances.get(`none ${asset}`) ?? 0n,
            },
            { pending, available, deposits: -(pending + available) },
          )
        }
      })
    }),
    runs,
  )
})

test('events about each transfer are detected, confirmed, reverted, in turn; and the last one is true', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      const published = new Map<string, { as: 'detected' | 'confirmed'; generation: number }>()
      run(history, clockGoesBack, (_before, after, settled) => {
        for (const event of settled.events) {
          if (!('payment' in event) || event.type === 'session.late') continue
          const { detectionId, generation } = event.payment
          const previous = published.get(detectionId)
          if (event.type === 'transaction.detected') {
            same(previous, undefined)
            published.set(detectionId, { as: 'detected', generation })
          } else if (event.type === 'transaction.confirmed') {
            same(previous, { as: 'detected', generation })
            published.set(detectionId, { as: 'confirmed', generation })
          } else {
            same(previous === undefined, false)
            published.delete(detectionId)
          }
        }
        // A transfer that was reverted and came back is published again: it is in another block, or in a
        // branch that was orphaned before.
        for (const { id, status, generation } of after.movements) {
          const truth = {
            seen: { as: 'detected', generation },
            confirmed: { as: 'confirmed', generation },
            reverted: undefined,
            none: undefined,
          }
          same(published.get(id), truth[status ?? 'none'])
        }
      })
    }),
    runs,
  )
})

test('session.paid and session.reversed alternate, and the last of them is true', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      let isReportedPaid = false
      run(history, clockGoesBack, (_before, after, settled) => {
        for (const { type } of settled.events) {
          if (type === 'session.paid') {
            same(isReportedPaid, false)
            isReportedPaid = true
          } else if (type === 'session.reversed') {
            same(isReportedPaid, true)
            isReportedPaid = false
          }
        }
        same(isReportedPaid, after.session.status === 'paid' || after.session.status === 'paid_out')
      })
    }),
    runs,
  )
})

test('what is paid out was reported as paid before, and stays so, also where the chain takes money back', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      const reported: string[] = []
      run(history, clockGoesBack, (before, after, settled) => {
        reported.push(
          ...settled.events
            .map(({ type }) => type)
            .filter((type) => /^session\.(paid|paid_out|reversed)$/.test(type)),
        )
        const at = reported.indexOf('session.paid_out')
        if (at >= 0) same(reported.slice(at - 1), ['session.paid', 'session.paid_out'])
        if (before.session.status === 'paid_out') same(after.session.status, 'paid_out')
        if (after.session.status === 'paid') same(payoutOf(before), 'none')
      })
    }),
    runs,
  )
})

test('all other session events come once, when they happen, after the transfers that caused them', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      let hadTooMuch = false
      let hadMoney = false
      run(history, clockGoesBack, (before, after, settled) => {
        const { inTime, late } = rules(before)
        const status = after.session.status
        const expires = before.session.status === 'pending' && status === 'expired'
        const tooMuch = isPaid(status) && settled.amountSettled > expected
        const money = after.movements.some(isAlive)
        const lateOnes = settled.events.filter(
          (e) => e.type === 'transaction.confirmed' && late.some((m) => m.id === e.payment.detectionId),
        )
        const events = settled.events.map((event) => event.type)
        same(
          times(events, [
            'session.detected',
            'session.late',
            'session.expired',
            'session.underpaid',
            'session.overpaid',
            'session.paid_out',
          ]),
          {
            'session.detected': money && !hadMoney ? 1 : 0,
            'session.late': lateOnes.length,
            'session.expired': expires ? 1 : 0,
            'session.underpaid': expires && inTime.length > 0 ? 1 : 0,
            'session.overpaid': tooMuch && !(hadTooMuch && isPaid(before.session.status)) ? 1 : 0,
            'session.paid_out': status === 'paid_out' && before.session.status !== 'paid_out' ? 1 : 0,
          },
        )
        hadTooMuch = tooMuch
        hadMoney = money
        const decided = events.findIndex((type) =>
          /^session\.(paid|paid_out|reversed|expired|overpaid|underpaid)$/.test(type),
        )
        if (decided >= 0)
          same(
            events.slice(decided).filter((type) => type.startsWith('transaction.')),
            [],
          )
      })
    }),
    runs,
  )
})

const times = (events: readonly string[], types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, events.filter((each) => each === type).length]))

test('settling again without changes moves nothing and publishes nothing', () => {
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      run(history, clockGoesBack, (_before, after, settled) => {
        const again = settle(sessionOf(after), paymentsOf(after), after.clock, payoutOf(after))
        same([again.moves, again.events, again.payments], [[], [], settled.payments])
        same(shown(again), shown(settled))
      })
    }),
    runs,
  )
})

/** What is too little, less than requested, and nobody accepted. */
function withinTolerance({ session, accepted }: World, to: SessionStatus, { amountSettled }: Settled) {
  if (accepted !== null) return {}
  return {
    'paid within the tolerance': to === 'paid' && amountSettled < expected,
    'within the tolerance, and taken back':
      session.status === 'paid' && to !== 'paid' && session.amountSettled < expected,
  }
}

test('the histories above reach every status and exception, every change of status, and the rare cases', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(histories, fc.boolean(), (history, clockGoesBack) => {
      run(history, clockGoesBack, (before, after, settled) => {
        const [from, to] = [before.session.status, after.session.status]
        const least = before.session.minAmount
        const cases: Record<string, boolean> = {
          [to]: true,
          [settled.exception]: true,
          [`${from} → ${to}`]: from !== to,
          'reversed and short': from === 'paid' && to === 'expired' && settled.amountReceived > 0n,
          'overpaid after paid out':
            from === 'paid_out' && settled.events.some(({ type }) => type === 'session.overpaid'),
          'paid out and taken back': to === 'paid_out' && before.payout === 'none',
          'paid out without its payment': to === 'paid_out' && settled.amountSettled < least,
          'overpaid after paid':
            from === 'paid' &&
            to === 'paid' &&
            settled.events.some(({ type }) => type === 'session.overpaid'),
          'waited for after the end': from === 'pending' && to === 'pending' && settled.timeOver,
          'accepted with too little': to === 'paid' && settled.amountSettled < least,
          ...withinTolerance(before, to, settled),
          'accepted, and taken back': from === 'paid' && to !== 'paid' && before.accepted !== null,
          'overpaid and held': settled.excess > 0n,
          'held no longer':
            before.session.status === 'paid' &&
            to === 'paid' &&
            settled.moves.some((m) => m.from === m.to && m.held === 0n),
          'expired and the clock went back': from === 'expired' && !settled.timeOver,
        }
        for (const { last, status, generation } of paymentsOf(before)) {
          const wasConfirmed = last?.status === 'confirmed' && last.generation < generation
          cases['replaced while confirmed'] ||= wasConfirmed && status === 'confirmed'
          cases['replaced and no longer confirmed'] ||= wasConfirmed && status === 'seen'
          cases['came and went unseen'] ||= last === null && status === 'reverted'
        }
        for (const [name, happened] of Object.entries(cases)) if (happened) reached.add(name)
      })
    }),
    { numRuns: 2000, seed: 1 },
  )
  same(
    [...reached].sort(),
    [
      ...['pending', 'paid', 'paid_out', 'expired', 'cancelled'],
      ...['none', 'underpaid', 'overpaid', 'late', 'wrong_chain', 'wrong_token'],
      ...['pending → paid', 'pending → expired', 'paid → pending', 'paid → expired', 'expired → paid'],
      ...[
        'paid → paid_out',
        'pending → paid_out',
        'expired → paid_out',
        'overpaid after paid out',
        'paid out and taken back',
        'paid out without its payment',
      ],
      ...[
        'reversed and short',
        'overpaid after paid',
        'waited for after the end',
        'expired and the clock went back',
      ],
      ...['paid within the tolerance', 'within the tolerance, and taken back'],
      ...['accepted with too little', 'accepted, and taken back', 'overpaid and held', 'held no longer'],
      ...['replaced while confirmed', 'replaced and no longer confirmed', 'came and went unseen'],
    ].sort(),
  )
})
