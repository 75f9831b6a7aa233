import { formatUnits } from '../money/amount.ts'
import { csvLine } from '../platform/csv.ts'
import type { ModelTx } from '../platform/database/modelDb.ts'
import { encodeCursor } from '../platform/pages.ts'
import {
  type Matching,
  matchingSessions,
  readSessions,
  type SessionFilter,
  type SessionsContext,
} from './listSessions.ts'
import { decimalsOf, type SessionView } from './present.ts'

const columns = [
  'session',
  'created',
  'reference',
  'label',
  'status',
  'exception',
  'chain',
  'token',
  'amount_requested',
  'amount_received',
  'amount_refunded',
  'local_amount',
  'local_currency',
  'rate',
  'fee',
  'fee_currency',
  'paid',
  'address',
  'memo',
  'transactions',
  'payouts',
  'payout_amount',
  'payout_status',
  'payment_link',
] as const

/** Sessions read at a time. */
const batch = 500

/** What a long answer does between two pieces. */
interface Progress {
  /** Aborted when the caller has gone or the process stops: the file then stays unfinished. */
  signal: AbortSignal
  /** @throws ApiError where the caller has lost its right */
  confirm(): Promise<void>
  goesOn(rows: number): Promise<void>
}

/**
 * All sessions of a filter as CSV (RFC 4180), a line each. Each piece is read when the one before has left;
 * no transaction stays open.
 * @throws ApiError 400 naming a field, with the first piece
 */
export async function* sessionsCsv(
  ctx: SessionsContext,
  businessId: string,
  filter: SessionFilter,
  sort: 'ASC' | 'DESC',
  { signal, confirm, goesOn }: Progress,
): AsyncGenerator<{ body: object; text: string }, void, undefined> {
  let head = csvLine(columns)
  let cursor: string | undefined
  let total = 0
  let matching: Matching | undefined
  for (;;) {
    const request = { page: 1, limit: batch, sort, ...(cursor && { cursor }) }
    const { sessions, payouts } = await ctx.db.snapshot(async (tx) => {
      matching ??= await matchingSessions(ctx, tx, businessId, filter)
      const sessions = await readSessions(ctx, tx, matching, request)
      return { sessions, payouts: await readPayouts(ctx, tx, businessId, sessions) }
    })
    total += sessions.length
    const last = sessions.length === batch ? sessions.at(-1) : undefined
    cursor = last && encodeCursor(last.id)
    const body = { sessions, total, page: 1, limit: batch, totalPages: 1, nextCursor: cursor ?? null }
    yield { body, text: head + sessions.map((each) => lineOf(each, payouts.get(each.id) ?? [])).join('') }
    if (cursor === undefined) return
    head = ''
    signal.throwIfAborted()
    await goesOn(sessions.length)
    await confirm()
  }
}

interface SessionPayout {
  id: string
  status: string
  amount: string
}

/** The automatic payouts of these sessions. */
async function readPayouts(
  ctx: Pick<SessionsContext, 'chains'>,
  tx: ModelTx,
  businessId: string,
  sessions: readonly SessionView[],
): Promise<Map<string, SessionPayout[]>> {
  const rows = await tx.query<SessionPayout & { sessionId: string; chain: string; token: string }>(
    `select id, session_id as "sessionId", status, chain, token, amount::text from outflows
     where session_id = any($1::uuid[]) and business_id = $2 and kind = 'payout' order by id`,
    [sessions.map(({ id }) => id), businessId],
  )
  const payouts = new Map<string, SessionPayout[]>()
  for (const { sessionId, chain, token, ...payout } of rows) {
    const amount = formatUnits(BigInt(payout.amount), decimalsOf(ctx, chain, token))
    payouts.set(sessionId, [...(payouts.get(sessionId) ?? []), { ...payout, amount }])
  }
  return payouts
}

const number = (value: string | null) => (value === null ? null : { number: value })
const list = (values: readonly string[]) => (values.length === 0 ? null : values.join(' '))

const lineOf = (session: SessionView, payouts: readonly SessionPayout[]): string =>
  csvLine([
    session.id,
    session.createdAt,
    session.reference,
    session.label,
    session.status,
    session.exception,
    session.chain,
    session.token,
    number(session.amountExpected),
    number(session.amountReceived),
    number(session.amountRefunded),
    number(session.localAmount),
    session.localCurrency,
    number(session.rate),
    number(session.fee),
    session.feeCurrency,
    session.paidAt,
    session.address,
    session.memo ?? null,
    list(session.payments.filter(({ status }) => status !== 'reverted').map(({ txId }) => txId)),
    list(payouts.map(({ id }) => id)),
    payouts.length === 1 ? number(payouts[0]?.amount ?? null) : list(payouts.map(({ amount }) => amount)),
    list(payouts.map(({ status }) => status)),
    session.linkId ?? null,
  ])
