import { createServer } from 'node:http'
import { join } from 'node:path'
import { requireMigrated } from '../migrations/migrated.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { readSessionHashes, sessionMs } from '../src/accounts/signIns.ts'
import { createSigningKeys } from '../src/accounts/signingKeys.ts'
import { readKeyHashes } from '../src/apiKeys/findKey.ts'
import { trackKeyUse } from '../src/apiKeys/keyUse.ts'
import { bridgeApiSettings, bridgeLimitsOf } from '../src/bridge/settings.ts'
import { eventTypes, intentPurposes, settingsOf } from '../src/capabilities.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { lazyConnections } from '../src/chains/lazyConnections.ts'
import { createProviderMetrics } from '../src/chains/providers/observe.ts'
import { createProver } from '../src/custody/proof.ts'
import { createRequestKey } from '../src/custody/requestKey.ts'
import { eventSettings } from '../src/events/settings.ts'
import { createEventWaiters } from '../src/events/waiters.ts'
import { mailSettings } from '../src/mail/settings.ts'
import { coinPriceSettings, coinPrices } from '../src/money/coinPrices.ts'
import { monitoringSettings } from '../src/monitoring/settings.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { circleFrom } from '../src/partners/circle/client.ts'
import { swapProvidersFrom } from '../src/partners/swapProviders.ts'
import { createYellowCard } from '../src/partners/yellowcard/client.ts'
import { createCollectionPartner } from '../src/partners/yellowcard/collectionPartner.ts'
import { yellowCardFrom } from '../src/partners/yellowcard/fromSettings.ts'
import { createPaymentPartner } from '../src/partners/yellowcard/paymentPartner.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import { refuseWrongAddress, requireWritable, timesOf } from '../src/platform/database/db.ts'
import { openModelDb } from '../src/platform/database/modelDb.ts'
import { createOneByOne } from '../src/platform/database/oneByOne.ts'
import { createReplicaMetrics, openReplica } from '../src/platform/database/replica.ts'
import { messageOf } from '../src/platform/errors.ts'
import { type ConnectionLimits, limitConnections, serverOptions } from '../src/platform/http/connections.ts'
import {
  closeServer,
  closeWithAnswers,
  listen,
  notDraining,
  type ReadinessCheck,
} from '../src/platform/http/http.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { openImpatientRedis } from '../src/platform/redis/redis.ts'
import { refuseWrongCertificate } from '../src/platform/refuseWrongCertificate.ts'
import type { Settings } from '../src/platform/settings.ts'
import { createBankList } from '../src/pricing/bankList.ts'
import { createRateBreaker } from '../src/pricing/rateBreaker.ts'
import { createRates } from '../src/pricing/rates.ts'
import { pricingSettings, rateLimitsOf } from '../src/pricing/settings.ts'
import { knownHashes } from '../src/rateLimits/knownHashes.ts'
import { createRateLimiter } from '../src/rateLimits/rateLimiter.ts'
import { refundSettings } from '../src/refunds/settings.ts'
import { sessionSettings } from '../src/sessions/settings.ts'
import { swapSettings } from '../src/swaps/settings.ts'
import { sendingChains } from '../src/txmgr/sendingChains.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { createTxManagerMetrics } from '../src/txmgr/txManagerMetrics.ts'
import { endpointSettings } from '../src/webhooks/settings.ts'
import { createApp } from './app.ts'
import { allOperations, loadContract, loadDashboardContract, permissionsOf } from './contract.ts'
import { bodiesInFlight } from './middleware/bodiesInFlight.ts'
import { permissionsOfCallers } from './permissionsOfCallers.ts'
import { createRefusals } from './refusals.ts'
import { loadRoutes } from './routes.ts'
import { createStreams } from './streams/createStreams.ts'
import { isWebSocketRequest, serveUpgrades } from './streams/upgrades.ts'

/** Callers wait for the database: fail fast with 503. */
const databaseTimes = { statementMs: 15_000, waitMs: 3000 }

