import { existsSync, mkdirSync, readFileSync, watchFile } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createMigrator } from '../../migrations/migrator.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import type { Family } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { chainNames } from '../../src/chains/registry.ts'
import { createProver } from '../../src/custody/proof.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { payOnDevnets } from '../../test/partners/yellowcard/payOnDevnets.ts'
import { buildDashboard, builtPages } from '../local/buildDashboard.ts'
import { type CowryProcess, type programs, startCowry } from '../local/cowryProcess.ts'
import { freePort, isFree } from '../local/freePort.ts'
import { ensureDatabase, type LocalPostgres, startPostgres } from '../local/postgres.ts'
import { startRedis } from '../local/redis.ts'
import { type Service, spawnChannel } from '../local/service.ts'
import { accessOf, grantRoles, queuePrefix, roleUrlsOf, withoutAccess } from './access.ts'
import { writeApiShell } from './apiShell.ts'
import { writeCommandsEnv } from './commandsEnv.ts'
import { type DevDevnet, devDevnets } from './devnets.ts'
import { fundTreasury } from './fundTreasury.ts'
import { lockHome } from './lock.ts'
import { makeMerchantWallets } from './merchantWallets.ts'
import { makePayPages } from './payPages.ts'
import { startReceiver } from './receiver.ts'
import { demoEmail, seedDemo } from './seed.ts'
import { type StandInAccess, seedPayouts } from './seedPayouts.ts'
import { fundStaking, seedPlans } from './seedStaking.ts'
import { seedVerification } from './seedVerification.ts'
import { startBridge } from './startBridge.ts'
import { startPartner } from './startPartner.ts'
import { startPayer } from './startPayer.ts'
import { startSwaps } from './startSwaps.ts'
import { cowryHome, readState, writePrivate } from './state.ts'
import { openStellarAccounts } from './stellarAccount.ts'

// npm start: starts every service that is not configured, runs Cowry, and prints the URLs.

const started = Date.now()
const home = cowryHome()
const state = readState(home)
const say = (text: string) => process.stdout.write(`${text}\n`)
const step = (text: string) => say(`  ${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`)

// scripts/start.mjs ends them if this process is killed.
spawnChannel.subscribe((spawned) => void process.send?.(spawned))

/** Started services, ended in reverse order. */
const ends: { name: string; end: () => Promise<unknown> }[] = []
const processes: CowryProcess[] = []
/** Stops Cowry's own processes in parallel. */
const stops: (() => Promise<void>)[] = []
let stopping = false
let interruptedAt = 0

async function stop(code: number): Promise<never> {
  stopping = true
  say('\nStopping …')
  for (const { name, end } of ends.reverse()) {
    const slow = setTimeout(() => say(`  waiting for ${name} …`), 1000)
    await end().catch((error) => say(`  ${name}: ${messageOf(error)}`))
    clearTimeout(slow)
  }
  say('Stopped. State is kept; npm start resumes.')
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // npm forwards the interrupt that the terminal has already sent us; only a later one forces the end.
    if (stopping && Date.now() - interruptedAt > 2000) for (const each of processes) each.kill('SIGKILL')
    if (stopping) return
    interruptedAt = Date.now()
    void stop(0)
  })
}
// scripts/start.mjs was killed.
process.on('disconnect', () => {
  if (!stopping) void stop(1)
})
// The reader of the output may have ended with it.
process.stdout.on('error', () => {})

