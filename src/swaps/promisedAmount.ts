import type { Queryable } from '../platform/database/db.ts'

/** The largest allowance. */
const all = 2n ** 256n - 1n

/**
 * Base units of a token that swaps of an address may still take of its allowance: those that are not over.
 * One with an approval of its own replaces the allowance by what it sells, and leaves nothing. All businesses
 * count, because an allowance is the address's own. A swap that is in a block but not confirmed counts, too:
 * then one approval more is sent than needed.
 * @param token normal form
 */
export async function promisedAmount(
  db: Queryable,
  chain: string,
  from: string,
  token: string,
): Promise<bigint> {
  const [found] = await db.query<{ sold: string; isReplaced: boolean }>(
    `select coalesce(sum(s.sell_amount), 0)::text as sold, coalesce(bool_or(s.approvals <> '{}'), false) as "isReplaced"
     from swaps s join intents i on i.id = s.id
     where i.chain = $1 and i.from_address = $2 and s.sell_token = $3
       and i.next_reconcile_at is not null and i.status not in ('confirmed', 'failed', 'expired')`,
    [chain, from, token],
  )
  return found?.isReplaced ? all : BigInt(found?.sold ?? 0)
}
