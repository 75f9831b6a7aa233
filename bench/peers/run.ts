import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../scripts/local/freePort.ts'
import type { Scope } from '../scope.ts'
import type { Contender, Outcome, Task } from './contender.ts'
import { install, pinned, searchPath } from './install.ts'
import type { LocalChain } from './localChain.ts'
import { startPeer } from './process.ts'
import { watchRows } from './storedRows.ts'

const folderOf = (name: string) => join(import.meta.dirname, name)

/** The chain's environment variables for every peer. */
const environment = ({ rpcUrl, token, fromBlock, toBlock }: Omit<LocalChain, 'stop'>) => ({
  PATH: searchPath(),
  BENCH_RPC_URL: rpcUrl,
  BENCH_TOKEN: token,
  BENCH_FROM_BLOCK: String(fromBlock),
  BENCH_TO_BLOCK: String(toBlock),
})

interface Start {
  cwd: string
  args: string[]
  env: Record<string, string>
  table: string
}

/** Runs a peer's process until all rows are stored. */
async function measure(scope: Scope, name: string, task: Task, start: Start): Promise<Outcome> {
  const rows = await watchRows(scope, task, start.table)
  const started = performance.now()
  const peer = startPeer(scope, name, process.execPath, start.args, {
    cwd: start.cwd,
    env: { ...environment(task), ...start.env },
  })
  const complete = await rows.complete(peer)
  const first = task.requests.firstForEvents()
  if (first === null) throw new Error(`${name} never requested events from the node`)
  return {
    events: task.transfers,
    seconds: (complete - started) / 1000,
    syncSeconds: (complete - first) / 1000,
    cpuSeconds: peer.cpuSeconds(),
    requests: task.requests.counts(),
  }
}

const squidFolder = folderOf('squid')
/** @param store `insert` as in its documentation, or `bulk` as an optimized variant */
const squid = (store: 'insert' | 'bulk'): Contender => ({
  name: store === 'insert' ? '@subsquid/evm-processor' : '@subsquid/evm-processor (bulk SQL)',
  version: pinned(squidFolder)['@subsquid/evm-processor'] ?? '',
  install: (scope) => install(scope, squidFolder),
  prepare: async () => {},
  async run(scope, task) {
    // Its migrations run before it starts.
    const client = new pg.Client({ connectionString: task.databaseUrl })
    await client.connect()
    await client.query(readFileSync(join(squidFolder, 'schema.sql'), 'utf8')).finally(() => client.end())
    return measure(scope, 'squid', task, {
      cwd: squidFolder,
      args: ['main.js'],
      env: { DB_URL: task.databaseUrl, BENCH_STORE: store },
      table: 'transfer',
    })
  },
})

const ponderFolder = folderOf('ponder')
/**
 * Its rate limiter starts at 20 requests a second for each URL and cannot be switched off, so it gets one
 * node under many URLs.
 */
const ponderUrls = 25
const ponder: Contender = {
  name: 'ponder',
  version: pinned(ponderFolder).ponder ?? '',
  install: (scope) => install(scope, ponderFolder),
  prepare: async () => {},
  async run(scope, task) {
    const port = String(await freePort())
    return measure(scope, 'ponder', task, {
      cwd: ponderFolder,
      args: [
        'node_modules/ponder/dist/esm/bin/ponder.js',
        'start',
        '--schema',
        'public',
        '--hostname',
        '127.0.0.1',
        '--port',
        port,
      ],
      env: {
        PONDER_TELEMETRY_DISABLED: 'true',
        DATABASE_URL: task.databaseUrl,
        BENCH_RPC_URLS: Array.from({ length: ponderUrls }, (_, i) => `${task.rpcUrl}/?${i}`).join(' '),
      },
      table: 'transfer',
    })
  },
}

const envioFolder = folderOf('envio')
// Its generated code is a package as well, which it installs with pnpm; this pnpm is not among the packages
// that pnpm installs.
const envioInstaller = join(envioFolder, 'installer')
const installerModules = join(envioInstaller, 'node_modules')
const pnpmEnvironment = {
  PATH: searchPath(join(installerModules, '.bin')),
  npm_config_store_dir: join(installerModules, '.pnpm/store'),
  npm_config_cache_dir: join(installerModules, '.pnpm/cache'),
  npm_config_state_dir: join(installerModules, '.pnpm/state'),
  npm_config_lockfile: 'false',
  npm_config_shamefully_hoist: 'true',
  npm_config_prefer_offline: 'true',
  CI: 'true',
}
const envio: Contender = {
  name: 'envio',
  version: pinned(envioFolder).envio ?? '',
  async install(scope) {
    await install(scope, envioInstaller)
    await install(scope, envioFolder, { command: 'pnpm', args: ['install'], env: pnpmEnvironment })
  },
  async prepare(scope, chain) {
    const env = { ...environment(chain), ...pnpmEnvironment }
    // The node's URL becomes part of the generated code.
    await startPeer(scope, 'envio codegen', process.execPath, ['node_modules/envio/bin.js', 'codegen'], {
      cwd: envioFolder,
      env,
    }).done()
  },
  async run(scope, task) {
    const { hostname, port, username, password, pathname } = new URL(task.databaseUrl)
    return measure(scope, 'envio', task, {
      // The command behind `envio start`.
      cwd: join(envioFolder, 'generated'),
      args: ['src/Index.res.js'],
      env: {
        TUI_OFF: 'true',
        ENVIO_HASURA: 'false',
        ENVIO_INDEXER_PORT: String(await freePort()),
        ENVIO_PG_HOST: hostname,
        ENVIO_PG_PORT: port,
        ENVIO_PG_USER: username,
        ENVIO_PG_PASSWORD: password,
        ENVIO_PG_DATABASE: pathname.slice(1),
      },
      table: 'Transfer',
    })
  },
}

/** The fastest peer. */
export const squidInBulk = squid('bulk')
export const peers: readonly Contender[] = [squid('insert'), squidInBulk, ponder, envio]
