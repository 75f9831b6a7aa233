import type { Tx } from '../../platform/database/db.ts'
import { announce } from '../announce.ts'
import { lockParts, type Stake } from '../storedStake.ts'
import { partsOf } from './nativeParts.ts'
import { readMovesOfRoot } from './stakeMoves.ts'

/**
 * Stores what the splits of a native stake make of its parts. A rest that was never split off ends, with the
 * event that its id was promised; if the split succeeds after all, it goes on.
 * @returns its parts, locked, as they are now
 */
export async function settleParts(tx: Tx, rootId: string): Promise<Stake[]> {
  const parts = await lockParts(tx, rootId)
  const root = parts.find(({ id }) => id === rootId)
  if (!root) return parts
  const wanted = partsOf(root, await readMovesOfRoot(tx, rootId))
  const changed = parts.filter((part) => {
    const next = wanted.get(part.id)
    return (
      next &&
      (next.amount !== part.amount ||
        next.reason !== part.reason ||
        next.confirmedAt?.getTime() !== part.confirmedAt?.getTime())
    )
  })
  for (const { id } of changed) {
    const { amount, reason = null, confirmedAt = null } = wanted.get(id) ?? {}
    await tx.query(
      `update stakes set amount = $2, reason = $3, confirmed_at = $4, updated_at = now(),
         next_at = case when $3::text is null then now() end,
         status = case when $3::text is not null then 'withdrawn' when reason is null then status
           when unstaked_at is null then 'active' else 'unstaking' end,
         withdrawn_at = case when $3::text is not null then coalesce(withdrawn_at, now()) when reason is null then withdrawn_at end
       where id = $1`,
      [id, String(amount), reason, confirmedAt],
    )
  }
  if (changed.length === 0) return parts
  const now = await lockParts(tx, rootId)
  const ids = new Set(changed.map(({ id }) => id))
  const isNews = ({ id, reason, confirmedAt, announced }: Stake) =>
    ids.has(id) && id !== rootId && (reason !== null || (confirmedAt !== null && announced === 'withdrawn'))
  for (const part of now.filter(isNews)) await announce(tx, part, [part.status])
  return now
}
