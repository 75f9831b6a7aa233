import type { Family, KeyDeriver } from '../chains/chain.ts'
import type { Db, Queryable, Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'

/** Free addresses of a family. */
export async function poolSize(db: Queryable, family: Family): Promise<number> {
  const [row] = await db.query<{ free: number }>('select count(*)::int as free from deposit_addresses where family = $1 and taken_at is null', [
    family,
  ])
  return row?.free ?? 0
}

const batchSize = 100

/**
 * Derives addresses until `target` are free. Only the treasury can call it: it takes the seed.
 * @returns how many were added
 */
export async function fillPool(ctx: { db: Db; deriver: KeyDeriver; seed: Secret<Uint8Array> }, family: Family, target: number): Promise<number> {
  let added = 0
  for (;;) {
    const missing = target - (await poolSize(ctx.db, family))
    if (missing <= 0) return added
    const [row] = await ctx.db.query<{ next: string }>('select coalesce(max(index) + 1, 0) as next from deposit_addresses where family = $1', [
      family,
    ])
    const first = Number(row?.next ?? 0)
    const seed = ctx.seed.reveal()
    const batch = Array.from({ length: Math.min(missing, batchSize) }, (_, i) => ({
      index: first + i,
      ...ctx.deriver.deriveDeposit(seed, first + i),
    }))
    // Another treasury may derive the same batch: the same addresses, so one of the two is dropped.
    const stored = await ctx.db.query(
      `insert into deposit_addresses (family, index, address, path)
       select $1, i, a, p from unnest($2::bigint[], $3::text[], $4::text[]) as batch(i, a, p) on conflict do nothing returning index`,
      [family, batch.map((b) => b.index), batch.map((b) => b.address), batch.map((b) => b.path)],
    )
    failpoint('treasury.pool-filled')
    added += stored.length
  }
}

/**
 * Takes a free address for good, within the caller's transaction.
 * @throws ApiError 503 `no_deposit_address` when the pool is empty
 */
export async function takeDepositAddress(tx: Tx, family: Family): Promise<string> {
  const [row] = await tx.query<{ address: string }>(
    `update deposit_addresses set taken_at = now()
     where family = $1 and index = (
       select index from deposit_addresses where family = $1 and taken_at is null order by index for update skip locked limit 1)
     returning address`,
    [family],
  )
  if (!row) {
    throw new ApiError(503, 'no_deposit_address', 'No deposit address is ready on this chain; new ones are being made', { retryAfterSeconds: 2 })
  }
  return row.address
}