/** Starts the HTTP API, in its own process or as a part of one. */
export async function startApi({
  log,
  metrics,
  priority,
  onStop,
  readyWhen,
  stop,
  drainFor,
  draining,
  stopping,
}: ProcessContext): Promise<void> {
  const processConfig = readConfigOf('api', processVariables.api, process.env, settingsOf('api'))
  const settings = <S extends Settings>(of: S) => readSettings('api', of)
  const config = {
    ...processConfig,
    ...settings(txmgrSettings.api),
    ...settings(pricingSettings),
    ...settings(refundSettings),
    ...settings(sessionSettings),
    ...settings(coinPriceSettings),
    ...settings(swapSettings),
    ...settings(bridgeApiSettings),
    ...settings(partnerPaymentSettings),
    ...settings(monitoringSettings.api),
    ...settings(mailSettings.api),
    ...settings(endpointSettings),
    ...settings(eventSettings),
  }
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))

  const observerOf = createProviderMetrics(metrics)
  const connections = lazyConnections(chains, (chain) =>
    connectChain(chain, {
      timeoutMs: config.RPC_TIMEOUT_MS,
      crossCheckMs: config.INDEXER_CROSS_CHECK_MS,
      observe: observerOf(chain.name),
      log,
    }),
  )
  onStop(() => connections.close())

  const db = openModelDb(config.DATABASE_URL, config.DATABASE_POOL, timesOf(config, databaseTimes))
  onStop(() => db.close())
  const replicaMetrics = createReplicaMetrics(metrics)
  const replica =
    config.DATABASE_REPLICA_URL === undefined
      ? null
      : openReplica(
          { log, metrics: replicaMetrics, stopping },
          {
            url: config.DATABASE_REPLICA_URL,
            primaryUrl: config.DATABASE_URL,
            max: config.DATABASE_POOL,
            times: timesOf(config, databaseTimes),
            maxLagMs: config.DATABASE_REPLICA_MAX_LAG_MS,
          },
        )
  onStop(async () => replica?.close())
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  await refuseWrongAddress(config, databaseTimes.waitMs)
  // The database may be unreachable when the API starts.
  void warnOfRights(db, log).catch(() => {})
  await refuseWrongCertificate(config)
  const redis = openImpatientRedis(config, log)
  onStop(async () => redis.disconnect())
  const keyUse = trackKeyUse({ db, log })
  onStop(() => keyUse.close())
  const yellowCard = yellowCardFrom(config)
  const partner = yellowCard && createYellowCard(yellowCard)
  if (partner === null)
    log.info(
      'no payout partner (YELLOWCARD_API_KEY is not set): prices are in the token only, and the list of banks is empty',
    )

  const eventWaiters = createEventWaiters(
    { db, log },
    { inAll: config.EVENT_WAITERS, perBusiness: config.EVENT_WAITERS_PER_BUSINESS },
  )
  metrics.collected('event_waiters', 'Requests that wait for events', [], (gauge) =>
    gauge.set(eventWaiters.count()),
  )
  const waking = eventWaiters.run(directUrl, stopping)
  // A pooler may stand before a database that was away at the start.
  waking.catch(stop)
  onStop(() => waking)

  const appKey = appKeyOf(config)
  const signingKeys = createSigningKeys({ db, appKey, log }, config.SIGNING_KEY_DAYS)
  const requestKey = createRequestKey({ db, appKey })
  // Made before the first request, so that none makes it. A request that needs it asks again.
  await requestKey().catch((error) =>
    log.error({ err: messageOf(error) }, 'requests with an Idempotency-Key cannot be answered'),
  )
  const checks: ReadinessCheck[] = [
    { name: 'database', check: () => requireWritable(db) },
    { name: 'migrations', check: () => requireMigrated(db) },
    // Detect a changed APP_KEY now, not at the first sign-in.
    { name: 'signing-keys', check: async () => void (await signingKeys.published()) },
  ]
  for (const check of checks) readyWhen(check)

  const connectionLimits: ConnectionLimits = {
    connections: config.API_CONNECTIONS,
    perNetwork: config.API_CONNECTIONS_PER_NETWORK,
    exempt: config.TRUSTED_PROXIES,
    headersMs: config.API_HEADERS_SECONDS * 1000,
    requestMs: config.API_REQUEST_SECONDS * 1000,
    keepAliveMs: config.API_KEEP_ALIVE_SECONDS * 1000,
  }
  const refusals = createRefusals(metrics)
  const bodies = bodiesInFlight(config.API_BODY_BYTES, (reason) => refusals.inc({ reason }))
  metrics.collected('http_body_bytes', 'Bytes held by bodies of requests', [], (gauge) =>
    gauge.set(bodies.bytes()),
  )

  const contract = loadContract()
  const dashboard = loadDashboardContract()
  const streams = createStreams(
    { redis, log, metrics, stopping },
    {
      prefix: config.QUEUE_PREFIX,
      inAll: config.API_STREAMS,
      perBusiness: config.API_STREAMS_PER_BUSINESS ?? Math.ceil(config.API_STREAMS / 2),
      perCredential: config.API_STREAMS_PER_KEY,
      operations: allOperations(contract).flatMap(({ operationId, responses }) =>
        responses['101'] ? [operationId] : [],
      ),
    },
  )
  onStop(() => streams.freeAll())
  const app = createApp(
    {
      db,
      replica,
      log,
      metrics,
      chains,
      reader: async (name) => (await connections.of(name)).reader,
      accounts: async (name) => (await connections.of(name)).accounts(),
      txmgr: {
        db,
        log,
        sendingChain: sendingChains(chains, connections.of),
        purposes: intentPurposes,
        settings,
        prover: createProver(config.API_INTENT_KEY),
        reconcileMs: config.TXMGR_RECONCILE_MS ?? null,
        bumpAfterMs: null,
        unminableMs: config.TXMGR_UNMINABLE_MS,
        feeWaitMs: config.TXMGR_FEE_WAIT_MS,
        environment: config.ENVIRONMENT,
        observe: createTxManagerMetrics(metrics, chains),
        ofAddress: createOneByOne(),
      },
      appKey,
      requestKey,
      mailing: config.MAIL_FROM === undefined ? null : { appKey },
      factorPolicy: config.REQUIRE_SECOND_FACTOR,
      environment: config.ENVIRONMENT,
      issuer: config.BASE_URL,
      signingKeys,
      passwords: createPasswords(metrics),
      limiter: createRateLimiter({ redis, log, metrics }, config.QUEUE_PREFIX),
      requestLimits: { perBusiness: config.RATE_LIMIT_BUSINESS, perAddress: config.RATE_LIMIT_ADDRESS },
      caps: {
        monitoredAddresses: config.CAP_MONITORED_ADDRESSES,
        openSessions: config.CAP_OPEN_SESSIONS,
        endpointsPerHost: config.CAP_ENDPOINTS_PER_HOST,
        deliveriesPerHost: config.CAP_DELIVERIES_PER_HOST,
        importBlocksPerDay: config.CAP_IMPORT_BLOCKS_PER_DAY,
        replaysPerDay: config.CAP_REPLAYS_PER_DAY,
        nodeQuestionsPerDay: config.CAP_NODE_QUESTIONS_PER_DAY,
      },
      bulkCallsAtOnce: config.BULK_CALLS_AT_ONCE,
      idempotencyDays: config.IDEMPOTENCY_DAYS,
      knownKeys: knownHashes((firstId) => readKeyHashes({ db }, firstId)),
      knownSessions: knownHashes((firstId) => readSessionHashes({ db }, firstId), sessionMs),
      bodies,
      refusals,
      keyUse,
      knownPermissions: new Map(
        permissionsOf(contract).map(({ permission, ...needs }) => [permission, needs]),
      ),
      permissionsOfCaller: permissionsOfCallers(contract),
      trustedProxies: config.TRUSTED_PROXIES,
      dashboardFolder: join(import.meta.dirname, '../web/dist'),
      brokenAnswers: metrics.counter('http_invalid_answers_total', 'Answers that broke the contract', [
        'operation',
      ]),
      rates:
        partner &&
        createRates({
          partner,
          breaker: createRateBreaker({ db, log, partner, limits: rateLimitsOf(config) }),
          log,
          maxAgeSeconds: config.RATE_MAX_AGE_SECONDS,
        }),
      banks: partner && createBankList({ db, log, partner }),
      paymentPartner: yellowCard && createPaymentPartner(yellowCard),
      collectionPartner: yellowCard && createCollectionPartner(yellowCard),
      attestations: circleFrom(config, config.ENVIRONMENT),
      bridgeLimits: bridgeLimitsOf(config),
      swaps: swapProvidersFrom(config, metrics),
      coinUsd: coinPrices(config.SWEEP_COIN_USD),
      quoteSeconds: config.QUOTE_SECONDS,
      refundClaimDays: config.REFUND_CLAIM_DAYS,
      excessHoldDays: config.EXCESS_HOLD_DAYS,
      eventTypes,
      eventWaiters,
      eventStreamMs: config.EVENT_STREAM_SECONDS * 1000,
      streams,
      stopping,
      allowHosts: config.WEBHOOK_ALLOW_HOSTS,
      importBlocks: config.MONITORING_IMPORT_BLOCKS,
      priority,
      validateResponses: config.VALIDATE_RESPONSES,
      checks: () => [notDraining(draining), ...checks],
    },
    contract,
    dashboard,
    await loadRoutes(),
  )
  const server = createServer(
    { ...serverOptions(connectionLimits), shouldUpgradeCallback: isWebSocketRequest },
    app,
  )
  serveUpgrades(server, app)
  // `Expect: 100-continue` is answered by the code that reads the body.
  server.on('checkContinue', app)
  drainFor(config.API_DRAIN_SECONDS * 1000)
  closeWithAnswers(server, draining)
  const openConnections = limitConnections(server, connectionLimits, (reason) => refusals.inc({ reason }))
  metrics.collected('http_connections', 'Open connections to the API', [], (gauge) =>
    gauge.set(openConnections()),
  )
  const port = await listen(server, config.PORT, config.API_HOST)
  onStop(() => closeServer(server))
  log.info({ port }, 'API listening')
  process.send?.({ port })
}
