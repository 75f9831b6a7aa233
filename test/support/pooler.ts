import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { unpackFromDebian } from '../../scripts/local/debianPackages.ts'
import { freePort } from '../../scripts/local/freePort.ts'
import { databaseOwner } from '../../scripts/local/postgres.ts'
import { startService } from '../../scripts/local/service.ts'
import { root } from './composeFile.ts'
import { roleUrls } from './template.ts'

export interface Pooler {
  /** Of the same database, through the pooler. */
  url: string
  /** Transactions that it has passed on. */
  transactions(): Promise<number>
  close(): Promise<void>
}

const unpacked = join(root, 'node_modules/.cache/cowry/pgbouncer')
const libraries = join(
  unpacked,
  'root/usr/lib',
  `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
)

/**
 * The machine's own PgBouncer, or the one of Debian's package, which is downloaded and unpacked without
 * installing. @throws if neither is there
 */
function findPgBouncer(): { program: string; env: NodeJS.ProcessEnv } {
  const own = { program: 'pgbouncer', env: process.env }
  const fetched = {
    program: join(unpacked, 'root/usr/sbin/pgbouncer'),
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  }
  const works = ({ program, env }: typeof own) => spawnSync(program, ['--version'], { env }).status === 0
  if (works(own)) return own
  const isThere = () => existsSync(fetched.program) && works(fetched)
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  if (isThere()) return fetched
  if (spawnSync('apt-get', ['--version']).status === 0) {
    say('Fetching PgBouncer from Debian (once) …')
    if (unpackFromDebian(unpacked, ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'], { isThere, say }))
      return fetched
  }
  throw new Error('These tests need PgBouncer (Debian: apt-get install pgbouncer)')
}

/** PgBouncer in transaction mode in front of Postgres, for the owner and the role of each process. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { program, env } = findPgBouncer()
  const { port: target } = new URL(databaseUrl)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'cowry-pgbouncer-'))
  // It leaves root's rights before it reads them.
  chmodSync(folder, 0o755)
  const users = [databaseUrl, ...Object.values(roleUrls(databaseUrl))].map((url) => new URL(url))
  writeFileSync(
    join(folder, 'users'),
    users
      .map(
        ({ username, password }) => `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
      )
      .join(''),
  )
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: 'transaction',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users'),
    max_client_conn: 1000,
    admin_users: users[0]?.username ?? '',
    // Of each user.
    default_pool_size: 10,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=127.0.0.1 port=${target}\n\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href
  const service = await startService('PgBouncer', program, [join(folder, 'pgbouncer.ini')], {
    ...databaseOwner(),
    env,
    stopSignal: 'SIGINT',
    ready: () => answers(url),
  }).catch((error) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const close = async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, transactions: () => transactionsOf(url), close }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return (await client.query('select 1')).rowCount === 1
  } finally {
    await client.end().catch(() => {})
  }
}

/** By its console (PgBouncer docs, `SHOW STATS_TOTALS`). */
async function transactionsOf(url: string): Promise<number> {
  const console = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/pgbouncer' }).href,
  })
  await console.connect()
  try {
    const { rows } = await console.query<{ database: string; xact_count: string }>('show stats_totals')
    return rows.reduce((sum, row) => sum + Number(row.xact_count), 0)
  } finally {
    await console.end()
  }
}
