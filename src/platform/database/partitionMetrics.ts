import { type Metrics, shared } from '../telemetry/metrics.ts'
import type { Queryable } from './db.ts'

/** A table of partitions by time, each named `<table>_p<its first day>`. */
export interface PartitionedTable {
  table: string
  /** How long a partition is, as an interval of Postgres. */
  each: '7 days' | '1 month'
  /** Null: kept for ever. */
  retentionDays(): Promise<number | null>
}

interface Extent {
  table: string
  aheadSeconds: number
  oldestSeconds: number
}

/** Gauges of partitioned tables, for the alerts that maintenance was missed. */
export function createPartitionMetrics(
  metrics: Metrics,
  db: Queryable,
  tables: readonly PartitionedTable[],
): void {
  const extents = shared(() => readExtents(db, tables))
  metrics.collected(
    'partitions_ahead_seconds',
    'Time until the end of the last partition that is made',
    ['table'],
    async (gauge) => {
      for (const { table, aheadSeconds } of await extents()) gauge.set({ table }, aheadSeconds)
    },
  )
  metrics.collected(
    'partition_oldest_seconds',
    'Time since the start of the oldest partition',
    ['table'],
    async (gauge) => {
      for (const { table, oldestSeconds } of await extents()) gauge.set({ table }, oldestSeconds)
    },
  )
  metrics.collected(
    'partition_overdue_seconds',
    'Time since the retention of the oldest partition ended; 0 where it has not',
    ['table'],
    async (gauge) => {
      for (const { table, oldestSeconds } of await extents()) {
        const { each, retentionDays } = tables.find((of) => of.table === table) ?? {}
        const days = (await retentionDays?.()) ?? null
        const keptSeconds =
          days === null ? Number.POSITIVE_INFINITY : (days + (each === '7 days' ? 7 : 31)) * 86_400
        gauge.set({ table }, Math.max(0, oldestSeconds - keptSeconds))
      }
    },
  )
}

/** By the clock of Postgres. A table without such partitions has no partition ahead. */
async function readExtents(db: Queryable, tables: readonly PartitionedTable[]): Promise<Extent[]> {
  return db.query<Extent>(
    `select t.name as table,
       coalesce(extract(epoch from (max(p.day) + t.each) at time zone 'UTC' - now()), 0)::float8 as "aheadSeconds",
       greatest(coalesce(extract(epoch from now() - min(p.day) at time zone 'UTC'), 0), 0)::float8 as "oldestSeconds"
     from unnest($1::text[], $2::interval[]) as t(name, each)
     left join lateral (
       select to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = to_regclass(t.name) and c.relname ~ ('^' || t.name || '_p[0-9]{8}$')) p on true
     group by t.name, t.each`,
    [tables.map(({ table }) => table), tables.map(({ each }) => each)],
  )
}
