import type { Tx } from '../platform/database/db.ts'
import type { Intent } from './intents.ts'

/**
 * The transaction that used the nonce of an intent that is in no block. `ours`: another intent. `unknown`:
 * one that the platform never signed; wallets speed up and cancel by using a nonce again, so it may be the
 * same payment. `earlier`: the same, but it was there before this one. `perhaps ours`: an intent that the
 * network refused, and that may still be mined.
 */
export type NonceUser = 'ours' | 'perhaps ours' | 'earlier' | 'unknown'

export async function nonceUser(tx: Tx, { id, chain, action }: Intent): Promise<NonceUser> {
  const [others] = await tx.query<{ came: boolean | null; open: boolean | null }>(
    `select bool_or(o.block_height is not null and o.tx_id = t.tx_id) as came, bool_or(o.status = 'failed' and o.next_reconcile_at is not null) as open
     from intents o join intent_attempts t on t.intent_id = o.id
     where o.chain = $2 and o.from_address = $3 and o.id <> $1 and t.sends > 0
       and t.nonce in (select nonce from intent_attempts where intent_id = $1 and void_at is null)`,
    [id, chain, action.from],
  )
  if (others?.came) return 'ours'
  if (others?.open) return 'perhaps ours'
  const [own] = await tx.query<{ taken: boolean | null }>(
    'select bool_and(was_taken and accepted_at is null) as taken from intent_attempts where intent_id = $1 and void_at is null and sends > 0',
    [id],
  )
  return own?.taken ? 'earlier' : 'unknown'
}
