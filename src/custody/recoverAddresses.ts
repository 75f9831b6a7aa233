import type { KeyDeriver } from '../chains/chain.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'

const batchSize = 500

/** A stored address that the seed does not lead to. */
export interface Unreachable {
  family: string
  index: string
  address: string
  reason: string
}

export interface Recovery {
  /** Rows compared, and how many of them sessions have taken, by family. */
  families: { family: string; checked: number; taken: number }[]
  unreachable: number
  /** Sessions at addresses that are in no row. */
  unknownSessions: number
}

interface Row {
  index: string
  address: string
  path: string
  taken: boolean
}

/**
 * Derives every stored deposit address again, and compares it with its row. Reads the database, and changes
 * nothing.
 * @param on called after each batch, and for each row that differs
 */
export async function recoverAddresses(
  ctx: { db: Db; deriverOf(family: string): KeyDeriver | undefined; seed: Secret<Uint8Array> },
  on: { progress(family: string, checked: number): void; unreachable(row: Unreachable): void },
): Promise<Recovery> {
  const families = await ctx.db.query<{ family: string }>(
    'select distinct family from deposit_addresses order by 1',
  )
  const recovery: Recovery = { families: [], unreachable: 0, unknownSessions: 0 }
  for (const { family } of families) {
    const counts = { family, checked: 0, taken: 0 }
    let after = '-1'
    for (;;) {
      const rows = await ctx.db.query<Row>(
        `select index::text, address, path, taken_at is not null as taken from deposit_addresses
         where family = $1 and index > $2 order by deposit_addresses.index limit $3`,
        [family, after, batchSize],
      )
      for (const row of rows) {
        counts.checked++
        if (row.taken) counts.taken++
        const reason = reasonOf(ctx.deriverOf(family), ctx.seed, row)
        if (reason === null) continue
        recovery.unreachable++
        on.unreachable({ family, index: row.index, address: row.address, reason })
      }
      on.progress(family, counts.checked)
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.index
    }
    recovery.families.push(counts)
  }
  const [sessions] = await ctx.db.query<{ count: number }>(
    `select count(*)::int as count from pos_sessions s
     where not exists (select from deposit_addresses d where d.family = s.family and d.address = s.address)`,
  )
  return { ...recovery, unknownSessions: sessions?.count ?? 0 }
}

/** @returns why the seed does not lead to a row's address; null where it does */
function reasonOf(deriver: KeyDeriver | undefined, seed: Secret<Uint8Array>, row: Row): string | null {
  if (!deriver) return 'no chain family of this name'
  try {
    const derived = deriver.deriveDeposit(seed.reveal(), Number(row.index))
    if (derived.address !== row.address) return `the phrase leads to ${derived.address}`
    return derived.path === row.path ? null : `its path is ${derived.path}, not ${row.path}`
  } catch (error) {
    return messageOf(error)
  }
}
