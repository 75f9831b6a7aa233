import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createMigrator } from '../migrations/migrator.ts'
import { seedDemo } from '../scripts/dev/seed.ts'
import { type CowryProcess, startCowry } from '../scripts/local/cowryProcess.ts'
import { ensureDatabase, startPostgres } from '../scripts/local/postgres.ts'
import { startRedis } from '../scripts/local/redis.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { assetsOf } from '../src/chains/registry.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { type ModelDb, openModelDb } from '../src/platform/database/modelDb.ts'
import { createOneByOne } from '../src/platform/database/oneByOne.ts'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { createMetrics } from '../src/platform/telemetry/metrics.ts'
import { intentEnv } from '../test/support/intentKeys.ts'
import { demoPassword } from '../test/support/stack.ts'
import { appKey } from '../test/support/template.ts'
import { wideCaps } from '../test/support/wideCaps.ts'
import { type Child, startChild } from './child.ts'
import { type PaidAs, paidNumber } from './payingBlock.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { configuredChain, firstHeight } from './recordedChain.ts'
import { type Replay, startReplay } from './replay.ts'
import { perBlock } from './scaleTables.ts'
import type { Scope } from './scope.ts'
import { syntheticAddress } from './watchedDatabase.ts'

/**
 * A deployment that takes payments: one database and Redis, one indexer, any number of apis and workers, a
 * node and a receiver.
 */
export interface ScaleDeployment {
  db: ModelDb
  redis: Redis
  redisPid: number
  indexer: CowryProcess
  /** Their number is changed by `use`. */
  apis: CowryProcess[]
  workers: CowryProcess[]
  use(processes: number): Promise<void>
  node: Replay
  receiver: Child
  /** Of each business. */
  apiKeys: readonly string[]
}

/** Heights with addresses for their payments. */
const heights = 3200
const businesses = 4
export const amount = '5'
export const confirmations = 2

/** The recipient of each payment, in the order in which the pool gives addresses out. */
const addressOf = (payment: number): string =>
  `0x${syntheticAddress(paidNumber(firstHeight + 1 + Math.floor(payment / perBlock), payment % perBlock)).toString('hex')}`

/** The height whose block pays an address. */
export const heightsByAddress = (): Map<string, number> =>
  new Map(
    Array.from({ length: heights * perBlock }, (_, payment) => [
      addressOf(payment),
      firstHeight + 1 + Math.floor(payment / perBlock),
    ]),
  )

