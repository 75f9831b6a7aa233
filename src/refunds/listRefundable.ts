import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { givenBack, readRefunds } from '../sessions/readRefunds.ts'
import type { StoredSession } from '../sessions/storedSession.ts'
import { creditedPayments } from './creditedPayments.ts'

/** What can be refunded of one asset that came for a session. Decimals. */
export interface RefundableAsset {
  chain: string
  token: string
  /** What came, less what was refunded or is on its way back. */
  amount: string
  /** The part of it that the held excess and `available` cover now. */
  amountNow: string
}

type Refunded = Pick<StoredSession, 'id' | 'businessId' | 'status' | 'chain' | 'token' | 'amountHeld'>

/**
 * What can be refunded of a session that has ended, by asset. Only a refund decides: the balance may change
 * before.
 */
export async function listRefundable(db: Queryable, session: Refunded): Promise<RefundableAsset[]> {
  const { id, status } = session
  if (status === 'pending') return []
  const [payments, refunds] = [await creditedPayments(db, id), await readRefunds(db, [id])]
  const listed: RefundableAsset[] = []
  for (const { chain, token } of new Map(
    payments.map((payment) => [tokenAsset(payment.chain, payment.token), payment]),
  ).values()) {
    const came = payments.reduce(
      (sum, each) => sum + (each.chain === chain && each.token === token ? each.amount : 0n),
      0n,
    )
    const rest = came - givenBack({ chain, token }, refunds)
    if (rest <= 0n) continue
    const covered = await coveredNow(db, session, chain, token)
    const decimals = tokenDecimals(chain, token)
    listed.push({
      chain,
      token,
      amount: formatUnits(rest, decimals),
      amountNow: formatUnits(smallerOf(covered, rest), decimals),
    })
  }
  return listed
}

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * What a refund of an asset can take now: what is held of the session, and `available`. Where the business
 * owes, that is 0.
 */
export async function coveredNow(
  db: Queryable,
  session: Omit<Refunded, 'id' | 'status'>,
  chain: string,
  token: string,
): Promise<bigint> {
  const { businessId, amountHeld } = session
  const held = chain === session.chain && token === session.token ? BigInt(amountHeld) : 0n
  return held + (await balanceOf(db, { name: 'available', businessId, asset: tokenAsset(chain, token) }))
}
