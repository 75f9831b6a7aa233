import type { Token } from '../chains/action.ts'
import type { Authorization } from '../chains/sweeping.ts'
import type { Queryable } from '../platform/db.ts'

/** A move that a holder may authorize. */
export interface AuthorizedMove {
  chain: string
  address: string
  token: Pick<Token, 'contract'>
  amount: bigint
}

/** The newest signed authorization of exactly this move, which may be used or over; null if there is none. */
export async function newestAuthorization(db: Queryable, { chain, address, token, amount }: AuthorizedMove): Promise<Authorization | null> {
  const [row] = await db.query<Authorization>(
    `select nonce, valid_before as "validBefore", signature from sweep_authorizations
     where chain = $1 and contract = $2 and from_address = $3 and amount = $4 and signature is not null order by created_at desc limit 1`,
    [chain, token.contract, address, amount.toString()],
  )
  return row ?? null
}