export async function startDeployment(scope: Scope): Promise<ScaleDeployment> {
  const home = scope.keep(mkdtempSync(join(tmpdir(), 'cowry-scale-')), async (folder) =>
    rmSync(folder, { recursive: true, force: true }),
  )
  progress('starting Postgres, Redis, a node and a receiver')
  const [postgres, redis] = await Promise.all([
    startPostgres({ home, durable: false, preload: 'pg_stat_statements' }),
    startRedis({ home, durable: false }),
  ])
  scope.keep(postgres, (each) => each.stop())
  scope.keep(redis, (each) => each.stop())
  const url = await ensureDatabase(postgres, 'cowry')
  const db = scope.keep(openModelDb(url, 3), (each) => each.close())
  await createMigrator(db).up()
  await db.query('create extension pg_stat_statements')
  await addAddresses(url)
  const receiver = askedInTurn(
    scope.keep(startChild(new URL('./paidReceiver.ts', import.meta.url)), (each) => each.close()),
  )
  const { port } = await receiver.next<{ port: number }>()
  const replay = await startReplay(scope, 'ethereum')
  const ordered = createOneByOne()
  const node: Replay = { ...replay, order: (order) => ordered('', () => replay.order(order)) }
  await node.order({ paying: { outOf: 1, payments: perBlock, as: paidAs() } })

  const passwords = createPasswords(createMetrics('bench'))
  const apiKeys: string[] = []
  for (let i = 0; i < businesses; i++) {
    const known = {
      businessId: null,
      apiKey: null,
      webhookSecret: null,
      password: i === 0 ? null : demoPassword,
    }
    apiKeys.push(
      (
        await seedDemo(
          { db, appKey: new Secret(appKey), passwords },
          known,
          `http://127.0.0.1:${port}/hooks/${newId()}`,
        )
      ).apiKey,
    )
  }

  const caps = Object.fromEntries(
    Object.entries(wideCaps).map(([name, cap]) => [`CAP_${snake(name)}`, String(cap)]),
  )
  const env: Record<string, string> = {
    ...asInProduction(),
    ...caps,
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    APP_KEY: appKey,
    ...intentEnv,
    ENVIRONMENT: 'test',
    PORT: '0',
    API_HOST: '127.0.0.1',
    RATE_LIMIT_BUSINESS: '10000000',
    RATE_LIMIT_ADDRESS: '10000000',
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    ETHEREUM_RPC_URLS: node.url,
    ETHEREUM_WS_URLS: node.wsUrl,
    ETHEREUM_START_BLOCK: String(firstHeight),
    ETHEREUM_CONFIRMATIONS: String(confirmations),
  }
  const start = async (name: string, program: 'api' | 'worker' | 'indexer', args: string[] = []) => {
    const started = startCowry(
      name,
      program,
      args,
      env,
      join(process.env.COWRY_TEST_HOME ?? tmpdir(), `bench-scale-${name}.log`),
    )
    scope.keep(started, (each) => each.stop())
    await started.ready()
    return started
  }
  progress('starting indexer, api and worker')
  const [indexer, api, worker] = await Promise.all([
    start('indexer', 'indexer', ['ethereum']),
    start('api-1', 'api'),
    start('worker-1', 'worker'),
  ])
  const client = scope.keep(new Redis(redis.url), async (each) => each.disconnect())
  const deployment: ScaleDeployment = {
    ...{
      db,
      redis: client,
      redisPid: redis.pid,
      indexer,
      apis: [api],
      workers: [worker],
      node,
      receiver,
      apiKeys,
    },
    async use(processes) {
      const { apis, workers } = deployment
      for (const some of [apis, workers]) for (const each of some.splice(processes)) await each.stop()
      while (apis.length < processes) apis.push(await start(`api-${apis.length + 1}`, 'api'))
      while (workers.length < processes) workers.push(await start(`worker-${workers.length + 1}`, 'worker'))
    },
  }
  return deployment
}

/**
 * The addresses that a block pays, and that no session has: a session that got one later would never be paid.
 */
export async function takeAddresses({ db }: ScaleDeployment, height: number): Promise<void> {
  const first = (height - firstHeight - 1) * perBlock
  await db.query(
    'update deposit_addresses set taken_at = now() where family = $1 and index >= $2 and index < $3 and taken_at is null',
    ['evm', first, first + perBlock],
  )
}

/** A child answers one question at a time. */
function askedInTurn(child: Child): Child {
  const inTurn = createOneByOne()
  return { ...child, ask: (order) => inTurn('', () => child.ask(order)) }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

function paidAs(): PaidAs {
  const usdc = assetsOf(configuredChain('ethereum')).find(({ symbol }) => symbol === 'USDC')
  if (!usdc?.contract) throw new Error('ethereum has no USDC')
  return { contract: usdc.contract, amount: Number(amount) * 10 ** usdc.decimals }
}

/** Addresses without keys, those that the node's blocks pay. */
async function addAddresses(url: string): Promise<void> {
  const direct = await openDirect(url, 'cowry bench')
  try {
    await direct.query(
      `insert into deposit_addresses (family, index, address, path)
       select 'evm', n - 1, address, 'bench' from unnest($1::text[]) with ordinality as t(address, n)`,
      [[...heightsByAddress().keys()]],
    )
    await direct.query('vacuum (analyze) deposit_addresses')
  } finally {
    await direct.close()
  }
}
