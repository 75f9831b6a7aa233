import type { BlockHeader } from '../src/chains/chain.ts'
import type { Queryable } from '../src/platform/database/db.ts'
import { BaseError } from '../src/platform/errors.ts'

/** The newest committed block; `id` is null if the parent of the next block is unknown. */
export interface Cursor {
  height: number
  id: string | null
}

/** Another process leads this chain now. Nothing was written; this process must stop. */
export class FencedError extends BaseError {
  readonly code = 'fenced'
  readonly retry = 'no'
  constructor(chain: string) {
    super(`another indexer leads ${chain}`)
  }
}

export async function readCursor(db: Queryable, chain: string): Promise<Cursor | null> {
  const [row] = await db.query<{ height: string | null; id: string | null }>(
    `select c.height, b.id from chain_cursors c left join blocks b on b.chain = c.chain and b.height = c.height and b.canonical
     where c.chain = $1`,
    [chain],
  )
  return row?.height == null ? null : { height: Number(row.height), id: row.id }
}

/** The highest finalized height that was recorded. */
export async function finalizedEver(db: Queryable, chain: string): Promise<number | null> {
  const [row] = await db.query<{ finalizedHeight: string | null }>(
    'select finalized_height as "finalizedHeight" from chain_cursors where chain = $1',
    [chain],
  )
  return row?.finalizedHeight == null ? null : Number(row.finalizedHeight)
}

/** The header committed at a height, or null. */
export async function committedHeader(
  db: Queryable,
  chain: string,
  height: number,
): Promise<Pick<BlockHeader, 'height' | 'id'> | null> {
  const [row] = await db.query<{ id: string }>(
    'select id from blocks where chain = $1 and height = $2 and canonical',
    [chain, height],
  )
  return row ? { height, id: row.id } : null
}

/**
 * Part of the statement with which a transaction first locks the cursor's row: Postgres ends the transaction
 * if it idles. A frozen process would otherwise block the leader and its successor forever.
 */
export const idleGuard = "set_config('idle_in_transaction_session_timeout', '3s', true)"
