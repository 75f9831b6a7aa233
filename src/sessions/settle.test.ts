import { describe, expect, test } from '@jest/globals'
import { type Payment, type PaymentStatus, type SessionState, type Settled, settle } from './settle.ts'

const expiresAt = new Date('2026-01-01T12:00:00.000Z')
const at = (seconds: number) => new Date(expiresAt.getTime() + seconds * 1000)
/** The chain's confirmed time: before the session's end, and after it. */
const early = at(-60)
const over = at(1)

const fresh: SessionState = {
  status: 'pending',
  chain: 'ethereum',
  token: 'USDC',
  amountExpected: 100n,
  minAmount: 100n,
  amountSettled: 0n,
  excessAbove: 100n,
  isAccepted: false,
  expiresAt,
}

let made = 0
const pay = (amount: bigint, status: PaymentStatus, more: Partial<Payment> = {}): Payment => ({
  detectionId: `payment-${++made}`,
  chain: 'ethereum',
  token: 'USDC',
  amount,
  blockTime: at(-30),
  status,
  generation: 1,
  last: null,
  ...more,
})

/** The session and a payment as stored after settling. */
const sessionAfter = (session: SessionState, settled: Settled): SessionState => ({
  ...session,
  status: settled.status,
  amountSettled: settled.amountSettled,
})
const paymentAfter = (payment: Payment, settled: Settled, change: Partial<Payment> = {}): Payment => {
  const stored = settled.payments.find((each) => each.detectionId === payment.detectionId)
  if (!stored) throw new Error('the payment was not settled')
  return {
    ...payment,
    last: { status: stored.status, generation: stored.generation, posted: stored.posted, held: stored.held },
    ...change,
  }
}

const types = (settled: Settled) => settled.events.map((event) => event.type)
const moved = (settled: Settled) => settled.moves.map(({ payment, from, to }) => [payment.amount, from, to])

/** A session that was paid exactly, and its payment. */
function paid() {
  const payment = pay(100n, 'confirmed')
  const settled = settle(fresh, [payment], early)
  return {
    session: sessionAfter(fresh, settled),
    payment: (change: Partial<Payment> = {}) => paymentAfter(payment, settled, change),
  }
}

describe('money that a person accepted', () => {
  test('makes the session paid, at any shortage, and in any asset', () => {
    for (const payment of [
      pay(95n, 'confirmed'),
      pay(95n, 'confirmed', { blockTime: at(30) }),
      pay(95n, 'confirmed', { token: 'USDT' }),
    ]) {
      const settled = settle({ ...fresh, status: 'expired', isAccepted: true }, [payment], over)
      expect([settled.status, types(settled).slice(-1), moved(settled)]).toEqual([
        'paid',
        ['session.paid'],
        [[95n, 'none', 'available']],
      ])
    }
  })

  test('is no longer enough when a fork takes some of it away: the session is reversed', () => {
    const payment = pay(95n, 'confirmed')
    const settled = settle({ ...fresh, isAccepted: true }, [payment], early)
    const session = { ...sessionAfter(fresh, settled), isAccepted: false }
    const reversed = settle(session, [paymentAfter(payment, settled, { status: 'reverted' })], over)
    expect([reversed.status, types(reversed).slice(-1)]).toEqual(['expired', ['session.reversed']])
  })

  test('does not bring a cancelled session back', () => {
    expect(
      settle({ ...fresh, status: 'cancelled', isAccepted: true }, [pay(100n, 'confirmed')], over).status,
    ).toBe('cancelled')
  })
})