/** The host of uploads does not make their folder. */
function uploadsIn(home: string): string {
  const folder = join(home, 'uploads')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Stops everything if this server ends unexpectedly. */
function mustRun(name: string, service: Pick<Service, 'ended' | 'stop'>): void {
  ends.push({ name, end: () => service.stop() })
  void service.ended.then(() => {
    if (stopping) return
    say(`${name} ended unexpectedly.`)
    void stop(1)
  })
}

/** After SIGTERM Postgres waits for its clients, Cowry's processes: its pid file tells that it does. */
function watchPostgres({ data }: LocalPostgres): void {
  const file = join(data, 'postmaster.pid')
  watchFile(file, { interval: 500, persistent: false }, () => {
    if (stopping || !existsSync(file) || !/^stopping\s*$/m.test(readFileSync(file, 'utf8'))) return
    say('Postgres was stopped.')
    void stop(0)
  })
}

/** A port that stays the same between starts, unless another process takes it. */
async function portOf(name: string): Promise<number> {
  const port = await freePort(state.ports[name])
  state.ports[name] = port
  return port
}

try {
  await start()
} catch (error) {
  if (!stopping) {
    say(`\nCowry could not start: ${messageOf(error)}`)
    await stop(1)
  }
}

async function start(): Promise<void> {
  say(`Cowry, with its state in ${home}`)
  const lock = lockHome(home)
  ends.push({ name: 'lock', end: async () => lock.release() })

  const port = Number(process.env.PORT || '3000')
  if (port !== 0 && !(await isFree(port)))
    throw new Error(`port ${port} is taken; choose another one with PORT`)

  // In parallel: it takes a second or two if its sources changed.
  const dashboard = buildDashboard(say)
  dashboard.catch(() => {})

  let databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) {
    const postgres = await startPostgres({ home, port: await portOf('postgres'), durable: true })
    mustRun('Postgres', postgres)
    watchPostgres(postgres)
    databaseUrl = await ensureDatabase(postgres, 'cowry')
    step('Postgres')
  }
  const roleUrls = roleUrlsOf(state, databaseUrl)
  let redisUrl = process.env.REDIS_URL
  let redisUrls: Record<string, string> = {}
  if (!redisUrl) {
    const redis = await startRedis({
      home,
      port: await portOf('redis'),
      durable: true,
      say,
      prefixes: [queuePrefix()],
    })
    mustRun('Redis', redis)
    redisUrl = redis.url
    redisUrls = {
      API_REDIS_URL: redis.urls.api,
      WORKER_REDIS_URL: redis.urls.worker,
      VERIFICATION_REDIS_URL: redis.urls.verification,
    }
    step('Redis')
  }

  const devnets = await startDevnets()
  const chainEnv: Record<string, string> = Object.assign({}, ...devnets.map(({ env }) => env))
  const chains = Object.fromEntries(devnets.map(({ chain, published }) => [chain, published]))
  keepConfirmations(devnets, chainEnv)
  if (devnets.length > 0)
    step(`devnets: ${devnets.map(({ chain }) => chain).join(', ')} (a block each second)`)

  const db = openModelDb(process.env.DATABASE_DIRECT_URL || databaseUrl, 2)
  const migrated = await createMigrator(db).up()
  await grantRoles(db, databaseUrl, roleUrls)
  step(migrated.length > 0 ? `database migrated (${migrated.length} steps)` : 'database is up to date')
  const partner = process.env.YELLOWCARD_API_KEY ? null : await keepPartner(db, port, chains)
  const partnerEnv = partner && {
    YELLOWCARD_URL: partner.url,
    YELLOWCARD_API_KEY: partner.apiKey,
    YELLOWCARD_SECRET_KEY: partner.secretKey,
  }
  const swapEnv = await keepSwaps(devnets)
  const bridgeEnv = await keepBridge(devnets)

  let webhookUrl = process.env.DEMO_WEBHOOK_URL
  if (!webhookUrl) {
    const receiver = await startReceiver(await portOf('receiver'))
    ends.push({ name: 'receiver', end: () => receiver.close() })
    webhookUrl = receiver.url
  }
  const appKey = process.env.APP_KEY || state.appKey
  const passwords = createPasswords(createMetrics('start'))
  const demo = await seedDemo({ db, appKey: new Secret(appKey), passwords }, state, webhookUrl)
  Object.assign(state, demo)
  // A bare IP address has no passkeys.
  const siteUrl = `http://localhost:${port}`
  state.verificationKeys = await seedVerification(db, demo.businessId, siteUrl, state.verificationKeys)
  writePrivate(join(home, 'state.json'), state)

  const baseUrl = `http://127.0.0.1:${port}`
  await dashboard
  const pages = await keepPayer(`${baseUrl}/api/v1`, chains)
  step('dashboard')
  const verifyPort = Number(process.env.VERIFY_PORT || (await portOf('verification')))
  const env: Record<string, string> = {
    // Receivers on this machine, such as the demo's.
    WEBHOOK_ALLOW_HOSTS: 'localhost,127.0.0.1,::1',
    ...(process.env as Record<string, string>),
    ...chainEnv,
    ...partnerEnv,
    ...swapEnv,
    ...bridgeEnv,
    ...redisUrls,
    ...pages,
    APP_KEY: appKey,
    PORT: String(port),
    BASE_URL: process.env.BASE_URL || siteUrl,
    VERIFY_PORT: String(verifyPort),
    VERIFY_UPLOADS: process.env.VERIFY_UPLOADS || uploadsIn(home),
    VERIFY_BASE_URL: process.env.VERIFY_BASE_URL || `http://127.0.0.1:${verifyPort}`,
    ENVIRONMENT: process.env.ENVIRONMENT || 'test',
    // A dozen processes compile the same sources: with the last start's cache, two cores are ready 1.5
    // seconds sooner.
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE || join(import.meta.dirname, '../../node_modules/.cache/cowry/compiled'),
  }
  const { chains: configured, mistakes } = configuredChains(env)
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const familyOf = ({ chain }: DevDevnet) => configured.find(({ name }) => name === chain)?.family ?? 'evm'
  state.merchantWallets = await makeMerchantWallets(devnets, familyOf, state.merchantWallets)
  for (const devnet of devnets)
    devnet.published.merchantAddress = state.merchantWallets[familyOf(devnet)]?.address
  const onDevnets = configured.filter(({ name }) => devnets.some(({ chain }) => chain === name))
  const { SEED_KEY, VERIFY_KEY, ...shared } = withoutAccess(env)
  const access = accessOf(state, databaseUrl, roleUrls)
  const intentKey = access.cowry.API_INTENT_KEY ?? ''
  const prover = createProver(new Secret(intentKey))
  const seeding = {
    db,
    appKey: new Secret(appKey),
    prover,
    chains: onDevnets,
    wallets: state.merchantWallets,
    partner,
  }
  await seedPayouts(seeding, demo.businessId)
  ends.push({ name: 'processes', end: () => Promise.all(stops.map((end) => end())) })
  const seedKey = SEED_KEY || state.seedKey
  writeCommandsEnv(join(home, 'commands.env'), env, {
    chains: chainNames,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    APP_KEY: appKey,
    SEED_KEY: seedKey,
    API_INTENT_KEY: intentKey,
  })
  const treasuryEnv = { ...shared, ...access.treasury, SEED_KEY: seedKey }
  const treasury = keepRunning('treasury', 'treasury', [], treasuryEnv)
  await openStellar(devnets, treasury, treasuryEnv, databaseUrl)
  const cowryEnv = { ...shared, ...access.cowry, VERIFY_KEY: VERIFY_KEY || state.verifyKey }
  await seedStakingOnce(db, devnets, treasury, databaseUrl)
  const funded = treasury.then(() => fundOnce(db, devnets, familyOf, databaseUrl)).finally(() => db.close())
  await Promise.all([treasury, funded, keepRunning('cowry', 'cowry', [], cowryEnv)])
  writePrivate(join(home, 'state.json'), state)
  step(
    `cowry (api, worker, ${configured.length === 1 ? 'an indexer' : `${configured.length} indexers`}) and the treasury`,
  )

  const apiUrl = `${baseUrl}/api/v1`
  await firstBlocks(apiUrl, demo.apiKey)
  const dashboardUrl = `${siteUrl}/dashboard`
  const verifyUrl = `http://127.0.0.1:${verifyPort}`
  writePrivate(join(home, 'dev.json'), {
    apiUrl,
    dashboardUrl,
    verifyUrl,
    verificationKeys: state.verificationKeys,
    email: demoEmail,
    password: demo.password,
    metricsUrls: processes.filter((each) => each.running()).map((each) => each.metricsUrl()),
    apiKey: demo.apiKey,
    businessId: demo.businessId,
    databaseUrl,
    redisUrl,
    ...(partner && { partner }),
    webhook: { url: webhookUrl, secret: demo.webhookSecret, own: !process.env.DEMO_WEBHOOK_URL },
    chains,
  })
  writeApiShell(join(home, 'api.sh'), {
    COWRY_HOME: home,
    API: apiUrl,
    KEY: demo.apiKey,
    VERIFY: `${verifyUrl}/api/kyc`,
    VERIFY_SECRET: state.verificationKeys.secret,
  })
  announce({
    baseUrl,
    apiUrl,
    dashboardUrl,
    verifyUrl,
    webhookUrl,
    password: demo.password,
    megabytes: await memory(),
  })
}

