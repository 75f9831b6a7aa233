import type { Tx } from '../platform/db.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * What used the sequence of an intent that is in no block. `stranger`: a transaction that we never signed. Wallets speed up and cancel by
 * using a nonce again, so it may have paid the same; not so where it was there before ours (`earlier`). `perhaps ours`: one of ours that the
 * network refused has not been ruled out yet.
 */
export type SequenceUser = 'ours' | 'perhaps ours' | 'earlier' | 'stranger'

export async function sequenceUser(tx: Tx, { id, chain, intent }: Outgoing): Promise<SequenceUser> {
  const [others] = await tx.query<{ came: boolean | null; open: boolean | null }>(
    `select bool_or(o.block_height is not null and o.tx_id = t.tx_id) as came, bool_or(o.status = 'failed' and o.next_look_at is not null) as open
     from outgoing o join outgoing_transactions t on t.outgoing_id = o.id
     where o.chain = $2 and o.from_address = $3 and o.id <> $1 and t.sends > 0
       and t.sequence in (select sequence from outgoing_transactions where outgoing_id = $1 and void_at is null)`,
    [id, chain, intent.from],
  )
  if (others?.came) return 'ours'
  if (others?.open) return 'perhaps ours'
  const [own] = await tx.query<{ taken: boolean | null }>(
    'select bool_and(was_taken and accepted_at is null) as taken from outgoing_transactions where outgoing_id = $1 and void_at is null and sends > 0',
    [id],
  )
  return own?.taken ? 'earlier' : 'stranger'
}