describe('a tolerance', () => {
  const tolerant: SessionState = { ...fresh, minAmount: 98n }

  test('makes a session paid with what came within it, without an exception', () => {
    for (const amount of [98n, 99n, 100n]) {
      const settled = settle(tolerant, [pay(amount, 'confirmed')], early)
      expect(settled).toMatchObject({
        status: 'paid',
        exception: 'none',
        amountSettled: amount,
        excess: 0n,
      })
      expect(moved(settled)).toEqual([[amount, 'none', 'available']])
      expect(types(settled).slice(-1)).toEqual(['session.paid'])
    }
  })

  test('ends where it ends: a unit less is underpaid', () => {
    const short = settle(tolerant, [pay(97n, 'confirmed')], over)
    expect([short.status, short.exception]).toEqual(['expired', 'underpaid'])
    expect(types(short)).toContain('session.underpaid')
  })

  test('counts what is final: a payment within it that is only seen is waited for', () => {
    const settled = settle(tolerant, [pay(98n, 'seen')], over)
    expect([settled.status, settled.exception]).toEqual(['pending', 'none'])
  })

  test('a fork that takes a part back below it reverses the session', () => {
    const [first, second] = [pay(60n, 'confirmed'), pay(39n, 'confirmed')]
    const settled = settle(tolerant, [first, second], early)
    expect(settled.status).toBe('paid')
    const after = [
      paymentAfter(first, settled),
      paymentAfter(second, settled, { status: 'reverted', generation: 1 }),
    ]
    const reversed = settle(sessionAfter(tolerant, settled), after, early)
    expect([reversed.status, reversed.exception, types(reversed).slice(-1)]).toEqual([
      'pending',
      'underpaid',
      ['session.reversed'],
    ])
    expect(reversed.moves.map(({ payment: { amount }, from, to }) => [amount, from, to])).toEqual([
      [60n, 'available', 'pending'],
      [39n, 'available', 'none'],
    ])
  })

  test('what comes after it is kept up to the requested amount; only more is an excess', () => {
    const first = pay(98n, 'confirmed')
    const settled = settle(tolerant, [first], early)
    const more = pay(5n, 'confirmed')
    const next = settle(sessionAfter(tolerant, settled), [paymentAfter(first, settled), more], early)
    expect([next.status, next.exception, next.excess]).toEqual(['paid', 'overpaid', 3n])
    expect(types(next)).toContain('session.overpaid')
  })
})

describe('a pending session', () => {
  test('without payments stays as it is, without events', () => {
    const settled = settle(fresh, [], early)
    expect(settled).toMatchObject({
      status: 'pending',
      exception: 'none',
      amountReceived: 0n,
      amountSettled: 0n,
      timeOver: false,
      moves: [],
      events: [],
    })
  })

  test('shows a seen payment, and is not paid by it', () => {
    const settled = settle(fresh, [pay(100n, 'seen')], early)
    expect(settled).toMatchObject({
      status: 'pending',
      exception: 'none',
      amountReceived: 100n,
      amountSettled: 0n,
      moves: [],
    })
    expect(types(settled)).toEqual(['transaction.detected', 'session.detected'])
  })

  test('is not paid by any amount that is only seen', () => {
    expect(settle(fresh, [pay(99n, 'confirmed'), pay(1_000_000n, 'seen')], early)).toMatchObject({
      status: 'pending',
      exception: 'overpaid',
    })
  })

  test('is paid when the exact amount is confirmed', () => {
    const payment = pay(100n, 'seen')
    const first = settle(fresh, [payment], early)
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(payment, first, { status: 'confirmed' })],
      early,
    )
    expect(settled).toMatchObject({
      status: 'paid',
      exception: 'none',
      amountReceived: 100n,
      amountSettled: 100n,
    })
    expect(moved(settled)).toEqual([[100n, 'none', 'available']])
    expect(types(settled)).toEqual(['transaction.confirmed', 'session.paid'])
  })

  test('publishes all events in order when money first appears as confirmed', () => {
    const settled = settle(fresh, [pay(100n, 'confirmed')], early)
    expect(types(settled)).toEqual([
      'transaction.detected',
      'session.detected',
      'transaction.confirmed',
      'session.paid',
    ])
  })

  test('is paid by several payments that add up, and not by fewer', () => {
    expect(settle(fresh, [pay(60n, 'confirmed'), pay(39n, 'confirmed')], early)).toMatchObject({
      status: 'pending',
      exception: 'underpaid',
    })
    expect(
      settle(fresh, [pay(60n, 'confirmed'), pay(39n, 'confirmed'), pay(1n, 'confirmed')], early),
    ).toMatchObject({
      status: 'paid',
      exception: 'none',
      amountSettled: 100n,
    })
  })

  test('with too little money shows underpaid and holds it as pending', () => {
    const settled = settle(fresh, [pay(99n, 'confirmed')], early)
    expect(settled).toMatchObject({ status: 'pending', exception: 'underpaid', amountReceived: 99n })
    expect(moved(settled)).toEqual([[99n, 'none', 'pending']])
    expect(types(settled)).not.toContain('session.underpaid')
  })

  test('releases the held money once the rest comes', () => {
    const part = pay(99n, 'confirmed')
    const first = settle(fresh, [part], early)
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(part, first), pay(1n, 'confirmed')],
      early,
    )
    expect(moved(settled)).toEqual([
      [99n, 'pending', 'available'],
      [1n, 'none', 'available'],
    ])
  })
})

