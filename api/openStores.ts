import { requireMigrated } from '../migrations/migrated.ts'
import type { Config } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import { refuseWrongAddress, requireWritable, timesOf } from '../src/platform/database/db.ts'
import { type ModelDb, openModelDb } from '../src/platform/database/modelDb.ts'
import { createReplicaMetrics, openReplica, type Replica } from '../src/platform/database/replica.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import type { processVariables } from '../src/platform/processVariables.ts'
import { openImpatientRedis, type RedisClient } from '../src/platform/redis/redis.ts'
import { refuseWrongCertificate } from '../src/platform/refuseWrongCertificate.ts'

/** Callers wait for the database: fail fast with 503. */
const databaseTimes = { statementMs: 15_000, waitMs: 3000 }

/** The variables of the api process. */
export type ApiConfig = Config<(typeof processVariables.api)[number]>

/**
 * Opens the database, its replica where there is one, and Redis.
 * @throws ConfigError for an address or a certificate that cannot be right
 */
export async function openStores(
  { log, metrics, readyWhen, onStop, stopping }: ProcessContext,
  config: ApiConfig,
): Promise<{ db: ModelDb; replica: Replica | null; redis: RedisClient }> {
  const times = timesOf(config, databaseTimes)
  const db = openModelDb(config.DATABASE_URL, config.DATABASE_POOL, times)
  onStop(() => db.close())
  readyWhen({ name: 'database', check: () => requireWritable(db) })
  readyWhen({ name: 'migrations', check: () => requireMigrated(db) })
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
            times,
            maxLagMs: config.DATABASE_REPLICA_MAX_LAG_MS,
          },
        )
  onStop(async () => replica?.close())
  await refuseWrongAddress(config, databaseTimes.waitMs)
  // The database may be unreachable when the API starts.
  void warnOfRights(db, log).catch(() => {})
  await refuseWrongCertificate(config)
  const redis = openImpatientRedis(config, log)
  onStop(async () => redis.disconnect())
  return { db, replica, redis }
}
