import { createServer } from 'node:http'
import { requireMigrated } from '../migrations/migrator.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { createProviderMetrics } from '../src/chains/providers/observe.ts'
import { createYellowCard } from '../src/partners/yellowcard/client.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/db.ts'
import { closeServer, listen, type ReadinessCheck } from '../src/platform/http.ts'
import { runProcess } from '../src/platform/process.ts'
import { openRedis, requireNoEviction } from '../src/platform/redis.ts'
import { createRates } from '../src/pricing/rates.ts'
import { createApp } from './app.ts'
import { loadContract } from './contract.ts'
import { createWarmUpKey, warmUp } from './warmUp.ts'

// npm run api: the HTTP API.

await runProcess('api', async ({ log, metrics, onStop, readyWhen }) => {
  const config = readConfig([
    'API_HOST',
    'APP_KEY',
    'DATABASE_POOL',
    'DATABASE_URL',
    'PORT',
    'QUOTE_SECONDS',
    'RATE_MAX_AGE_SECONDS',
    'REDIS_URL',
    'RPC_TIMEOUT_MS',
    'VALIDATE_RESPONSES',
    'YELLOWCARD_API_KEY',
    'YELLOWCARD_SECRET_KEY',
    'YELLOWCARD_URL',
  ])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))

  const observerOf = createProviderMetrics(metrics)
  const connections = new Map(
    await Promise.all(
      chains.map(async (chain) => {
        const connection = await connectChain(chain, { timeoutMs: config.RPC_TIMEOUT_MS, observe: observerOf(chain.name), log })
        return [chain.name as string, connection] as const
      }),
    ),
  )
  onStop(async () => void (await Promise.all([...connections.values()].map((each) => each.close()))))

  const db = openDb(config.DATABASE_URL, config.DATABASE_POOL)
  onStop(() => db.close())
  const redis = openRedis(config.REDIS_URL, log)
  onStop(async () => redis.disconnect())
  await requireNoEviction(redis)
  const partner = createYellowCard({ url: config.YELLOWCARD_URL, apiKey: config.YELLOWCARD_API_KEY, secretKey: config.YELLOWCARD_SECRET_KEY })

  let warm = false
  const checks: ReadinessCheck[] = [
    {
      name: 'validators',
      check: async () => {
        if (!warm) throw new Error('not warm yet')
      },
    },
    { name: 'database', check: async () => void (await db.query('select 1')) },
    { name: 'migrations', check: () => requireMigrated(db) },
    { name: 'redis', check: async () => void (await redis.ping()) },
  ]
  for (const check of checks) readyWhen(check)

  const contract = loadContract()
  const warmUpKey = createWarmUpKey()
  const app = createApp(
    {
      db,
      log,
      metrics,
      chains,
      reader(name) {
        const connection = connections.get(name)
        if (!connection) throw new Error(`${name} is not configured`)
        return connection.reader
      },
      appKey: config.APP_KEY,
      rates: createRates({ partner, log, maxAgeSeconds: config.RATE_MAX_AGE_SECONDS }),
      partner,
      quoteSeconds: config.QUOTE_SECONDS,
      warmUpKey,
      validateResponses: config.VALIDATE_RESPONSES,
      checks: () => checks,
    },
    contract,
  )
  const server = createServer(app)
  const port = await listen(server, config.PORT, config.API_HOST)
  onStop(() => closeServer(server))
  await warmUp(contract, `http://${config.API_HOST === '0.0.0.0' ? '127.0.0.1' : config.API_HOST}:${port}`, warmUpKey)
  warm = true
  log.info({ port }, 'API listening')
  process.send?.({ port })
})