describe('a session after its end', () => {
  test('expires when the confirmed time of its chain has passed its end, not before', () => {
    expect(settle(fresh, [], null).status).toBe('pending')
    expect(settle(fresh, [], at(-0.001)).status).toBe('pending')
    expect(settle(fresh, [], at(0)).status).toBe('pending')
    expect(settle(fresh, [], at(0.001)).status).toBe('expired')
    expect(types(settle(fresh, [], over))).toEqual(['session.expired'])
  })

  test('publishes underpaid when it expires short, and credits what came', () => {
    const part = pay(99n, 'confirmed')
    const first = settle(fresh, [part], early)
    const settled = settle(sessionAfter(fresh, first), [paymentAfter(part, first)], over)
    expect(settled).toMatchObject({ status: 'expired', exception: 'underpaid' })
    expect(moved(settled)).toEqual([[99n, 'pending', 'available']])
    expect(types(settled)).toEqual(['session.expired', 'session.underpaid'])
  })

  test('is paid, not expired, if its money is confirmed by then', () => {
    expect(settle(fresh, [pay(100n, 'confirmed')], over)).toMatchObject({ status: 'paid', exception: 'none' })
  })

  test('counts a block at the exact end as in time, and one of the next second as late', () => {
    expect(settle(fresh, [pay(100n, 'confirmed', { blockTime: at(0) })], over)).toMatchObject({
      status: 'paid',
      exception: 'none',
    })
    expect(settle(fresh, [pay(100n, 'confirmed', { blockTime: at(1) })], over)).toMatchObject({
      status: 'expired',
      exception: 'late',
    })
  })

  test('that expired credits late money and publishes it once, when it is confirmed', () => {
    const expired = sessionAfter(fresh, settle(fresh, [], over))
    const late = pay(100n, 'seen', { blockTime: at(5) })
    const seen = settle(expired, [late], over)
    expect(seen).toMatchObject({
      status: 'expired',
      exception: 'late',
      amountReceived: 100n,
      amountSettled: 0n,
      moves: [],
    })
    expect(types(seen)).toEqual(['transaction.detected', 'session.detected'])
    const confirmed = settle(
      sessionAfter(expired, seen),
      [paymentAfter(late, seen, { status: 'confirmed' })],
      over,
    )
    expect(confirmed).toMatchObject({ status: 'expired', exception: 'late', amountSettled: 0n })
    expect(moved(confirmed)).toEqual([[100n, 'none', 'available']])
    expect(types(confirmed)).toEqual(['transaction.confirmed', 'session.late'])
  })

  test('is not paid by late money before it expired either', () => {
    const settled = settle(fresh, [pay(100n, 'confirmed', { blockTime: at(1) })], early)
    expect(settled).toMatchObject({ status: 'pending', exception: 'late' })
    expect(moved(settled)).toEqual([[100n, 'none', 'pending']])
  })

  test('does not expire while money that came in time waits for confirmation, and is paid when it is confirmed', () => {
    const part = pay(100n, 'seen')
    const first = settle(fresh, [part], over)
    expect(first).toMatchObject({ status: 'pending', timeOver: true, moves: [] })
    expect(types(first)).toEqual(['transaction.detected', 'session.detected'])
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(part, first, { status: 'confirmed' })],
      over,
    )
    expect(settled).toMatchObject({ status: 'paid', exception: 'none' })
    expect(types(settled)).toEqual(['transaction.confirmed', 'session.paid'])
  })

  test('waits for any money that came in time, even too little, and then expires short', () => {
    const [confirmed, part] = [pay(60n, 'confirmed'), pay(1n, 'seen', { blockTime: at(0) })]
    const first = settle(fresh, [confirmed, part], over)
    expect(first).toMatchObject({ status: 'pending', exception: 'underpaid' })
    expect(moved(first)).toEqual([[60n, 'none', 'pending']])
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(confirmed, first), paymentAfter(part, first, { status: 'confirmed' })],
      over,
    )
    expect(settled).toMatchObject({ status: 'expired', exception: 'underpaid' })
    expect(types(settled)).toEqual(['transaction.confirmed', 'session.expired', 'session.underpaid'])
    expect(moved(settled)).toEqual([
      [60n, 'pending', 'available'],
      [1n, 'none', 'available'],
    ])
  })

  test('expires when a fork reverts the payment it waited for', () => {
    const part = pay(100n, 'seen')
    const first = settle(fresh, [part], over)
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(part, first, { status: 'reverted' })],
      over,
    )
    expect(settled).toMatchObject({ status: 'expired', exception: 'none' })
    expect(types(settled)).toEqual(['transaction.reverted', 'session.expired'])
  })

  test.each([
    ['came late', { blockTime: at(1) }],
    ['is of another token', { token: 'USDT' }],
    ['is on another chain', { chain: 'polygon' }],
  ])('does not wait for money that %s', (_what, more) => {
    expect(settle(fresh, [pay(100n, 'seen', more)], over).status).toBe('expired')
  })

  test('that was paid is pending while a part of it is reverted and on its way again, and then paid again', () => {
    const { session, payment } = paid()
    const settled = settle(session, [payment({ status: 'seen', generation: 2 })], over)
    expect(settled).toMatchObject({ status: 'pending', exception: 'none' })
    expect(types(settled)).toEqual(['transaction.reverted', 'transaction.detected', 'session.reversed'])
    expect(moved(settled)).toEqual([[100n, 'available', 'none']])
  })

  test('that expired is revived by money in time that a fork brings back, once it is confirmed', () => {
    const expired = sessionAfter(fresh, settle(fresh, [], over))
    const back = pay(100n, 'seen')
    const seen = settle(expired, [back], over)
    expect(seen).toMatchObject({ status: 'expired' })
    const settled = settle(
      sessionAfter(expired, seen),
      [paymentAfter(back, seen, { status: 'confirmed' })],
      over,
    )
    expect(settled).toMatchObject({ status: 'paid', exception: 'none' })
    expect(types(settled)).toEqual(['transaction.confirmed', 'session.paid'])
  })

  test('that expired stays so when a fork moves the clock back', () => {
    const expired = sessionAfter(fresh, settle(fresh, [], over))
    const settled = settle(expired, [], early)
    expect(settled).toMatchObject({ status: 'expired', timeOver: false, events: [] })
  })
})