/**
 * Opens the platform's accounts on the Stellar devnet before the indexer starts, so that its funding does not
 * count as a payment.
 */
async function openStellar(
  devnets: readonly DevDevnet[],
  treasury: Promise<void>,
  env: Record<string, string>,
  databaseUrl: string,
): Promise<void> {
  const devnet = devnets.find(({ chain }) => chain === 'stellar')
  if (!devnet || state.stellarOpenedFor === databaseUrl) return
  await treasury
  await openStellarAccounts(env, String(devnet.published.friendbotUrl))
  state.stellarOpenedFor = databaseUrl
}

/** The operator's settings win, also for a devnet. */
function keepConfirmations(devnets: readonly DevDevnet[], chainEnv: Record<string, string>): void {
  for (const { env } of devnets)
    for (const name of Object.keys(env))
      if (name.endsWith('_CONFIRMATIONS')) chainEnv[name] = process.env[name] || (env[name] ?? '')
}

/** Starts the partner's stand-in, and ends it with the others. */
async function keepPartner(
  db: Db,
  port: number,
  chains: { [chain: string]: DevDevnet['published'] },
): Promise<StandInAccess> {
  const standIn = await startPartner(db, state.yellowCard, await portOf('yellowcard'))
  ends.push({ name: 'partner', end: () => standIn.close() })
  standIn.webhooks.url = `http://127.0.0.1:${port}/api/v1/partners/yellowcard/webhooks`
  standIn.collections.pay = payOnDevnets(chains)
  step('partner stand-in for rates, banks, payments and collections, because YELLOWCARD_API_KEY is not set')
  return { url: standIn.url, ...state.yellowCard }
}

