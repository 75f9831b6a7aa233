import { requireMigrated } from '../../migrations/migrated.ts'
import { trackKeyUse } from '../../src/apiKeys/keyUse.ts'
import { readConfigOf } from '../../src/platform/config.ts'
import { warnOfRights } from '../../src/platform/database/databaseRights.ts'
import { openDb, refuseWrongAddress, requireWritable, timesOf } from '../../src/platform/database/db.ts'
import { notDraining, type ReadinessCheck } from '../../src/platform/http/http.ts'
import type { ProcessContext } from '../../src/platform/process.ts'
import { processVariables } from '../../src/platform/processVariables.ts'
import { openImpatientRedis } from '../../src/platform/redis/redis.ts'
import { refuseWrongCertificate } from '../../src/platform/refuseWrongCertificate.ts'
import { labelSets } from '../../src/platform/telemetry/labelSets.ts'
import { knownHashes } from '../../src/rateLimits/knownHashes.ts'
import { createRateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import { verifyKeyOf } from '../../src/verification/dataKey.ts'
import { folderErasureLog } from '../../src/verification/erasures/erasureLog.ts'
import { replayUntilDone } from '../../src/verification/erasures/replayErasures.ts'
import { readVerificationKeyHashes } from '../../src/verification/findKey.ts'
import { keepUp } from '../../src/verification/keepUp.ts'
import type { RequestKind } from '../../src/verification/model.ts'
import { endedStatuses, requestKinds } from '../../src/verification/model.ts'
import { sandboxVerifier } from '../../src/verification/sandboxVerifier.ts'
import { createUploadMetrics } from '../../src/verification/uploads/uploadMetrics.ts'
import { folderStore } from '../../src/verification/uploads/uploadStore.ts'
import { createVerificationMetrics } from '../../src/verification/verificationMetrics.ts'
import { workVerifications } from '../../src/verification/workVerifications.ts'
import { loadVerificationContract } from '../contract.ts'
import { bodiesInFlight } from '../middleware/bodiesInFlight.ts'
import { createRefusals } from '../refusals.ts'
import { serveApp } from '../serveApp.ts'
import { createVerificationApp } from './app.ts'

/** More than the largest upload takes at the floor of its rate (`filePart.ts`); JSON bodies have `bodyMs`. */
const maxUploadMs = 2_400_000
/** Callers wait for the database: fail fast with 503. */
const databaseTimes = { statementMs: 15_000, waitMs: 3000 }

/** Starts the verification host, in its own process or as a part of one. */
export async function startVerification(context: ProcessContext): Promise<void> {
  const { log, metrics, priority, onStop, readyWhen, draining, stopping } = context
  const config = readConfigOf('verification', processVariables.verification)
  const verifyKey = verifyKeyOf(config)
  const db = openDb(config.DATABASE_URL, config.DATABASE_POOL, timesOf(config, databaseTimes))
  onStop(() => db.close())
  // It takes no notifications: a pooler is no mistake.
  await refuseWrongAddress(config, databaseTimes.waitMs, 'pooled')
  // The database may be unreachable when the process starts.
  void warnOfRights(db, log).catch(() => {})
  await refuseWrongCertificate(config)
  const redis = openImpatientRedis(config, log)
  onStop(async () => redis.disconnect())
  // The sandbox checks nothing: a deployment of mainnets has no verifier yet.
  const verifier = config.ENVIRONMENT === 'test' ? sandboxVerifier : null
  const uploads = config.VERIFY_UPLOADS === undefined ? null : folderStore(config.VERIFY_UPLOADS)
  const erasures = config.VERIFY_UPLOADS === undefined ? null : folderErasureLog(config.VERIFY_UPLOADS)
  const replayed = erasures
    ? replayUntilDone({ db, log, uploads, erasures }, stopping)
    : Promise.resolve(true)
  let isReplayed = false
  void replayed.then((done) => (isReplayed = done))
  const keyUse = trackKeyUse({ db, log }, 'verification_keys')
  onStop(() => keyUse.close())
  const checks: ReadinessCheck[] = [
    { name: 'database', check: () => requireWritable(db) },
    { name: 'migrations', check: () => requireMigrated(db) },
    { name: 'erasures', check: async () => requireReplayed(isReplayed) },
  ]
  if (uploads) checks.push({ name: 'uploads', check: () => uploads.requireWritable() })
  for (const check of checks) readyWhen(check)

  const refusals = createRefusals(metrics)
  const bodies = bodiesInFlight(config.API_BODY_BYTES, (reason) => refusals.inc({ reason }))
  createVerificationMetrics(metrics, db)
  const observeUpload = createUploadMetrics(metrics, { db, uploads })
  const ended = metrics.counter(
    'verifications_ended_total',
    'Requests of the verification area that have ended',
    ['kind', 'status'],
  )
  for (const labels of labelSets({ kind: requestKinds, status: endedStatuses })) ended.inc(labels, 0)
  const observeEnd = (kind: RequestKind, status: string) => ended.inc({ kind, status })
  const app = createVerificationApp(
    {
      db,
      log,
      metrics,
      priority,
      stopping,
      bodies,
      bodyMs: config.API_REQUEST_SECONDS * 1000,
      refusals,
      keyUse,
      verifier,
      verifyKey,
      uploads,
      erasures,
      unusedBytes: config.VERIFY_UNUSED_BYTES,
      observeEnd,
      observeUpload,
      verifyUrl: config.VERIFY_BASE_URL.replace(/\/+$/, ''),
      environment: config.ENVIRONMENT,
      // Its own counts: the api's Redis user cannot change them, nor this one the api's.
      limiter: createRateLimiter({ redis, log, metrics }, `${config.QUEUE_PREFIX}:verification`),
      requestLimits: {
        perBusiness: config.RATE_LIMIT_BUSINESS,
        perAddress: config.RATE_LIMIT_ADDRESS,
        uploads: config.VERIFY_UPLOADS_PER_MINUTE,
      },
      knownKeys: knownHashes((firstId) => readVerificationKeyHashes({ db }, firstId)),
      trustedProxies: config.TRUSTED_PROXIES,
      validateResponses: config.VALIDATE_RESPONSES,
      brokenAnswers: metrics.counter('http_invalid_answers_total', 'Answers that broke the contract', [
        'operation',
      ]),
      checks: () => [notDraining(draining), ...checks],
    },
    loadVerificationContract(),
  )
  // Data that a restored database has brought back are sent to no verifier.
  const working = replayed.then(() =>
    workVerifications({ db, log, verifyKey, verifier, observeEnd }, stopping),
  )
  onStop(() => working)
  const kept = keepUp({ db, log, uploads, erasures, retentionDays: config.VERIFY_RETENTION_DAYS }, stopping)
  onStop(() => kept)
  const { port } = await serveApp(
    context,
    {
      port: config.VERIFY_PORT,
      host: config.API_HOST,
      limits: {
        connections: config.API_CONNECTIONS,
        perNetwork: config.API_CONNECTIONS_PER_NETWORK,
        exempt: config.TRUSTED_PROXIES,
        headersMs: config.API_HEADERS_SECONDS * 1000,
        requestMs: maxUploadMs,
        keepAliveMs: config.API_KEEP_ALIVE_SECONDS * 1000,
      },
      drainMs: config.API_DRAIN_SECONDS * 1000,
      refused: (reason) => refusals.inc({ reason }),
    },
    app,
  )
  log.info({ port }, 'verification listening')
  process.send?.({ verifyPort: port })
}

/**
 * @throws Error before the log of erasures was replayed: a restored database may have personal data that were
 * erased
 */
function requireReplayed(isReplayed: boolean): void {
  if (!isReplayed) throw new Error('the log of erasures is not replayed yet')
}
