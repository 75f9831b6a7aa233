/** The books of one business, counted by hand: it shares no code with the ledger, and knows no accounts but these sums. */

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
}

export interface Payout {
  id: string
  kind: 'payout' | 'refund'
  amount: bigint
  fee: bigint
  state: 'held' | 'posted' | 'released' | 'returned'
  /** The entry that posted it. */
  entry: string
}

export interface Model {
  sessions: Session[]
  payouts: Payout[]
}

/** What a worker that settles the session now must find. */
export function settled(session: Session): void {
  const inTime = session.payments.filter(({ token, isLate }) => token === 'USDC' && !isLate)
  const confirmed = inTime.filter(({ state }) => state === 'confirmed').reduce((sum, { amount }) => sum + amount, 0n)
  const waits = inTime.some(({ state }) => state === 'seen')
  if (session.status !== 'cancelled' && session.status !== 'paid_out') {
    if (confirmed >= session.expected) session.status = 'paid'
    else if (session.status !== 'expired') session.status = session.isOver && !waits ? 'expired' : 'pending'
  }
  session.counted = session.payments
    .filter(({ state }) => state === 'confirmed')
    .map(({ token, amount }) => ({ token, amount, isPending: session.status === 'pending' }))
}

const left = ({ state }: Payout) => state === 'held' || state === 'posted'

/** What the business can use; negative where it owes. Payouts are in USDC. */
export function position({ sessions, payouts }: Model, token: Token): bigint {
  const usable = sessions.flatMap(({ counted }) => counted).filter((each) => each.token === token && !each.isPending)
  const taken = token === 'USDC' ? payouts.filter(left).reduce((sum, { amount }) => sum + amount, 0n) : 0n
  return usable.reduce((sum, { amount }) => sum + amount, 0n) - taken
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
  for (const { state, kind, amount, fee } of model.payouts) {
    if (state === 'held') add('payouts_held USDC', amount)
    if (state !== 'posted') continue
    add(`${kind === 'payout' ? 'treasury' : 'deposits'}:ethereum USDC`, fee - amount)
    add('fees USDC', fee)
  }
  return new Map([...all].filter(([, amount]) => amount !== 0n))
}
