import type { LeaderContext } from './context.ts'
import { type Cursor, FencedError, idleGuard } from './cursor.ts'

/**
 * Records that the chain calls a committed height final, if the branch that the providers were compared with
 * is still the one that is stored: a fork may have been resolved since, and then other blocks have these
 * heights.
 * @param branch the cursor at the comparison
 * @returns whether it was recorded
 * @throws FencedError when this process no longer leads
 */
export function recordFinalized(
  { db, chain, epoch }: LeaderContext,
  finalized: number,
  branch: Cursor,
): Promise<boolean> {
  return db.tx(async (tx) => {
    // A statement of its own: the next one must see what a rewind committed while this one waited for the
    // lock.
    const [lead] = await tx.query(
      `select ${idleGuard} from chain_cursors where chain = $1 and epoch = $2 for update`,
      [chain.name, epoch.toString()],
    )
    if (!lead) throw new FencedError(chain.name)
    const recorded = await tx.query(
      `update chain_cursors set finalized_height = greatest(finalized_height, $2::bigint) where chain = $1 and $2::bigint <= $3::bigint
         and exists (select 1 from blocks where chain = $1 and height = $3 and id = $4 and canonical) returning chain`,
      [chain.name, finalized, branch.height, branch.id],
    )
    return recorded.length > 0
  })
}
