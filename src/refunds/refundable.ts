import { requireAmount } from '../chains/requireAmount.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { formatUnits } from '../money/amount.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { RefundKind } from '../sessions/readRefunds.ts'
import { givenBack, readRefunds } from '../sessions/readRefunds.ts'
import type { StoredSession } from '../sessions/storedSession.ts'
import { creditedPayments } from './creditedPayments.ts'

/** Refunds of one session, of any state. */
const maxRefunds = 100

/** The amount of a request: one of the two. */
export interface WantedAmount {
  kind?: Exclude<RefundKind, 'amount'>
  /** Whole units. */
  amount?: string
}

/**
 * The amount of a refund in base units. The session is locked, so that concurrent refunds do not exceed
 * together what came.
 * @throws ApiError 400 naming `amount` or `kind`; 409 `too_many_refunds`; 422 `amount_exceeds_rest`,
 * `nothing_to_refund`
 */
export async function refundableAmount(
  tx: Tx,
  session: StoredSession,
  { chain, token }: { chain: string; token: string },
  wanted: WantedAmount,
): Promise<bigint> {
  const decimals = tokenDecimals(chain, token)
  const asked = wanted.amount === undefined ? null : requireAmount(wanted.amount, decimals, 'amount')
  const isOwn = chain === session.chain && token === session.token
  if (wanted.kind === 'excess' && !isOwn)
    throw invalidBody({
      field: 'kind',
      message: `excess is in ${session.token} on ${session.chain}: of other assets nothing was expected`,
      code: 'not_possible',
    })
  const came = await cameTo(tx, session.id, chain, token)
  const refunds = await readRefunds(tx, [session.id])
  if (refunds.length >= maxRefunds)
    throw new ApiError(409, 'too_many_refunds', `A session can have ${maxRefunds} refunds`)
  const rest = came - givenBack({ chain, token }, refunds)
  const amount = asked ?? byKind(wanted.kind ?? 'rest', came, rest, BigInt(session.amountExpected))
  const field = asked === null ? 'kind' : 'amount'
  if (amount > 0n && amount <= rest) return amount
  const [error, message] =
    amount <= 0n
      ? ['nothing_to_refund', `no ${token} on ${chain} is left to refund`]
      : [
          'amount_exceeds_rest',
          `only ${formatUnits(rest < 0n ? 0n : rest, decimals)} ${token} on ${chain} can be refunded`,
        ]
  throw new ApiError(422, error, `${field}: ${message}`, { fields: [{ field, message }] })
}

function byKind(kind: Exclude<RefundKind, 'amount'>, came: bigint, rest: bigint, expected: bigint): bigint {
  if (kind === 'whole') return came
  return kind === 'rest' ? rest : rest - expected
}

/** The sum of an asset that came. */
const cameTo = async (tx: Tx, sessionId: string, chain: string, token: string): Promise<bigint> =>
  (await creditedPayments(tx, sessionId))
    .filter((payment) => payment.chain === chain && payment.token === token)
    .reduce((sum, { amount }) => sum + amount, 0n)
