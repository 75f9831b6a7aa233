import { join } from 'node:path'
import {
  approvalSources,
  capabilities,
  eventTypes,
  intentPurposes,
  outflowEventSources,
  settingsOf,
} from '../src/capabilities.ts'
import type { ApiStart } from '../src/capability.ts'
import { connectChains } from '../src/chains/connectChains.ts'
import { createOutflowEvents } from '../src/outflows/outflowEvents.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { readConfigOf, readSettings } from '../src/platform/config.ts'
import { notDraining, type ReadinessCheck } from '../src/platform/http/http.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { checkoutUrls } from '../src/sessions/checkout/checkoutToken.ts'
import { createApp } from './app.ts'
import { allOperations, loadContracts, permissionsOf } from './contract.ts'
import { connectionLimitsOf, createLimits } from './limits.ts'
import { openStores } from './openStores.ts'
import { openPartners } from './partners.ts'
import { permissionsOfCallers } from './permissionsOfCallers.ts'
import { loadRoutes } from './routes.ts'
import { serveApp } from './serveApp.ts'
import { startCapabilities } from './startCapabilities.ts'
import { createStreams } from './streams/createStreams.ts'
import { isWebSocketRequest, serveUpgrades } from './streams/upgrades.ts'

/** Starts the HTTP API, in its own process or as a part of one. */
export async function startApi(context: ProcessContext): Promise<void> {
  const { log, metrics, priority, onStop, stop, draining, stopping } = context
  const config = readConfigOf('api', processVariables.api, process.env, settingsOf('api'))
  const { chains, connectionOf } = connectChains(context, config)
  const checks: ReadinessCheck[] = []
  const readyWhen = (check: ReadinessCheck) => {
    checks.push(check)
    context.readyWhen(check)
  }
  const { db, replica, redis } = await openStores({ ...context, readyWhen }, config)

  const start: ApiStart = {
    db,
    log,
    metrics,
    chains,
    connectionOf,
    purposes: intentPurposes,
    appKey: appKeyOf(config),
    environment: config.ENVIRONMENT,
    issuer: config.BASE_URL,
    directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    settings: (of) => readSettings('api', of),
    readyWhen,
    onStop,
    stop,
    stopping,
  }
  const limits = createLimits(start, redis, config)
  const { programs: contract, dashboard } = loadContracts()
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
  const brought = await startCapabilities(start, capabilities)
  brought.eventWaiters.onSession(brought.checkouts.changed)
  onStop(() => streams.freeAll())
  const app = createApp(
    {
      ...brought,
      ...openPartners(start),
      ...limits,
      db,
      replica,
      log,
      metrics,
      chains,
      reader: async (name) => (await connectionOf(name)).reader,
      accounts: async (name) => (await connectionOf(name)).accounts(),
      appKey: start.appKey,
      outflowEvents: createOutflowEvents(outflowEventSources, start),
      approvalSources,
      environment: config.ENVIRONMENT,
      issuer: config.BASE_URL,
      checkoutUrl: checkoutUrls(start.appKey, config.BASE_URL),
      idempotencyDays: config.IDEMPOTENCY_DAYS,
      knownPermissions: new Map(
        permissionsOf(contract).map(({ permission, ...needs }) => [permission, needs]),
      ),
      permissionsOfCaller: permissionsOfCallers(contract),
      trustedProxies: config.TRUSTED_PROXIES,
      dashboardFolder: pagesFolder(),
      brokenAnswers: metrics.counter('http_invalid_answers_total', 'Answers that broke the contract', [
        'operation',
      ]),
      eventTypes,
      streams,
      stopping,
      priority,
      validateResponses: config.VALIDATE_RESPONSES,
      checks: () => [notDraining(draining), ...checks],
    },
    contract,
    dashboard,
    await loadRoutes(),
  )
  const { port, openConnections } = await serveApp(
    context,
    {
      port: config.PORT,
      host: config.API_HOST,
      limits: connectionLimitsOf(config),
      drainMs: config.API_DRAIN_SECONDS * 1000,
      options: { shouldUpgradeCallback: isWebSocketRequest },
      refused: (reason) => limits.refusals.inc({ reason }),
    },
    app,
    (server) => serveUpgrades(server, app),
  )
  metrics.collected('http_connections', 'Open connections to the API', [], (gauge) =>
    gauge.set(openConnections()),
  )
  log.info({ port }, 'API listening')
  process.send?.({ port })
}

/**
 * The built pages. `npm start` supervises its processes, and gives them a copy with a button that plays the
 * customer; no other deployment has one.
 */
const pagesFolder = (): string =>
  (process.env.COWRY_SUPERVISED && process.env.COWRY_PAGES) || join(import.meta.dirname, '../web/dist')
