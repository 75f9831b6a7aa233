import type { Tx } from '../platform/database/db.ts'
import type { Intent } from './intents.ts'

/** Much longer than a request takes from reading the next nonce to claiming it. */
const keepMinutes = 10

/**
 * Releases the nonces of a settled intent. A used one stays claimed for a while: a request that read the
 * chain before that block and claims after it would get the same nonce again. Older ones of the address are
 * deleted.
 * @param used the intent is in a block
 */
export async function releaseNonces(tx: Tx, { id, chain, action }: Intent, used: boolean): Promise<void> {
  if (!used) return void (await tx.query('delete from intent_nonces where intent_id = $1', [id]))
  await tx.query(
    `delete from intent_nonces s using intents o
     where s.chain = $1 and s.address = $2 and o.id = s.intent_id and o.next_reconcile_at is null and o.updated_at < now() - $3 * interval '1 minute'`,
    [chain, action.from, keepMinutes],
  )
}
