import { requireMigrated } from '../../migrations/migrated.ts'
import { readRole } from '../../src/platform/database/databaseRights.ts'
import { TlsRefusedError } from '../../src/platform/database/databaseTls.ts'
import { type Db, openDb, requireWritable } from '../../src/platform/database/db.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { databaseSkew, type Skew } from './checkClock.ts'
import { checkDirect } from './checkDirect.ts'
import { checkReplica } from './checkReplica.ts'
import { codeOf, type DoctorContext, stepMs, unreachable, valuesOf } from './context.ts'
import { type DoctorPart, type Finding, findingsOf } from './finding.ts'
import { wrongRights } from './wrongRights.ts'

const { ok, advice, fault } = findingsOf('database')

const minVersion = 15

/** The names that a part's URL has. */
const settingOf = (part: DoctorPart) =>
  part === 'migrate' ? 'DATABASE_URL' : `${part.toUpperCase()}_DATABASE_URL or DATABASE_URL`

/** @returns with the clock of the database; null where it could not be read */
export async function checkDatabase(
  ctx: DoctorContext,
  part: DoctorPart,
): Promise<{ findings: Finding[]; skew: Skew | null }> {
  const config = valuesOf(ctx, part, ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
  if (!config) return { findings: [], skew: null }
  const { host } = new URL(config.DATABASE_URL)
  const db = openDb(config.DATABASE_URL, 1, { statementMs: stepMs, waitMs: stepMs })
  try {
    const [server] = await db.query<{ number: number; version: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    )
    const found: Finding[] = []
    if (server && server.number < minVersion * 10_000)
      found.push(
        fault(
          part,
          'database_old',
          `Postgres ${server.version} is too old`,
          `Upgrade it to Postgres ${minVersion} or later.`,
        ),
      )
    found.push(
      ...(await stateOf(db, part)),
      ...(await rightsOf(db, part)),
      ...(await checkDirect(config, part)),
      ...(part === 'api' ? await checkReplica(ctx) : []),
    )
    if (found.every(({ state }) => state !== 'fault'))
      found.unshift(ok(part, `Postgres ${server?.version} answers, and is migrated`))
    return { findings: found, skew: await databaseSkew(db) }
  } catch (error) {
    return { findings: [notConnected(error, part, host)], skew: null }
  } finally {
    await db.close()
  }
}

function notConnected(error: unknown, part: DoctorPart, host: string): Finding {
  const code = codeOf(error)
  const refused: Record<string, [code: string, text: string, cure: string]> = {
    '28P01': [
      'database_password',
      'Postgres refuses the password',
      `Correct the password in ${settingOf(part)}. \`npm run cowry -- migrate\` sets those of the processes' roles.`,
    ],
    '28000': [
      'database_login',
      'Postgres refuses the role or this address',
      'Create the role with `npm run cowry -- migrate`, or allow this address in pg_hba.conf.',
    ],
    '3D000': [
      'database_missing',
      'the database does not exist',
      'Create it, with the role of DATABASE_URL as its owner, then run `npm run cowry -- migrate`.',
    ],
    '42501': [
      'database_rights',
      'the role may not connect to the database',
      'Run `npm run cowry -- migrate`, which grants each process its rights.',
    ],
    '53300': [
      'database_full',
      'all connections of Postgres are taken',
      'Raise its max_connections, or lower DATABASE_POOL.',
    ],
  }
  if (error instanceof TlsRefusedError)
    return fault(
      part,
      'database_tls',
      error.message,
      'Renew a certificate out of its time; otherwise name the authority in DATABASE_CA_FILE, and a host that the certificate is for in the URL.',
    )
  const known = refused[code]
  if (known) return fault(part, ...known)
  const away = unreachable(code, host)
  return fault(
    part,
    'database_unreachable',
    away?.text ?? `Postgres cannot be used: ${messageOf(error)}`,
    away?.cure ?? `Check ${settingOf(part)}.`,
  )
}

async function stateOf(db: Db, part: DoctorPart): Promise<Finding[]> {
  const found: Finding[] = []
  await requireWritable(db).catch((error) => {
    found.push(
      fault(
        part,
        'database_read_only',
        messageOf(error),
        `Let ${settingOf(part)} lead to the primary, not to a standby.`,
      ),
    )
  })
  await requireMigrated(db).catch((error) => {
    const code = codeOf(error)
    if (code === '42P01')
      found.push(
        fault(
          part,
          'not_migrated',
          'the database is empty: no migration has run',
          'Run `npm run cowry -- migrate`.',
        ),
      )
    else if (code === '42501')
      found.push(
        fault(
          part,
          'database_rights',
          'the role may not read the table of migrations',
          'Run `npm run cowry -- migrate`.',
        ),
      )
    else if (/newer version/.test(messageOf(error)))
      found.push(
        fault(
          part,
          'migrated_further',
          messageOf(error),
          'Run the version that migrated it, or restore the database from before.',
        ),
      )
    else
      found.push(
        fault(
          part,
          'not_migrated',
          migrationsIn(messageOf(error)),
          'Stop the processes if the changelog says so, then run `npm run cowry -- migrate`.',
        ),
      )
  })
  const [half] = await db.query(
    `select 1 from pg_constraint where conname = 'audit_log_bound' and connamespace = current_schema()::regnamespace`,
  )
  if (half)
    found.push(
      fault(
        part,
        'upgrade_half_done',
        'an upgrade stopped between two steps: weeks later the audit log refuses entries, and with them every change',
        'Run `npm run cowry -- migrate`, which ends it.',
      ),
    )
  return found
}

/** A list of all migrations helps no one. */
const migrationsIn = (message: string): string => {
  const names = /not migrated: (.*) missing/.exec(message)?.[1]?.split(', ') ?? []
  const others = names.length > 1 ? ` and ${names.length - 1} more` : ''
  return `migrations have not run yet: ${names[0] ?? 'some'}${others}`
}

async function rightsOf(db: Db, part: DoctorPart): Promise<Finding[]> {
  if (part === 'migrate') return []
  const role = await readRole(db)
  if (role?.isOwner)
    return [
      advice(
        part,
        'database_owner',
        `connects as ${role.role}, which can read and change everything`,
        'Give each process a role of its own: set its …_DATABASE_URL, then run `npm run cowry -- migrate` (docs/deployment.md, Database roles).',
      ),
    ]
  const { missing, excess } = await wrongRights(db, part)
  const found: Finding[] = []
  if (missing.length > 0)
    found.push(
      fault(
        part,
        'database_rights',
        `the role ${role?.role} lacks rights: ${shown(missing)}`,
        'Run `npm run cowry -- migrate`, which grants them.',
      ),
    )
  if (excess.length > 0)
    found.push(
      fault(
        part,
        'database_excess',
        `the role ${role?.role} has rights that it must not have: ${shown(excess)}`,
        'Run `npm run cowry -- migrate`, which revokes them.',
      ),
    )
  return found
}

const shown = (rights: readonly string[]) =>
  `${rights.slice(0, 3).join(', ')}${rights.length > 3 ? ` and ${rights.length - 3} more` : ''}`
