import { namedTransactions } from '../chains/namedTransactions.ts'
import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { presentSwap, type SwapView } from './presentSwap.ts'
import { readSwaps } from './storedSwap.ts'

/**
 * Reads a swap of the business by its id or by the hash of any transaction that was signed for it, also of
 * its approvals.
 * @throws ApiError 404, also for a swap of another business
 */
export async function getSwap(ctx: { db: Db }, businessId: string, name: string): Promise<SwapView> {
  const id = isUuid(name) ? name : await idByHash(ctx.db, businessId, name)
  const [stored] = id === null ? [] : await readSwaps(ctx.db, businessId, [id])
  if (!stored) throw notFound('Swap')
  return presentSwap(stored)
}

/**
 * Finds the attempts first, by their hashes: a list of ids, unlike a subquery, lets both indexes of `swaps`
 * be used.
 */
async function idByHash(db: Db, businessId: string, text: string): Promise<string | null> {
  const named = namedTransactions(text)
  const [found] = await db.query<{ id: string }>(
    `with named as materialized (
       select coalesce(array_agg(t.intent_id), '{}') as ids from intent_attempts t, unnest($2::text[], $3::text[]) as named(tx_id, chain)
       where t.tx_id = named.tx_id and t.chain = named.chain)
     select id from swaps where business_id = $1 and (id = any((select ids from named)::uuid[]) or approvals && (select ids from named))
     order by id desc limit 1`,
    [businessId, named.map(({ txId }) => txId), named.map(({ chain }) => chain)],
  )
  return found?.id ?? null
}
