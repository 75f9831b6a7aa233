import type { Tx } from '../platform/db.ts'
import type { Outgoing } from './outgoing.ts'

/** Far longer than a request takes from the chain's word on an address to the claim of a sequence. */
const keepMinutes = 10

/**
 * Gives back the sequences of an intent that is settled. One that its transaction used stays claimed for a while: a request that asked the
 * chain before that block, and claims after it, would get the same one again. What the address has kept for longer is deleted.
 * @param used whether the intent is in a block
 */
export async function releaseSequences(tx: Tx, { id, chain, intent }: Outgoing, used: boolean): Promise<void> {
  if (!used) return void (await tx.query('delete from outgoing_sequences where outgoing_id = $1', [id]))
  await tx.query(
    `delete from outgoing_sequences s using outgoing o
     where s.chain = $1 and s.address = $2 and o.id = s.outgoing_id and o.next_look_at is null and o.updated_at < now() - $3 * interval '1 minute'`,
    [chain, intent.from, keepMinutes],
  )
}
