import type { Family, KeyDeriver } from '../chains/chain.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'

/** The number of free addresses of a family. */
export async function poolSize(db: Queryable, family: Family): Promise<number> {
  const [row] = await db.query<{ free: number }>(
    'select count(*)::int as free from deposit_addresses where family = $1 and taken_at is null',
    [family],
  )
  return row?.free ?? 0
}

const batchSize = 100

/**
 * Upper bound on addresses given out since a backup: a day at a hundred a second. The indexes of a path have
 * room for two hundred restores.
 */
export const restoreMargin = 10_000_000

/**
 * Renews the pool after a restore: the free addresses may have been given out after the backup, so they are
 * taken off, and the next are derived beyond the margin. Until then no address is given out.
 * @returns the number taken off; null where the database was not restored
 */
export async function replacePool(db: Db): Promise<{ takenOff: number; firstIndex: number } | null> {
  return db.tx(async (tx) => {
    const [pool] = await tx.query<{ same: boolean }>(
      'select identity = present_identity() as same from deposit_pool for update',
    )
    if (!pool || pool.same) return null
    const taken = await tx.query(
      'update deposit_addresses set taken_at = now() where taken_at is null returning 1',
    )
    const [row] = await tx.query<{ firstIndex: string }>(
      `update deposit_pool set identity = present_identity(), renewed_at = now(),
         first_index = greatest(first_index, (select coalesce(max(index) + 1, 0) from deposit_addresses)) + $1 returning first_index as "firstIndex"`,
      [restoreMargin],
    )
    failpoint('treasury.pool-renewed')
    return { takenOff: taken.length, firstIndex: Number(row?.firstIndex) }
  })
}

/** Derives addresses until `target` are free. Treasury only: it needs the seed. @returns the number added */
export async function fillPool(
  ctx: { db: Db; deriver: KeyDeriver; seed: Secret<Uint8Array> },
  family: Family,
  target: number,
): Promise<number> {
  let added = 0
  for (;;) {
    const missing = target - (await poolSize(ctx.db, family))
    if (missing <= 0) return added
    const [row] = await ctx.db.query<{ next: string }>(
      `select greatest((select max(index) + 1 from deposit_addresses where family = $1), first_index) as next from deposit_pool`,
      [family],
    )
    const first = Number(row?.next ?? 0)
    const seed = ctx.seed.reveal()
    const batch = Array.from({ length: Math.min(missing, batchSize) }, (_, i) => ({
      index: first + i,
      ...ctx.deriver.deriveDeposit(seed, first + i),
    }))
    // Another treasury may derive the same batch, of which one copy is dropped; or it may have renewed the
    // pool.
    const stored = await ctx.db.query(
      `with pool as (select first_index from deposit_pool for share)
       insert into deposit_addresses (family, index, address, path)
       select $1, i, a, p from unnest($2::bigint[], $3::text[], $4::text[]) as batch(i, a, p) join pool on i >= first_index
       on conflict do nothing returning index`,
      [family, batch.map((b) => b.index), batch.map((b) => b.address), batch.map((b) => b.path)],
    )
    failpoint('treasury.pool-filled')
    added += stored.length
  }
}

const isOwnPool = '(exists (select 1 from deposit_pool where identity = present_identity()))'

/** True unless the database was restored and the treasury has not renewed the pool yet. */
export async function isPoolRenewed(db: Queryable): Promise<boolean> {
  const [pool] = await db.query<{ own: boolean }>(`select ${isOwnPool} as own`)
  return pool?.own ?? false
}

/**
 * `index + 0` is the order of the index of free addresses alone: another plan could pass every address ever
 * taken.
 */
const takeFirst = prepared(
  `update deposit_addresses set taken_at = now()
   where family = $1 and index = (
     select index from deposit_addresses where family = $1 and taken_at is null order by index + 0 for update skip locked limit 1)
     and ${isOwnPool}
   returning address`,
)

/**
 * Takes a free address permanently, within the caller's transaction. A restore can happen between any two
 * statements.
 * @throws ApiError 503 `no_deposit_address` when the pool is empty, or not yet renewed after a restore
 */
export async function takeDepositAddress(tx: Tx, family: Family): Promise<string> {
  const [row] = await tx.query<{ address: string }>(takeFirst, [family])
  if (row) return row.address
  const why = (await isPoolRenewed(tx))
    ? ''
    : 'The database was restored, so the free addresses may be taken. '
  throw new ApiError(
    503,
    'no_deposit_address',
    `${why}No deposit address is ready on this chain; new ones are being made`,
    { retryAfterSeconds: 2 },
  )
}