/**
 * Starts what plays the customer of checkout pages, and gives the pages its button. @returns the setting that
 * leads to them
 */
async function keepPayer(
  apiUrl: string,
  chains: { [chain: string]: DevDevnet['published'] },
): Promise<Record<string, string>> {
  const payer = await startPayer(await portOf('payer'), chains, () => apiUrl)
  ends.push({ name: 'payer', end: () => payer.close() })
  const folder = join(home, 'pages')
  makePayPages(builtPages, folder, payer.url)
  return { COWRY_PAGES: folder }
}

/**
 * Starts the swap providers' stand-ins, and ends them with the others. @returns the settings that lead to
 * them
 */
async function keepSwaps(devnets: readonly DevDevnet[]): Promise<Record<string, string>> {
  const ports = { zeroX: await portOf('zerox'), jupiter: await portOf('jupiter') }
  const { env, close } = await startSwaps(devnets, state.swapKeys, ports)
  ends.push({ name: 'swap providers', end: close })
  step('stand-ins of the swap providers, where ZEROX_API_KEY or JUPITER_API_KEY is not set')
  return env
}

/** The same for Circle's bridge of USDC. */
async function keepBridge(devnets: readonly DevDevnet[]): Promise<Record<string, string>> {
  const { env, close } = await startBridge(devnets, await portOf('circle'))
  ends.push({ name: 'bridge', end: close })
  if (env.CIRCLE_URL)
    step('the bridge of USDC on the devnets, with a stand-in of its service, because CIRCLE_URL is not set')
  return env
}

/** Gives the treasury native coin, once for each database. */
async function fundOnce(
  db: Db,
  devnets: readonly DevDevnet[],
  familyOf: (devnet: DevDevnet) => Family,
  databaseUrl: string,
): Promise<void> {
  if (state.treasuryFundedFor === databaseUrl) return
  await fundTreasury(db, devnets, familyOf)
  state.treasuryFundedFor = databaseUrl
}

/** Makes plans of stakes, and funds them where no indexer has read the chains yet, once for each database. */
async function seedStakingOnce(
  db: Db,
  devnets: readonly DevDevnet[],
  treasury: Promise<void>,
  databaseUrl: string,
): Promise<void> {
  if (state.stakingSeededFor === databaseUrl) return
  await treasury
  await seedPlans(db)
  const read = await db.query('select 1 from chain_cursors where height is not null limit 1')
  if (read.length === 0) await fundStaking(db, devnets)
  state.stakingSeededFor = databaseUrl
}

