/**
 * The books of one business, counted by hand: it shares no code with the ledger, and knows no accounts but
 * these sums.
 */

export type Token = 'USDC' | 'USDT'
const tokens: readonly Token[] = ['USDC', 'USDT']

interface Payment {
  id: string
  token: Token
  amount: bigint
  isLate: boolean
  state: 'seen' | 'confirmed' | 'gone'
}

export interface Session {
  id: string
  address: string
  expected: bigint
  status: 'pending' | 'paid' | 'paid_out' | 'expired' | 'cancelled'
  isOver: boolean
  payments: Payment[]
  /** Confirmed money as of the last settlement. */
  counted: { token: Token; amount: bigint; isPending: boolean }[]
  /** What was confirmed in time, as of then. */
  settled: bigint
  /** Of that: more than was requested, which waits. */
  excess: bigint
  /** What the business keeps of it where an excess was accepted, or its time was over. */
  credited: bigint
  /** What was confirmed of all stablecoins when it was accepted. */
  accepted: bigint | null
}

export interface Payout {
  id: string
  kind: 'payout' | 'refund'
  /** Of an automatic one. */
  sessionId: string | null
  /** The session whose payments a refund gives back; null: no session. */
  refundOf: string | null
  amount: bigint
  fee: bigint
  margin: bigint
  rounding: bigint
  /**
   * `here`: to a wallet on ethereum; a wallet on bsc has 12 decimals more; what the partner takes of a bank
   * payout is known at its end.
   */
  to: 'here' | 'bsc' | 'bank'
  /**
   * What the bank gets by the present price, and by the one that was agreed to, in whole units; null: not
   * priced, or no bank.
   */
  local: bigint | null
  agreed: bigint | null
  /** Millionths of a dollar; `back` is what the partner gave back of it. */
  cost: bigint
  back: bigint
  isElsewhere: boolean
  state: 'held' | 'sent' | 'posted' | 'released' | 'returned' | 'returned by its bank'
}

export interface Model {
  sessions: Session[]
  payouts: Payout[]
  /** Where autopayout goes; null: it is off. Its fee is a tenth, rounded up. */
  autopayout: Payout['to'] | null
}

/** What waits of so much, with these refunds. */
function excessOf({ expected, credited, settled }: Session, refunded: bigint): bigint {
  const above = larger(credited, expected) + refunded
  return settled > above ? settled - above : 0n
}

/** An excess becomes the business's: all that did not go back. */
export function credit(model: Model, session: Session): void {
  session.credited = larger(session.credited, session.settled - total(refundsOf(model, session)))
}

/** A refund takes the excess first. @returns what the business itself has to have for it */
export function taken(model: Model, session: Session, amount: bigint): { stays: bigint; own: bigint } {
  const stays = excessOf(session, total(refundsOf(model, session)) + amount)
  const released = session.excess > stays ? session.excess - stays : 0n
  return { stays: released > 0n ? stays : session.excess, own: amount - released }
}

const confirmedOf = ({ payments }: Session, is: (payment: Payment) => boolean): bigint =>
  payments
    .filter((each) => each.state === 'confirmed' && is(each))
    .reduce((sum, { amount }) => sum + amount, 0n)

export const worthOf = (session: Session): bigint => confirmedOf(session, () => true)

/** @returns what is confirmed and came in time */
function countAgain(session: Session, isPaidOut: boolean, refunded: bigint): bigint {
  const inTime = session.payments.filter(({ token, isLate }) => token === 'USDC' && !isLate)
  const confirmed = inTime
    .filter(({ state }) => state === 'confirmed')
    .reduce((sum, { amount }) => sum + amount, 0n)
  const waits = inTime.some(({ state }) => state === 'seen')
  if (session.status !== 'cancelled' && session.status !== 'paid_out') {
    const isAccepted = session.accepted !== null && worthOf(session) >= session.accepted
    if (confirmed >= session.expected || isAccepted) session.status = isPaidOut ? 'paid_out' : 'paid'
    else if (session.status !== 'expired') session.status = session.isOver && !waits ? 'expired' : 'pending'
  }
  session.counted = session.payments
    .filter(({ state }) => state === 'confirmed')
    .map(({ token, amount }) => ({ token, amount, isPending: session.status === 'pending' }))
  session.settled = confirmed
  session.excess =
    session.status === 'paid' || session.status === 'paid_out' ? excessOf(session, refunded) : 0n
  return confirmed
}

/** What came of a session in its token, late money included. */
export const cameOf = ({ payments }: Session): bigint =>
  payments.reduce(
    (sum, { token, state, amount }) => sum + (token === 'USDC' && state === 'confirmed' ? amount : 0n),
    0n,
  )

const refundsOf = ({ payouts }: Model, { id }: Session): Payout[] =>
  payouts.filter((payout) => payout.refundOf === id && left(payout))
const total = (of: readonly Payout[]): bigint => of.reduce((sum, { amount }) => sum + amount, 0n)

/** Refunds that have not left go back, the newest first, where a fork took away too much for all of them. */
function endRefunds(model: Model, session: Session): void {
  for (const refund of refundsOf(model, session).toReversed())
    if (refund.state === 'held' && total(refundsOf(model, session)) > cameOf(session))
      refund.state = 'released'
}

