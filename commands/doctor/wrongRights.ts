import { functionGrants, tableGrants } from '../../migrations/grants.ts'
import type { Db } from '../../src/platform/database/db.ts'
import type { DatabaseRole } from '../../src/platform/database/grants.ts'

const privileges = ['select', 'insert', 'update', 'delete'] as const

/** `select (id, name), insert` as `select` with its columns, and `insert` with all. */
function parsed(grants: string): { privilege: string; columns: string[] | null }[] {
  return [...grants.matchAll(/(\w+)(?: \(([^)]*)\))?(?:, |$)/g)].map(([, privilege = '', columns]) => ({
    privilege,
    columns: columns === undefined ? null : columns.split(', '),
  }))
}

/**
 * Compares the rights of the connection's role with those that `npm run cowry -- migrate` grants
 * (`migrations/grants.ts`).
 */
export async function wrongRights(
  db: Db,
  role: DatabaseRole,
): Promise<{ missing: string[]; excess: string[] }> {
  const tables = await db.query<{ name: string; whole: string[]; partly: string[] }>(
    `select relname as name,
       array(select p from unnest($1::text[]) p where has_table_privilege(c.oid, p)) as whole,
       array(select p from unnest($1::text[]) p where p <> 'delete' and has_any_column_privilege(c.oid, p)) as partly
     from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
    [privileges],
  )
  const missing: string[] = []
  const excess: string[] = []
  const wanted: { table: string; privilege: string; column: string }[] = []
  for (const { name, whole, partly } of tables) {
    const granted = parsed(tableGrants[name]?.[role] ?? '')
    for (const privilege of privileges) {
      const grant = granted.find((each) => each.privilege === privilege)
      if (grant?.columns === null && !whole.includes(privilege)) missing.push(`${privilege} on ${name}`)
      if (grant?.columns) wanted.push(...grant.columns.map((column) => ({ table: name, privilege, column })))
      if (
        grant
          ? grant.columns !== null && whole.includes(privilege)
          : whole.includes(privilege) || partly.includes(privilege)
      )
        excess.push(`${privilege} on ${name}`)
    }
  }
  const columns = await db.query<{ table: string; privilege: string; column: string }>(
    `select w."table", w.privilege, w."column" from jsonb_to_recordset($1::jsonb) as w("table" text, privilege text, "column" text)
     join pg_attribute a on a.attrelid = to_regclass(quote_ident(w."table")) and a.attname = w."column" and not a.attisdropped
     where not has_column_privilege(a.attrelid, a.attnum, w.privilege)`,
    [JSON.stringify(wanted)],
  )
  missing.push(...columns.map(({ table, privilege, column }) => `${privilege} on ${table}.${column}`))
  const called = Object.entries(functionGrants).flatMap(([name, roles]) =>
    roles.includes(role) ? [name] : [],
  )
  const functions = await db.query<{ name: string }>(
    `select name from unnest($1::text[]) name where to_regprocedure(name) is not null and not has_function_privilege(to_regprocedure(name), 'execute')`,
    [called],
  )
  missing.push(...functions.map(({ name }) => `execute on ${name.split('(')[0]}`))
  return { missing, excess }
}