describe('an overpaid session', () => {
  test('is paid and overpaid: the requested amount is available, the excess stays pending', () => {
    const settled = settle(fresh, [pay(101n, 'confirmed')], early)
    expect(settled).toMatchObject({
      status: 'paid',
      exception: 'overpaid',
      amountReceived: 101n,
      amountSettled: 101n,
      excess: 1n,
    })
    expect(settled.moves).toMatchObject([{ from: 'none', to: 'available', held: 1n }])
    expect(types(settled)).toEqual([
      'transaction.detected',
      'session.detected',
      'transaction.confirmed',
      'session.paid',
      'session.overpaid',
    ])
  })

  test('holds the excess of its last payments, and of an earlier one only what they lack', () => {
    const [first, second, third] = [
      pay(90n, 'confirmed'),
      pay(30n, 'confirmed', { blockTime: at(-20) }),
      pay(5n, 'confirmed', { blockTime: at(-10) }),
    ]
    const settled = settle(fresh, [third, first, second], early)
    expect(settled.payments.map(({ held }) => held)).toEqual([5n, 0n, 20n])
  })

  test('gives the excess to the business when it is credited, and holds only what comes afterwards', () => {
    const payment = pay(150n, 'confirmed')
    const first = settle(fresh, [payment], early)
    const credited = { ...sessionAfter(fresh, first), excessAbove: 150n }
    const after = settle(credited, [paymentAfter(payment, first)], early)
    expect(after.moves).toMatchObject([{ from: 'available', to: 'available', held: 0n }])
    const more = pay(7n, 'confirmed', { blockTime: at(-1) })
    const again = settle(sessionAfter(credited, after), [paymentAfter(payment, after), more], early)
    expect(again.moves).toMatchObject([{ from: 'none', to: 'available', held: 7n }])
  })

  test('holds nothing while it is pending, cancelled or accepted with less', () => {
    const pending = settle(fresh, [pay(99n, 'confirmed'), pay(9n, 'seen')], early)
    expect([pending.status, pending.excess]).toEqual(['pending', 0n])
    expect(settle({ ...fresh, status: 'cancelled' }, [pay(150n, 'confirmed')], early).excess).toBe(0n)
    expect(settle({ ...fresh, isAccepted: true }, [pay(95n, 'confirmed')], early).excess).toBe(0n)
  })

  test('takes the excess back with the payment that a fork reverts', () => {
    const payment = pay(150n, 'confirmed')
    const first = settle(fresh, [payment], early)
    const reverted = settle(
      sessionAfter(fresh, first),
      [paymentAfter(payment, first, { status: 'reverted' })],
      early,
    )
    expect(reverted.moves).toMatchObject([{ from: 'available', to: 'none', held: 0n }])
  })

  test('publishes it once, when the excess comes after it was paid', () => {
    const { session, payment } = paid()
    const more = pay(1n, 'seen')
    const seen = settle(session, [payment(), more], early)
    expect(seen).toMatchObject({ status: 'paid', exception: 'overpaid' })
    expect(types(seen)).toEqual(['transaction.detected'])
    const confirmed = settle(
      sessionAfter(session, seen),
      [payment(), paymentAfter(more, seen, { status: 'confirmed' })],
      early,
    )
    expect(types(confirmed)).toEqual(['transaction.confirmed', 'session.overpaid'])
    const again = settle(
      sessionAfter(session, confirmed),
      [payment(), paymentAfter(more, confirmed, { status: 'confirmed' }), pay(1n, 'confirmed')],
      early,
    )
    expect(types(again)).toEqual(['transaction.detected', 'transaction.confirmed'])
  })
})

