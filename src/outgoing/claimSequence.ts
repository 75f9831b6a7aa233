import type { Tx } from '../platform/db.ts'

/** More than any address has waiting: a loop that does not end is worse than a refusal. */
const maxTries = 1000

/**
 * Gives an intent the lowest free sequence of its address. Who else asks at the same time waits for this transaction's end and gets
 * another one; one that rolls back leaves no gap.
 * @param from the lowest that the chain allows: behind all that it knows of the address, which may be used elsewhere too
 */
export async function claimSequence(tx: Tx, owner: { chain: string; address: string; outgoingId: string }, from: bigint): Promise<bigint> {
  const { chain, address, outgoingId } = owner
  for (let tries = 0; tries < maxTries; tries++) {
    const [claimed] = await tx.query<{ sequence: string }>(
      `with taken as (select sequence from outgoing_sequences where chain = $1 and address = $2 and sequence >= $3)
       insert into outgoing_sequences (chain, address, sequence, outgoing_id)
       select $1, $2, min(free), $4
       from (select $3::numeric as free union all select sequence + 1 from taken) as candidates
       where not exists (select 1 from taken where sequence = free)
       on conflict do nothing returning sequence`,
      [chain, address, from.toString(), outgoingId],
    )
    if (claimed) return BigInt(claimed.sequence)
  }
  throw new Error(`no free sequence for ${address} on ${chain} from ${from} on`)
}
