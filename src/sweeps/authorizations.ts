import type { Token } from '../chains/action.ts'
import type { Authorization } from '../chains/sweeping.ts'
import type { Queryable } from '../platform/database/db.ts'

/** A move that a holder may authorize. */
export interface AuthorizedMove {
  chain: string
  address: string
  token: Pick<Token, 'contract'>
  amount: bigint
}

/**
 * SQL: no sweep that is done has used the authorization `a`. One that was used in a final block can never be
 * used again.
 */
export const isUnused = `not exists (
  select 1 from sweeps u where u.chain = a.chain and u.address = a.from_address and u.contract = a.contract and u.amount = a.amount
    and u.payer = 'treasury' and u.status = 'done' and u.updated_at >= a.created_at)`

/**
 * The newest signed authorization of exactly this move, which may be over, and used by a sweep that is not
 * done; null if there is no such one.
 */
export async function newestAuthorization(
  db: Queryable,
  { chain, address, token, amount }: AuthorizedMove,
): Promise<Authorization | null> {
  const [row] = await db.query<Authorization>(
    `select a.nonce, a.valid_before as "validBefore", a.signature from sweep_authorizations a
     where a.chain = $1 and a.contract = $2 and a.from_address = $3 and a.amount = $4 and a.signature is not null and ${isUnused}
     order by a.created_at desc limit 1`,
    [chain, token.contract, address, amount.toString()],
  )
  return row ?? null
}
