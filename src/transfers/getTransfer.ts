import { namedTransactions } from '../chains/namedTransactions.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { readIntents } from '../txmgr/intents.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

/**
 * Reads a transfer of the business by its id or by the hash of any of its signed transactions.
 * @throws ApiError 404, also for a transfer of another business
 */
export async function getTransfer(ctx: { db: Db }, businessId: string, name: string): Promise<TransferView> {
  const ids = isUuid(name) ? [name] : await signedFor(ctx.db, name)
  const [row] = await readIntents(
    ctx.db,
    "id = any($1::uuid[]) and business_id = $2 and purpose = 'transfer' order by id desc limit 1",
    [ids, businessId],
  )
  if (!row) throw notFound('Transfer')
  return presentTransfer(row)
}

/** The intents of any business that a transaction with this hash was signed for: one a chain. */
export async function signedFor(db: Queryable, hash: string): Promise<string[]> {
  const named = namedTransactions(hash)
  if (named.length === 0) return []
  const rows = await db.query<{ id: string }>(
    `select t.intent_id as id from intent_attempts t, unnest($1::text[], $2::text[]) as named(tx_id, chain)
     where t.tx_id = named.tx_id and t.chain = named.chain`,
    [named.map(({ txId }) => txId), named.map(({ chain }) => chain)],
  )
  return rows.map(({ id }) => id)
}