describe('money in another token or on another chain', () => {
  test.each([
    ['another token', { token: 'USDT' }, 'wrong_token'],
    ['another chain', { chain: 'polygon' }, 'wrong_chain'],
    ['another token on another chain', { token: 'USDT', chain: 'polygon' }, 'wrong_token'],
  ] as const)('%s does not count and is not lost', (_what, more, exception) => {
    const settled = settle(fresh, [pay(100n, 'confirmed', more)], early)
    expect(settled).toMatchObject({
      status: 'pending',
      exception,
      amountReceived: 0n,
      amountSettled: 0n,
      payments: [{ exception }],
    })
    expect(moved(settled)).toEqual([[100n, 'none', 'pending']])
    expect(settle(fresh, [pay(100n, 'confirmed', more)], over)).toMatchObject({
      status: 'expired',
      payments: [{ posted: 'available' }],
    })
  })

  test('does not keep the right money from paying', () => {
    const settled = settle(fresh, [pay(100n, 'confirmed'), pay(5n, 'confirmed', { token: 'USDT' })], early)
    expect(settled).toMatchObject({ status: 'paid', exception: 'wrong_token', amountReceived: 100n })
  })

  test('does not make a session underpaid when it expires without other money', () => {
    expect(types(settle(fresh, [pay(5n, 'confirmed', { token: 'USDT' })], over))).not.toContain(
      'session.underpaid',
    )
  })

  test('the session shows the most severe exception, and each payment its own', () => {
    const late = () => pay(1n, 'confirmed', { blockTime: at(1) })
    const chain = () => pay(1n, 'confirmed', { chain: 'polygon' })
    const token = () => pay(1n, 'confirmed', { token: 'USDT' })
    const short = () => pay(1n, 'confirmed')
    const much = () => pay(200n, 'confirmed')
    const shown = (...payments: Payment[]) => settle(fresh, payments, early).exception
    expect(shown(much(), short(), late(), chain(), token())).toBe('wrong_token')
    expect(shown(much(), short(), late(), chain())).toBe('wrong_chain')
    expect(shown(much(), short(), late())).toBe('late')
    expect(shown(short())).toBe('underpaid')
    expect(shown(much(), short())).toBe('overpaid')
    expect(
      settle(fresh, [much(), late(), chain(), token()], early).payments.map((each) => each.exception),
    ).toEqual(['none', 'late', 'wrong_chain', 'wrong_token'])
  })

  test('shows nothing after a fork reverted it', () => {
    expect(settle(fresh, [pay(1n, 'reverted', { token: 'USDT' })], early)).toMatchObject({
      exception: 'none',
      events: [],
      moves: [],
    })
  })
})

