import type { Chain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { decimalsOf, presentPayment } from './present.ts'
import { asSettled, readPayments } from './readPayments.ts'
import type { PaymentException } from './settle.ts'
import { type StoredSession, sessionColumns } from './storedSession.ts'

/** In the order of entries of the same time. */
const kinds = [
  'created',
  'payment_seen',
  'payment_confirmed',
  'payment_reverted',
  'paid',
  'expired',
  'cancelled',
  'payout_created',
  'payout_sent',
  'payout_completed',
  'payout_failed',
  'payout_cancelled',
  'refund_created',
  'refund_sent',
  'refund_completed',
  'refund_failed',
  'refund_cancelled',
] as const
export type TimelineKind = (typeof kinds)[number]

/** One thing that happened to a session. What its kind does not have is null. */
export interface TimelineEntry {
  kind: TimelineKind
  at: string
  chain: string | null
  token: string | null
  amount: string | null
  txId: string | null
  exception: Exclude<PaymentException | StoredSession['exception'], 'none'> | null
  outflowId: string | null
  reason: string | null
}

/**
 * What happened to a session, the oldest first. It is read from the session, its payments, payouts and
 * refunds, so it does not end with the retention of events. A payment that the chain took back and that came
 * again shows its last time.
 * @throws ApiError 404, also for a session of another business
 */
export async function sessionTimeline(
  ctx: { db: Db; chains: readonly Chain[] },
  businessId: string,
  id: string,
): Promise<TimelineEntry[]> {
  if (!isUuid(id)) throw notFound('Session')
  return ctx.db.snapshot(async (tx) => {
    const [session] = await tx.query<StoredSession>(
      `select ${sessionColumns} from pos_sessions where id = $1 and business_id = $2`,
      [id, businessId],
    )
    if (!session) throw notFound('Session')
    const entries = [
      ...ofSession(session),
      ...(await ofPayments(ctx, tx, session)),
      ...(await ofOutflows(ctx, tx, session)),
    ]
    const orderOf = (entry: TimelineEntry) => timeOf(entry, session.paidAt)
    return entries.sort((a, b) => orderOf(a) - orderOf(b) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  })
}

/** A payout is made in the transaction in which its session is paid, whose clocks differ by less. */
const sameMomentMs = 60_000

/** By which entries are ordered: an automatic payout comes after what it pays out. */
function timeOf({ kind, at }: TimelineEntry, paidAt: Date | null): number {
  const time = Date.parse(at)
  const paid = paidAt?.getTime() ?? 0
  return kind.startsWith('payout_') && time < paid && paid - time < sameMomentMs ? paid : time
}

const nothing = {
  chain: null,
  token: null,
  amount: null,
  txId: null,
  exception: null,
  outflowId: null,
  reason: null,
}

/** An entry where its time is known. */
const entryAt = (kind: TimelineKind, at: Date | null, more: Partial<TimelineEntry> = {}): TimelineEntry[] =>
  at === null ? [] : [{ ...nothing, ...more, kind, at: at.toISOString() }]

function ofSession({
  status,
  exception,
  createdAt,
  paidAt,
  expiresAt,
  cancelledAt,
}: StoredSession): TimelineEntry[] {
  return [
    ...entryAt('created', createdAt),
    ...entryAt('paid', paidAt, { exception: exception === 'overpaid' ? exception : null }),
    ...entryAt('expired', status === 'expired' ? expiresAt : null, {
      exception: exception === 'underpaid' ? exception : null,
    }),
    ...entryAt('cancelled', cancelledAt),
  ]
}

interface Times {
  id: string
  seenAt: Date
  confirmedAt: Date | null
  revertedAt: Date | null
}

async function ofPayments(
  { chains }: { chains: readonly Chain[] },
  tx: Queryable,
  session: StoredSession,
): Promise<TimelineEntry[]> {
  const payments = asSettled(await readPayments(tx, [session.id]))
  const times = await tx.query<Times>(
    `select id, seen_at as "seenAt", confirmed_at as "confirmedAt", reverted_at as "revertedAt" from detections
     where subject_id = $1 and business_id = $2`,
    [session.id, session.businessId],
  )
  return payments.flatMap((payment) => {
    const at = times.find((each) => each.id === payment.detectionId)
    if (!at) return []
    const { chain, token, amount, txId, exception } = presentPayment(session, payment, {
      chains,
      heights: new Map(),
    })
    const about = { chain, token, amount, txId, exception: exception === 'none' ? null : exception }
    return [
      ...entryAt('payment_seen', at.seenAt, about),
      ...entryAt('payment_confirmed', payment.status === 'confirmed' ? at.confirmedAt : null, about),
      ...entryAt('payment_reverted', payment.status === 'reverted' ? at.revertedAt : null, about),
    ]
  })
}

interface OutflowTimes {
  id: string
  kind: 'payout' | 'refund'
  status: string
  reason: string | null
  chain: string
  token: string
  amount: string
  createdAt: Date
  updatedAt: Date
  submittedAt: Date | null
  completedAt: Date | null
}

async function ofOutflows(
  { chains }: { chains: readonly Chain[] },
  tx: Queryable,
  session: StoredSession,
): Promise<TimelineEntry[]> {
  const rows = await tx.query<OutflowTimes>(
    `select id, kind, status, reason, chain, token, amount::text, created_at as "createdAt", updated_at as "updatedAt", submitted_at as "submittedAt",
       completed_at as "completedAt"
     from outflows where session_id = $1 and business_id = $2 and kind in ('payout', 'refund')`,
    [session.id, session.businessId],
  )
  return rows.flatMap(
    ({ id, kind, status, reason, chain, token, amount, createdAt, updatedAt, submittedAt, completedAt }) => {
      const about = {
        outflowId: id,
        chain,
        token,
        amount: formatUnits(BigInt(amount), decimalsOf({ chains }, chain, token)),
      }
      return [
        ...entryAt(`${kind}_created`, createdAt, about),
        ...entryAt(`${kind}_sent`, submittedAt, about),
        ...entryAt(`${kind}_completed`, completedAt, about),
        ...entryAt(`${kind}_failed`, status === 'failed' ? updatedAt : null, { ...about, reason }),
        ...entryAt(`${kind}_cancelled`, status === 'cancelled' ? updatedAt : null, { ...about, reason }),
      ]
    },
  )
}
