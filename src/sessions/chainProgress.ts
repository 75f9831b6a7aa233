import { type Chain, staleAfterMs } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { ApiError } from '../platform/errors.ts'

/** The time of the newest block read, by chain; null if unknown. Unread chains are absent. */
export type ChainProgress = ReadonlyMap<string, Date | null>

interface BlockTime {
  chain: string
  time: Date | null
}

/** The block is found by its key at any size of the tables. */
const selectAll = `select c.chain, (select b.time from blocks b where b.chain = c.chain and b.height = c.height and b.canonical) as time
   from chain_cursors c where c.height is not null`
const selectOne = prepared(`${selectAll} and c.chain = $1`)

/** @param chain read only this one */
export async function readProgress(db: Queryable, chain: string | null = null): Promise<ChainProgress> {
  const rows = await (chain === null
    ? db.query<BlockTime>(selectAll)
    : db.query<BlockTime>(selectOne, [chain]))
  return new Map(rows.map(({ chain, time }) => [chain, time]))
}

/**
 * The time since which payments on a chain are not seen, in ISO 8601; null while its newest block is recent.
 */
export function delayedSince(progress: ChainProgress, chain: Pick<Chain, 'name' | 'blockMs'>): string | null {
  const time = progress.get(chain.name)
  return time && Date.now() - time.getTime() > staleAfterMs(chain) ? time.toISOString() : null
}

/**
 * Payments in blocks before the first one read are never found.
 * @returns `progress`
 * @throws ApiError 503 `chain_not_ready`
 */
export function requireRead(progress: ChainProgress, chain: Pick<Chain, 'name'>): ChainProgress {
  if (progress.has(chain.name)) return progress
  const message = `No block of ${chain.name} has been read yet: a payment might not be found; try again later`
  throw new ApiError(503, 'chain_not_ready', message, { retryAfterSeconds: 5 })
}