describe('a cancelled session', () => {
  const cancelled: SessionState = { ...fresh, status: 'cancelled' }

  test('stays cancelled; money that still comes in time is late, credited and published', () => {
    const settled = settle(cancelled, [pay(100n, 'confirmed')], early)
    expect(settled).toMatchObject({
      status: 'cancelled',
      exception: 'late',
      amountReceived: 100n,
      amountSettled: 0n,
    })
    expect(moved(settled)).toEqual([[100n, 'none', 'available']])
    expect(types(settled)).toEqual([
      'transaction.detected',
      'session.detected',
      'transaction.confirmed',
      'session.late',
    ])
  })

  test('does not expire', () => {
    expect(settle(cancelled, [], over)).toMatchObject({ status: 'cancelled', events: [] })
  })
})

describe('a paid session whose money a fork reverts', () => {
  test('is pending again, and the money is taken from the business', () => {
    const { session, payment } = paid()
    const settled = settle(session, [payment({ status: 'reverted' })], early)
    expect(settled).toMatchObject({
      status: 'pending',
      exception: 'none',
      amountReceived: 0n,
      amountSettled: 0n,
    })
    expect(moved(settled)).toEqual([[100n, 'available', 'none']])
    expect(types(settled)).toEqual(['transaction.reverted', 'session.reversed'])
  })

  test('is expired if its time is over by then, published as the reversal', () => {
    const { session, payment } = paid()
    const settled = settle(session, [payment({ status: 'reverted' })], over)
    expect(settled).toMatchObject({ status: 'expired', exception: 'none' })
    expect(types(settled)).toEqual(['transaction.reverted', 'session.reversed'])
  })

  test('holds the rest as pending when a part is reverted', () => {
    const [max, rest] = [pay(60n, 'confirmed'), pay(40n, 'confirmed')]
    const first = settle(fresh, [max, rest], early)
    const settled = settle(
      sessionAfter(fresh, first),
      [paymentAfter(max, first), paymentAfter(rest, first, { status: 'reverted' })],
      early,
    )
    expect(settled).toMatchObject({ status: 'pending', exception: 'underpaid', amountSettled: 60n })
    expect(moved(settled)).toEqual([
      [60n, 'available', 'pending'],
      [40n, 'available', 'none'],
    ])
  })

  test('is paid again by the same transfer in the new branch, after a full reversal', () => {
    const { session, payment } = paid()
    const reverted = settle(session, [payment({ status: 'reverted' })], early)
    const back = settle(
      sessionAfter(session, reverted),
      [paymentAfter(payment(), reverted, { status: 'confirmed', generation: 2 })],
      early,
    )
    expect(back).toMatchObject({ status: 'paid' })
    expect(types(back)).toEqual([
      'transaction.detected',
      'session.detected',
      'transaction.confirmed',
      'session.paid',
    ])
  })

  test('is not reversed if the transfer was back before settling; only the transfer is published again', () => {
    const { session, payment } = paid()
    const settled = settle(session, [payment({ generation: 2 })], early)
    // Its amount may have changed: the ledger is compared.
    expect(settled).toMatchObject({ status: 'paid', moves: [], recounted: [{ generation: 2 }] })
    expect(types(settled)).toEqual(['transaction.reverted', 'transaction.detected', 'transaction.confirmed'])
  })

  test('that was paid out stays so, and the ledger shows the missing money', () => {
    const { session, payment } = paid()
    const settled = settle({ ...session, status: 'paid_out' }, [payment({ status: 'reverted' })], over)
    expect(settled).toMatchObject({ status: 'paid_out', amountReceived: 0n, amountSettled: 0n })
    expect(moved(settled)).toEqual([[100n, 'available', 'none']])
    expect(types(settled)).toEqual(['transaction.reverted'])
  })
})

describe('settling without a change', () => {
  test('changes nothing', () => {
    const { session, payment } = paid()
    expect(settle(session, [payment()], early)).toMatchObject({
      status: 'paid',
      moves: [],
      recounted: [],
      events: [],
    })
  })

  test('a transfer that came and went between settlements is never published', () => {
    const settled = settle(fresh, [pay(100n, 'reverted')], early)
    expect(settled).toMatchObject({ status: 'pending', amountReceived: 0n, moves: [], events: [] })
  })
})