/** Waits up to ten seconds for the first block of each chain, and names chains without one. */
async function firstBlocks(apiUrl: string, apiKey: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; await delay(50)) {
    const answer = await fetch(`${apiUrl}/pos/sessions/networks/all`, { headers: { 'x-api-key': apiKey } })
    const { networks } = (await answer.json()) as { networks: { chain: string; ready: boolean }[] }
    const unread = networks.filter(({ ready }) => !ready).map(({ chain }) => chain)
    if (unread.length > 0 && Date.now() < deadline) continue
    if (unread.length > 0)
      say(`  no block of ${unread.join(', ')} was read yet: sessions there have to wait for one`)
    return
  }
}

/** Resident memory of this process and of Cowry's processes, in megabytes, without databases and devnets. */
async function memory(): Promise<number> {
  const own = await Promise.all(
    processes.map(async (each) => {
      const text = await (await fetch(each.metricsUrl())).text()
      return Number(/^cowry_process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1] ?? 0)
    }),
  )
  return Math.round([process.memoryUsage.rss(), ...own].reduce((sum, bytes) => sum + bytes, 0) / 1e6)
}

/** Prints the URLs. */
function announce(at: {
  baseUrl: string
  apiUrl: string
  dashboardUrl: string
  verifyUrl: string
  webhookUrl: string
  password: string
  megabytes: number
}): void {
  say(`
Ready in ${((Date.now() - started) / 1000).toFixed(1)} s, with ${at.megabytes} MB of memory (without databases and devnets).

  API         ${at.apiUrl}
  dashboard   ${at.dashboardUrl} (${demoEmail}, ${at.password})
  identity    ${at.verifyUrl}/api/kyc (identity checks)
  contract    ${at.baseUrl}/openapi.json
  docs        ${at.baseUrl}/docs (guides, reference, search)
  webhooks    ${at.webhookUrl}${process.env.DEMO_WEBHOOK_URL ? '' : ' (open it to see what was delivered)'}
  everything  ${join(home, 'dev.json')} (API key, URLs, devnet accounts)
  examples    ${join(home, 'api.sh')} (read it into a shell: API, KEY, get, post)
  commands    ${join(home, 'commands.env')} (settings and keys of the operator's commands)
  logs        ${join(home, 'logs')}

  Take a payment:  npm run demo
  Stop:            Ctrl-C
`)
}

/** Starts a devnet for each chain without configured nodes. */
async function startDevnets(): Promise<DevDevnet[]> {
  const wanted = chainNames.flatMap((chain) => {
    const begin = process.env[`${chain.toUpperCase()}_RPC_URLS`] ? undefined : devDevnets[chain]
    return begin ? [{ chain, begin }] : []
  })
  const outcomes = await Promise.allSettled(
    wanted.map(async ({ chain, begin }) => {
      const devnet = await begin({ home, port: await portOf(chain) })
      mustRun(`The ${chain} devnet`, devnet.service)
      return devnet
    }),
  )
  // Throw only after all have settled: the started ones are then registered, and stopped with the rest.
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/**
 * Starts a process, and starts it again when it fails. Stopped by a signal to itself, it stops everything.
 * Resolves when it is first ready.
 */
async function keepRunning(
  name: string,
  program: keyof typeof programs,
  args: string[],
  env: Record<string, string>,
): Promise<void> {
  const known = state.ports[`metrics-${name}`]
  // The last port, or one that the process chooses itself: a free port found here could be taken before the
  // process listens.
  let port = known !== undefined && (await freePort(known)) === known ? known : 0
  const launch = () => {
    const launched = startCowry(
      name,
      program,
      args,
      { ...env, METRICS_PORT: String(port) },
      join(home, 'logs', `${name}.log`),
    )
    processes.push(launched)
    return launched
  }
  let current = launch()
  stops.push(() => current.stop())
  await current.ready()
  port = Number(new URL(current.metricsUrl()).port)
  state.ports[`metrics-${name}`] = port
  void (async () => {
    for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
      await current.ended
      if (stopping) return
      if (current.exitCode() === 0) {
        say(`${name} was stopped.`)
        return void stop(0)
      }
      say(`${name} ended unexpectedly; starting it again (see ${join(home, 'logs', `${name}.log`)})`)
      await delay(pause)
      if (stopping) return
      current = launch()
    }
  })()
}