/**
 * What a worker that settles the session now must find, and what it does with the automatic payout.
 * @param isRestored nothing is given back
 * @returns what happened to that
 */
export function settled(
  model: Model,
  session: Session,
  isRestored = false,
): 'made' | 'cancelled' | 'replaced' | 'skipped' | null {
  const before = session.status
  const payout = model.payouts.find(({ sessionId, state }) => sessionId === session.id && !isBack(state))
  if (!isRestored) endRefunds(model, session)
  const refunded = total(refundsOf(model, session))
  const confirmed = countAgain(session, payout?.state === 'posted', refunded)
  const isEnough = confirmed >= session.expected
  const came = isEnough ? confirmed : confirmedOf(session, ({ token }) => token === 'USDC')
  const stops = !isRestored && payout?.state === 'held' && (session.status !== 'paid' || came < payout.amount)
  if (stops) payout.state = 'released'
  const begins = session.status === 'paid' && (stops || (!payout && before !== 'paid'))
  if (!begins || model.autopayout === null) return stops ? 'cancelled' : null
  const there = position(model, 'USDC')
  const amount = smaller(there, isEnough ? smaller(session.expected, came - refunded) : came - refunded)
  const isBank = model.autopayout === 'bank'
  const fee = isBank ? 0n : (amount + 9n) / 10n
  if (amount <= fee) return 'skipped'
  const kept = { margin: 0n, rounding: 0n, local: null, agreed: null, cost: 0n, back: 0n } as const
  const more = { refundOf: null, ...kept, isElsewhere: false, state: 'held' } as const
  model.payouts.push({
    id: '',
    kind: 'payout',
    sessionId: session.id,
    amount,
    fee,
    to: model.autopayout,
    ...more,
  })
  return stops ? 'replaced' : 'made'
}

/** Nothing of it is held, or has left for good. */
export const isBack = (state: Payout['state']): boolean =>
  state === 'released' || state === 'returned' || state === 'returned by its bank'

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const left = ({ state }: Payout) => state === 'held' || state === 'sent' || state === 'posted'

/** Of what a bank returned, the business has paid what the platform keeps. */
function takenBy(payout: Payout): bigint {
  const { state, fee, margin, rounding } = payout
  if (state === 'returned by its bank') return fee + margin + rounding
  return left(payout) ? payout.amount : 0n
}

/** What the business can use; negative where it owes. Payouts are in USDC. */
export function position({ sessions, payouts }: Pick<Model, 'sessions' | 'payouts'>, token: Token): bigint {
  const usable = sessions
    .flatMap(({ counted }) => counted)
    .filter((each) => each.token === token && !each.isPending)
  const taken = token === 'USDC' ? payouts.reduce((sum, payout) => sum + takenBy(payout), 0n) : 0n
  const waits = token === 'USDC' ? sessions.reduce((sum, { excess }) => sum + excess, 0n) : 0n
  return usable.reduce((sum, { amount }) => sum + amount, 0n) - taken - waits
}

/** Every sum that the books must show, by `<what> <token>`; without zeros. */
export function sums(model: Model): Map<string, bigint> {
  const all = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => all.set(key, (all.get(key) ?? 0n) + amount)
  for (const token of tokens) {
    const at = position(model, token)
    add(`${at < 0n ? 'receivable' : 'available'} ${token}`, at < 0n ? -at : at)
  }
  for (const { token, amount, isPending } of model.sessions.flatMap(({ counted }) => counted)) {
    add(`deposits:ethereum ${token}`, amount)
    if (isPending) add(`pending ${token}`, amount)
  }
  for (const { excess } of model.sessions) add('pending USDC', excess)
  for (const payout of model.payouts) {
    if (payout.state === 'held' || payout.state === 'sent') add('payouts_held USDC', payout.amount)
    if (payout.state === 'posted') addPosted(payout, add)
    if (payout.state === 'returned by its bank') addReturned(payout, add)
  }
  return new Map([...all].filter(([, amount]) => amount !== 0n))
}

/** The partner keeps its fee, which is lost, and the platform what it earned. */
function addReturned(
  { fee, margin, rounding, cost, back }: Payout,
  add: (key: string, amount: bigint) => void,
): void {
  add('fees USDC', fee)
  add('fx_margin USDC', margin)
  add('rounding USDC', rounding)
  add('fx_result USD', back - cost)
  add('partner:yellowcard USD', back - cost)
}

function addPosted(
  { amount, fee, margin, rounding, to, cost, isElsewhere }: Payout,
  add: (key: string, amount: bigint) => void,
): void {
  const rest = amount - fee - margin - rounding
  add('fees USDC', fee)
  add('fx_margin USDC', margin)
  add('rounding USDC', rounding)
  if (isElsewhere) {
    add('capital USDC', rest)
  } else if (to === 'here') {
    add('treasury:ethereum USDC', -rest)
  } else if (to === 'bsc') {
    add('exchange USDC', rest)
    const there = rest * 1_000_000_000_000n
    add('exchange bsc:USDC', -there)
    add('treasury:bsc bsc:USDC', -there)
  } else {
    add('exchange USDC', rest)
    // A base unit of USDC is a millionth of a dollar: what the partner takes more is lost.
    add('exchange USD', -rest)
    add('fx_result USD', rest - cost)
    add('partner:yellowcard USD', -cost)
  }
}
