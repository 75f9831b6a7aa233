import { namedTransactions } from '../chains/namedTransactions.ts'
import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { readIntents } from '../txmgr/intents.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'

/**
 * Reads a transfer of the business by its id or by the hash of any of its signed transactions.
 * @throws ApiError 404, also for a transfer of another business
 */
export async function getTransfer(ctx: { db: Db }, businessId: string, name: string): Promise<TransferView> {
  const [row] = isUuid(name)
    ? await readIntents(ctx.db, "id = $1 and business_id = $2 and purpose = 'transfer'", [name, businessId])
    : await readIntents(
        ctx.db,
        `business_id = $2 and purpose = 'transfer' and id in (
           select t.intent_id from intent_attempts t, unnest($1::text[], $3::text[]) as named(tx_id, chain)
           where t.tx_id = named.tx_id and t.chain = named.chain) order by id desc limit 1`,
        [...named(name, businessId)],
      )
  if (!row) throw notFound('Transfer')
  return presentTransfer(row)
}

function named(text: string, businessId: string): [string[], string, string[]] {
  const found = namedTransactions(text)
  return [found.map(({ txId }) => txId), businessId, found.map(({ chain }) => chain)]
}
