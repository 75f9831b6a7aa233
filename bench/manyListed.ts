import type { Queryable } from '../src/platform/database/db.ts'
import { idAt, type ListedRows, type NewRow, type RowsOf } from '../test/support/listedRows.ts'

type Columns = Record<string, unknown>

const perStatement = 2000

/** What rows of a table have in common, and its columns. */
interface Table {
  name: string
  columns: Set<string>
}

/**
 * Stores many rows of a list as they are, without what triggers and references add.
 * @param of whose they are; what is copied is a row of `of[0]`
 */
export async function insertMany(
  db: Queryable,
  [first, ...others]: readonly [RowsOf, ...RowsOf[]],
  listed: ListedRows,
  rowsOf: readonly (readonly NewRow[])[],
): Promise<void> {
  const owners = [first, ...others]
  await db.query('set session_replication_role = replica')
  const table = await readTable(db, listed.table)
  const found = await rowLike(db, listed.from, listed.table, first)
  const besides = await Promise.all(
    (listed.beside ?? []).map(async (beside) => ({
      ...beside,
      table: await readTable(db, beside.table),
      found: await rowLike(db, beside.from, beside.table, first),
    })),
  )
  for (let from = 0; from < (rowsOf[0]?.length ?? 0); from += perStatement) {
    for (const [i, of] of owners.entries()) {
      const listedFrom = (rowsOf[i]?.length ?? 0) - (listed.most?.rows ?? Number.POSITIVE_INFINITY)
      const rows = (rowsOf[i] ?? []).slice(from, from + perStatement)
      const owner = (isCopied: boolean) => (isCopied && i > 0 ? { business_id: of.business } : {})
      await insert(
        db,
        table,
        rows.map((row, nth) => ({
          ...owner(found !== null),
          ...columnsOf(listed, of, row),
          ...(from + nth < listedFrom && listed.most?.others()),
        })),
        found,
      )
      for (const beside of besides) {
        const { key, found: like } = beside
        const more = rows.map(({ id, unique }) => ({
          ...owner(like !== null),
          ...(typeof beside.from === 'string' ? beside.each?.() : beside.from(unique, of)),
          ...(key === '' ? {} : { [key]: id }),
        }))
        await insert(db, beside.table, more, like)
      }
    }
  }
  await countAll(db, listed)
  await db.query('reset session_replication_role')
}

/** Renews what triggers keep. */
async function countAll(db: Queryable, { table, counts }: ListedRows): Promise<void> {
  if (!counts) return
  await db.query(`delete from ${counts.table}`)
  await db.query(
    `insert into ${counts.table} (${counts.by}, n)
     select ${counts.by}, count(*) from ${table} where ${counts.where ?? 'true'} group by ${counts.by}`,
  )
}

const columnsOf = (listed: ListedRows, of: RowsOf, { id, at, state, unique }: NewRow): Columns => {
  const stated = listed.states?.[state ?? ''] ?? {}
  return {
    ...(typeof listed.from === 'string' ? {} : listed.from(of)),
    ...listed.each?.(unique, id, of),
    ...(typeof stated === 'function' ? stated(of) : stated),
    [listed.time ?? 'created_at']: at.toISOString(),
    [listed.id ?? 'id']: id,
  }
}

async function readTable(db: Queryable, name: string): Promise<Table> {
  const rows = await db.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
    [name],
  )
  return { name, columns: new Set(rows.map((row) => row.name)) }
}

/** The row that others are copied from; null: they have columns of their own. */
async function rowLike(db: Queryable, from: unknown, table: string, { business }: RowsOf) {
  if (typeof from !== 'string') return null
  const rows = await db.query<{ row: Columns }>(
    `select to_jsonb(t) as row from ${table} t where ${from.replaceAll('{business}', `'${business}'`)} limit 1`,
  )
  if (!rows[0]) throw new Error(`${table} has no row to copy`)
  return rows[0].row
}

/** @param like what they have in common; without it, columns that are not named have their defaults */
async function insert(db: Queryable, table: Table, rows: Columns[], like: Columns | null): Promise<void> {
  const given = like ? [...table.columns] : Object.keys(rows[0] ?? {})
  const names = given.filter((name) => table.columns.has(name)).map((name) => `"${name}"`)
  await db.query(
    `insert into ${table.name} (${names.join(', ')}) overriding system value
     select ${names.map((name) => `r.${name}`).join(', ')}
     from (select jsonb_populate_record(null::${table.name}, $1::jsonb) as row offset 0) base,
       jsonb_array_elements($2::jsonb) e(columns), lateral jsonb_populate_record(base.row, e.columns) r`,
    [JSON.stringify(like ?? {}), JSON.stringify(rows)],
  )
}

/** Rows from a time on, `stepMs` apart; one in `oneIn` is in the second state. */
export function manyRows(
  listed: ListedRows,
  { count, from, stepMs, oneIn }: { count: number; from: number; stepMs: number; oneIn: number },
  nextUnique: () => number,
): NewRow[] {
  const [usual, rare] = Object.keys(listed.states ?? {})
  return Array.from({ length: count }, (_, i) => {
    const at = new Date(from + i * stepMs)
    const unique = nextUnique()
    return { id: idAt(at, listed, unique), at, state: i % oneIn === 1 ? rare : usual, unique }
  })
}
