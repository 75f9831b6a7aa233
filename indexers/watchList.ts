import type { Family, WatchFlags } from '../src/chains/chain.ts'
import type { Queryable } from '../src/platform/database/db.ts'
import { transferPurposes } from './purposes.ts'
import { watchFlags } from './watchFlags.ts'
import { createWatchTable, type WatchTable } from './watchTable.ts'

/**
 * The watched addresses of one chain, as of the last read of the tail. Finds all of them, with their
 * `watchFlags`, and rarely another address.
 */
export interface WatchList extends WatchFlags {
  has(address: Uint8Array): boolean
  readonly size: number
  readonly bytes: number
  /**
   * Reads watches committed since the last read. Call it after a block was fetched and before it is matched:
   * an address is shown to a customer only after its commit, so a payment to it is in a block fetched
   * later.
   */
  readTail(): Promise<void>
  /**
   * Adds removed watches whose detections a fork reverted: their transfers may come back. Call it after each
   * fork.
   */
  readReverted(): Promise<void>
  /** The Postgres snapshot of the last read: its watches are in the list. */
  readonly snapshot: string
  /** Oldest transaction that might still commit a watch; the tail is read from there. */
  readonly watermark: bigint
}

/** Length of an address in bytes, by family. */
const widths: Record<Family, number> = { evm: 20, solana: 44, tron: 20, stellar: 40 }
const pageSize = 50_000
/** Watches of a chain (`$1` its family, `$2` its name), and the flag of each. */
const ofChain = 'family = $1 and (chain is null or chain = $2)'
const alive = `${ofChain} and removed_at is null`
const flag = `case when purpose not in (${transferPurposes.map((purpose) => `'${purpose}'`).join(', ')}) then ${watchFlags.incoming} when all_tokens then ${watchFlags.monitoredForAll} else ${watchFlags.monitored} end`

/**
 * Loads every watch, then follows changes. Reads the tail by transaction id, not by row id: rows become
 * visible in commit order, and a row inserted long ago may commit now. Transactions older than the last
 * snapshot's xmin had ended by then; rows from later ones are read again.
 * @param direct a session to the primary, without a pooler; make a new list after it was lost
 */
export async function loadWatchList(direct: Queryable, family: Family, chain: string): Promise<WatchList> {
  const [start] = await direct.query<{ xmin: string; snapshot: string; count: string }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_current_snapshot()::text as snapshot,
       (select count(*) from watches where ${alive}) as count`,
    [family, chain],
  )
  if (!start) throw new Error('the watch list could not be read')
  let watermark = BigInt(start.xmin)
  let { snapshot } = start
  const table: WatchTable = createWatchTable(widths[family], Number(start.count))
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await direct.query<{ id: string; address: Buffer; flag: number }>(
      `select id, address, ${flag} as flag from watches where ${alive} and id > $3 order by id limit $4`,
      [family, chain, after, pageSize],
    )
    for (const row of rows) table.add(row.address, row.flag)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) break
    after = last.id
  }
  async function readReverted(): Promise<void> {
    const rows = await direct.query<{ address: Buffer; flag: number }>(
      `select address, ${flag} as flag from watches
       where ${ofChain} and removed_at is not null and id in (select watch_id from detections where chain = $2 and status = 'reverted')`,
      [family, chain],
    )
    for (const row of rows) table.add(row.address, row.flag)
  }
  await readReverted()
  return {
    flags: table.flags,
    flagsAt: table.flagsAt,
    has: table.has,
    get size() {
      return table.size
    },
    get bytes() {
      return table.bytes
    },
    get watermark() {
      return watermark
    },
    get snapshot() {
      return snapshot
    },
    readReverted,
    async readTail() {
      const [tail] = await direct.query<{
        xmin: string
        snapshot: string
        addresses: Buffer[]
        flags: number[]
      }>(
        `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_current_snapshot()::text as snapshot,
           coalesce(array_agg(address), '{}') as addresses, coalesce(array_agg(${flag}), '{}') as flags
         from watches where ${alive} and xid >= $3::xid8 and xid < pg_snapshot_xmax(pg_current_snapshot())`,
        [family, chain, watermark.toString()],
      )
      if (!tail) throw new Error('the tail of the watch list could not be read')
      for (const [index, address] of tail.addresses.entries()) table.add(address, tail.flags[index])
      watermark = BigInt(tail.xmin)
      snapshot = tail.snapshot
    },
  }
}
