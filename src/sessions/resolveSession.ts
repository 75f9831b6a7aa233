import type { Chain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { confirmedWorth } from './accepted.ts'
import type { AutomaticPayoutContext } from './automaticPayout.ts'
import { creditExcess } from './excess.ts'
import { decimalsOf, type SessionView } from './present.ts'
import { readPayments } from './readPayments.ts'
import { givenBack, readRefundsOf } from './readRefunds.ts'
import { settleLocked } from './settleSession.ts'
import { lockOwnSession, type StoredSession } from './storedSession.ts'

type Resolved = { resolution: StoredSession['resolution']; accepted?: string }

/**
 * Records a person's decision about money that came otherwise than expected. `accept` makes the session paid
 * with what is confirmed now, and gives the business an excess that is held; `leave` changes nothing but that
 * it was decided.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `session_paid`, `session_cancelled`, `nothing_confirmed`; of `leave`
 * `session_pending`, `session_accepted`,
 *   `nothing_to_resolve`
 */
export async function resolveSession(
  ctx: AutomaticPayoutContext & { db: Db },
  businessId: string,
  id: string,
  resolution: 'accept' | 'leave',
  also: (tx: Tx, result: { view: SessionView; before: Resolved; after: Resolved }) => Promise<void>,
): Promise<SessionView> {
  if (!isUuid(id)) throw notFound('Session')
  return ctx.db.tx(async (tx) => {
    const session = await lockOwnSession(tx, businessId, id)
    if (!session) throw notFound('Session')
    const before = resolvedOf(ctx, session)
    if (resolution === 'accept') await accept(ctx, tx, session)
    else leave(session)
    await tx.query(
      'update pos_sessions set resolution = $2, amount_accepted = $3, amount_credited = $4 where id = $1',
      [id, session.resolution, session.amountAccepted, session.amountCredited],
    )
    const { view } = await settleLocked(ctx, tx, session)
    await also(tx, { view, before, after: resolvedOf(ctx, session) })
    return view
  })
}

function resolvedOf(
  ctx: { chains: readonly Chain[] },
  { resolution, amountAccepted, chain, token }: StoredSession,
): Resolved {
  return {
    resolution,
    ...(amountAccepted !== null && {
      accepted: formatUnits(BigInt(amountAccepted), decimalsOf(ctx, chain, token)),
    }),
  }
}

async function accept(ctx: { chains: readonly Chain[] }, tx: Tx, session: StoredSession): Promise<void> {
  const isPaid = session.status === 'paid' || session.status === 'paid_out'
  if (isPaid && session.amountHeld === '0') throw new ApiError(409, 'session_paid', 'The session is paid')
  if (session.status === 'cancelled')
    throw new ApiError(
      409,
      'session_cancelled',
      'The session was cancelled, which is final: refund what came, or leave it',
    )
  const worth = confirmedWorth(ctx, session, await readPayments(tx, [session.id]))
  if (worth === 0n)
    throw new ApiError(
      409,
      'nothing_confirmed',
      'Nothing that can be accepted is confirmed: USDC or USDT on one of the chains',
    )
  if (isPaid) creditExcess(session, givenBack(session, await readRefundsOf(tx, session.id)))
  session.resolution = 'accepted'
  session.amountAccepted = worth.toString()
}

function leave(session: StoredSession): void {
  if (session.status === 'pending')
    throw new ApiError(409, 'session_pending', 'The session still waits for its payment')
  if (session.resolution === 'accepted' && session.status !== 'expired')
    throw new ApiError(409, 'session_accepted', 'What came was accepted: the session is paid with it')
  if (session.exception === 'none')
    throw new ApiError(409, 'nothing_to_resolve', 'Everything came as expected')
  session.resolution = 'left'
  session.amountAccepted = null
}
