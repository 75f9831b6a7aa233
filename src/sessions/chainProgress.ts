import { type Chain, staleAfterMs } from '../chains/registry.ts'
import type { Queryable } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'

/** The time of the newest block that was read, by chain; null where it is not known any more. A chain of which nothing was read has none. */
export type ChainProgress = ReadonlyMap<string, Date | null>

/** @param chain the only one that is looked up */
export async function readProgress(db: Queryable, chain: string | null = null): Promise<ChainProgress> {
  const rows = await db.query<{ chain: string; time: Date | null }>(
    `select c.chain, b.time from chain_cursors c left join blocks b on b.chain = c.chain and b.height = c.height and b.canonical
     where c.height is not null and ($1::text is null or c.chain = $1)`,
    [chain],
  )
  return new Map(rows.map(({ chain, time }) => [chain, time]))
}

/** Since when payments on a chain are not seen, in ISO 8601; null where they are: its newest block is not older than it ever should be. */
export function delayedSince(progress: ChainProgress, chain: Pick<Chain, 'name' | 'blockMs'>): string | null {
  const time = progress.get(chain.name)
  return time && Date.now() - time.getTime() > staleAfterMs(chain) ? time.toISOString() : null
}

/**
 * What is paid before the first block that is read is never found.
 * @throws ApiError 503 `chain_not_ready`
 */
export function requireRead(progress: ChainProgress, chain: Pick<Chain, 'name'>): void {
  if (progress.has(chain.name)) return
  const message = `No block of ${chain.name} was read yet: a payment might not be found`
  throw new ApiError(503, 'chain_not_ready', message, { retryAfterSeconds: 5 })
}
