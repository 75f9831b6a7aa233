import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { ConfigError } from '../src/platform/config.ts'
import { postgresAddress } from '../src/platform/database/databaseTls.ts'
import type { Db, Queryable, Tx } from '../src/platform/database/db.ts'
import { type DatabaseRole, databaseRoles } from '../src/platform/database/grants.ts'
import { functionGrants, tableGrants } from './grants.ts'

/** A role of a process, as its URL names it. */
export interface LoginRole {
  role: DatabaseRole
  name: string
  /** Null where the role can already log in, or its URL has no password. */
  password: string | null
}

/**
 * Reads the roles from the URLs of the processes. A role that can log in with its password keeps it.
 * @param urls of the processes that have their own role; without one a process uses the owner's
 * @throws ConfigError where two processes share a role, or a URL names no role or the owner's
 */
export async function loginRoles(
  ownerUrl: string,
  urls: Readonly<Partial<Record<DatabaseRole, string | undefined>>>,
): Promise<LoginRole[]> {
  const owner = decodeURIComponent(new URL(ownerUrl).username)
  const roles: LoginRole[] = []
  for (const role of databaseRoles) {
    const given = urls[role]
    if (given === undefined) continue
    const setting = `${role.toUpperCase()}_DATABASE_URL`
    const { username, password } = new URL(given)
    const name = decodeURIComponent(username)
    if (name === '') throw new ConfigError(`${setting} names no role: add a user name to the URL`)
    if (name === owner)
      throw new ConfigError(
        `${setting} has the role of DATABASE_URL, which owns the tables: give each process its own role`,
      )
    if (roles.some((each) => each.name === name))
      throw new ConfigError(`${setting} has the role of another process: give each process its own role`)
    // Connect to the owner's address: that of the process may be a pooler, which does not know new roles.
    const at = new URL(ownerUrl)
    at.username = username
    at.password = password
    roles.push({
      role,
      name,
      password: password === '' || (await canLogIn(at.href)) ? null : decodeURIComponent(password),
    })
  }
  return roles
}

async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client(postgresAddress(url))
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    // 28: no such role, or another password. Any other refusal comes after the password was accepted.
    const code = (error as { code?: string }).code ?? ''
    if (code.startsWith('28')) return false
    if (code === '42501') return true
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Creates the roles, grants each process the rights in `grants.ts` and revokes all others, also from PUBLIC.
 * Safe to repeat; running processes see either the old or the new rights.
 * @param db of the owner of the tables
 */
export async function applyGrants(db: Db, roles: readonly LoginRole[]): Promise<void> {
  await db.tx(async (tx) => {
    // Databases of one server share the roles.
    await tx.query("select pg_advisory_xact_lock(hashtext('cowry-roles'))")
    for (const role of roles) await ensureRole(tx, role)
    const statements = [...(await revocations(tx, roles)), ...(await grants(tx, roles))]
    for (const statement of statements) await tx.query(statement)
  })
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

async function ensureRole(tx: Tx, { role, name, password }: LoginRole): Promise<void> {
  const [there] = await tx.query<{ isPowerful: boolean; groups: string[] }>(
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isPowerful",
       array(select r.rolname::text from pg_auth_members m join pg_roles r on r.oid = m.roleid where m.member = p.oid) as groups
     from pg_roles p where rolname = $1`,
    [name],
  )
  if (there?.isPowerful)
    throw new ConfigError(
      `the role ${name} of ${role} is a superuser or may create roles or databases: revoke that right`,
    )
  if (there && there.groups.length > 0)
    throw new ConfigError(
      `the role ${name} of ${role} is a member of ${there.groups.join(', ')}: revoke that`,
    )
  if (!there) await tx.query(`create role ${quoted(name)} login noinherit`)
  if (password !== null)
    await tx.query(`alter role ${quoted(name)} login password '${scramVerifier(password)}'`)
}

/**
 * The form in which Postgres stores a password (RFC 5803), so that no statement and no server log contains
 * the password.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new ConfigError('the password of a database role must consist of printable ASCII characters')
  const rounds = 4096
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}

/** All tables, sequences and functions of this role; those of extensions and other roles stay as they are. */
async function objectsOf(
  tx: Queryable,
): Promise<{ tables: string[]; sequences: string[]; functions: string[]; schema: string; database: string }> {
  const relations = await tx.query<{ name: string; kind: string }>(
    `select relname as name, relkind::text as kind from pg_class c
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and pg_has_role(relowner, 'usage')
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`,
  )
  const functions = await tx.query<{ name: string }>(
    `select format('%I(%s)', proname, array_to_string(array(select format_type(t, null) from unnest(proargtypes) with ordinality a(t, n) order by n), ',')) as name
     from pg_proc p where pronamespace = current_schema()::regnamespace and pg_has_role(proowner, 'usage')
       and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
  )
  const [at] = await tx.query<{ schema: string; database: string }>(
    'select current_schema() as schema, current_database() as database',
  )
  const named = (isSequence: boolean) =>
    relations.filter(({ kind }) => (kind === 'S') === isSequence).map(({ name }) => name)
  return {
    tables: named(false),
    sequences: named(true),
    functions: functions.map(({ name }) => name),
    schema: '',
    database: '',
    ...at,
  }
}

async function revocations(tx: Queryable, roles: readonly LoginRole[]): Promise<string[]> {
  const { tables, sequences, functions, schema, database } = await objectsOf(tx)
  const from = ['public', ...roles.map(({ name }) => quoted(name))].join(', ')
  const [may] = await tx.query<{ schema: boolean; database: boolean }>(
    `select pg_has_role(nspowner, 'usage') as schema, (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) as database
     from pg_namespace where nspname = current_schema()`,
  )
  return [
    // Includes rights on columns.
    ...tables.map((name) => `revoke all on table ${quoted(name)} from ${from}`),
    ...sequences.map((name) => `revoke all on sequence ${quoted(name)} from ${from}`),
    ...functions.map((name) => `revoke all on function ${name} from ${from}`),
    // Also for functions created later.
    'alter default privileges revoke execute on functions from public',
    ...(may?.schema ? [`revoke create on schema ${quoted(schema)} from ${from}`] : []),
    // Without their own roles the processes use the owner's, and others may need PUBLIC to connect.
    ...(may?.database && roles.length > 0
      ? [`revoke connect, temporary on database ${quoted(database)} from public`]
      : []),
    ...(may?.database
      ? roles.map(({ name }) => `grant connect on database ${quoted(database)} to ${quoted(name)}`)
      : []),
    ...(may?.schema
      ? roles.map(({ name }) => `grant usage on schema ${quoted(schema)} to ${quoted(name)}`)
      : []),
  ]
}

async function grants(tx: Queryable, roles: readonly LoginRole[]): Promise<string[]> {
  const { tables, functions } = await objectsOf(tx)
  return roles.flatMap(({ role, name }) => [
    // After a step back some tables do not exist.
    ...Object.entries(tableGrants).flatMap(([table, { [role]: given }]) =>
      given && tables.includes(table) ? [`grant ${given} on table ${quoted(table)} to ${quoted(name)}`] : [],
    ),
    ...Object.entries(functionGrants).flatMap(([each, callers]) =>
      callers.includes(role) && functions.includes(each)
        ? [`grant execute on function ${each} to ${quoted(name)}`]
        : [],
    ),
  ])
}
