import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { unpackFromDebian } from '../../scripts/local/debianPackages.ts'
import { freePort } from '../../scripts/local/freePort.ts'
import { databaseOwner, type LocalPostgres, startPostgres } from '../../scripts/local/postgres.ts'
import { type Service, startService } from '../../scripts/local/service.ts'
import { compose, root } from './composeFile.ts'
import { waitFor } from './waitFor.ts'

const unpacked = join(root, 'node_modules/.cache/cowry/pgbackrest')
/** Debian's pgBackRest knows servers up to this version. */
const serverPackage = 'postgresql-15'
const installedServer = '/usr/lib/postgresql/15/bin'

/**
 * The folders of pgBackRest and of a Postgres that it knows: the machine's own, or those of Debian's
 * packages, which are unpacked without installing. @throws if neither is there
 */
function findPrograms(): { pgBackRest: string; server: string } {
  const own = spawnSync('pgbackrest', ['version']).status === 0
  const hasServer = existsSync(join(installedServer, 'initdb'))
  if (own && hasServer) return { pgBackRest: '/usr/bin', server: installedServer }
  const programs = {
    pgBackRest: own ? '/usr/bin' : join(unpacked, 'root/usr/bin'),
    server: hasServer ? installedServer : join(unpacked, 'root/usr/lib/postgresql/15/bin'),
  }
  const isThere = () =>
    spawnSync(join(programs.pgBackRest, 'pgbackrest'), ['version']).status === 0 &&
    existsSync(join(programs.server, 'initdb'))
  if (isThere()) return programs
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  if (spawnSync('apt-get', ['--version']).status === 0) {
    say('Fetching pgBackRest from Debian (once) …')
    if (
      unpackFromDebian(unpacked, ['pgbackrest', ...(hasServer ? [] : [serverPackage, 'libpq5'])], {
        isThere,
        say,
      })
    )
      return programs
  }
  throw new Error(
    `These tests need pgBackRest and Postgres 15 (Debian: apt-get install pgbackrest ${serverPackage})`,
  )
}

/**
 * A Postgres that archives as docker-compose.yml has it, with the image's configuration of pgBackRest and its
 * scripts.
 */
export interface Archived {
  server: LocalPostgres
  /**
   * A program of the image, with the rights of Postgres' user.
   * @param more `later`: its clock is ahead by this, as `25 hours`; `moment`: what it restores
   * @throws with its output if it fails
   */
  run(
    program: 'backup.sh' | 'restore.sh' | 'pgbackrest',
    words?: readonly string[],
    more?: { later?: string; moment?: string },
  ): Promise<string>
  /** The repository of backups. */
  repository: string
  /** Runs `restored.sh`, which serves a copy of the newest state, or of that moment. */
  restored(moment?: string): Promise<Copy>
  /** Postgres ends as if its machine lost power, and its data are gone. */
  lose(): Promise<void>
  /** Starts Postgres again, at the same address, on what the folder of its data now has. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

export interface Copy extends Service {
  url(database: string): string
}

const ofCompose = compose.services.postgres?.command?.filter((word) => word.includes('=')) ?? []

/** @param settings more than docker-compose.yml has */
export async function startArchived(settings: readonly string[] = []): Promise<Archived> {
  const found = findPrograms()
  const owner = databaseOwner()
  // Postgres' user may enter it.
  const home = mkdtempSync(join(tmpdir(), 'cowry-backup-'))
  chmodSync(home, 0o755)
  const folder = (name: string): string => {
    const path = join(home, name)
    mkdirSync(path, { mode: 0o700 })
    if (owner) chownSync(path, owner.uid, owner.gid)
    return path
  }
  const [programs, repository, sockets, locks, scratch] = [
    'programs',
    'repository',
    'sockets',
    'locks',
    'scratch',
  ].map(folder) as [string, string, string, string, string]
  for (const file of ['backup.sh', 'restore.sh', 'restored.sh', 'pgbackrest.conf'])
    cpSync(join(root, 'deploy/postgres', file), join(programs, file))
  cpSync(join(found.pgBackRest, 'pgbackrest'), join(programs, 'pgbackrest'))
  const port = await freePort()
  const env = {
    PATH: [programs, found.server, process.env.PATH].join(delimiter),
    PGBACKREST_STANZA: 'cowry',
    PGBACKREST_CONFIG: join(programs, 'pgbackrest.conf'),
    PGBACKREST_REPO1_PATH: repository,
    PGBACKREST_REPO1_CIPHER_PASS: 'cowry-backup-canary',
    PGBACKREST_LOCK_PATH: locks,
    PGBACKREST_PG1_PATH: join(home, 'postgres/data'),
    PGBACKREST_PG1_SOCKET_PATH: sockets,
    PGBACKREST_PG1_PORT: String(port),
  }
  const start = () =>
    startPostgres({
      home,
      port,
      durable: false,
      bin: found.server,
      env,
      settings: [`unix_socket_directories=${sockets}`, ...ofCompose, ...settings],
    })
  let server = await start()
  const password = decodeURIComponent(new URL(server.url('x')).password)
  const user = { ...owner, cwd: home, env: { ...env, PGPASSWORD: password } }
  const ahead = folder('ahead')
  writeFileSync(join(ahead, 'date'), '#!/bin/sh\nexec /bin/date -d "$2 $COWRY_LATER" "$3"\n', { mode: 0o755 })
  const copies: Service[] = []
  return {
    get server() {
      return server
    },
    repository,
    async run(program, words = [], { later, moment } = {}) {
      const as = {
        ...user,
        env: {
          ...user.env,
          ...(moment === undefined ? {} : { RESTORE_TO: moment }),
          ...(later === undefined
            ? {}
            : { PATH: [ahead, user.env.PATH].join(delimiter), COWRY_LATER: later }),
        },
      }
      const { stdout } = await promisify(execFile)(join(programs, program), [...words], {
        ...as,
        maxBuffer: 2 ** 24,
      }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
        throw new Error(`${program} ${words.join(' ')}: ${error.stdout}${error.stderr || error.message}`)
      })
      return stdout
    },
    async restored(moment) {
      const copyPort = await freePort()
      const url = (database: string) =>
        Object.assign(new URL(server.url(database)), { port: String(copyPort) }).href
      const words = [
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        `port=${copyPort}`,
        'fsync=off',
        'max_connections=300',
      ].flatMap((word) => ['-c', word])
      const copy = await startService('restored.sh', join(programs, 'restored.sh'), words, {
        ...user,
        env: { ...user.env, RESTORED: scratch, ...(moment === undefined ? {} : { RESTORE_TO: moment }) },
        stopSignal: 'SIGINT',
        // It serves reads before it has recovered.
        ready: () => isRecovered(url('postgres')),
      })
      copies.push(copy)
      return { ...copy, url }
    },
    async lose() {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      // As on a new volume: the folder itself is gone, too.
      renameSync(server.data, join(home, 'lost'))
    },
    async startAgain() {
      server = await start()
      await waitFor(
        'the end of the recovery',
        () => isRecovered(server.url('postgres')).catch(() => false),
        120_000,
      )
    },
    async close() {
      await Promise.all([server, ...copies].map((each) => each.stop()))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function isRecovered(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ is: boolean }>('select not pg_is_in_recovery() as is')
    return rows[0]?.is === true
  } finally {
    await client.end()
  }
}
