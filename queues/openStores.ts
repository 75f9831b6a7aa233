import { requireMigrated } from '../migrations/migrated.ts'
import type { Config } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import {
  type OwnDb,
  openDb,
  refuseWrongAddress,
  requireWritable,
  timesOf,
} from '../src/platform/database/db.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import type { processVariables } from '../src/platform/processVariables.ts'
import { openRedis, type RedisClient, requireNoEviction, requireRedis } from '../src/platform/redis/redis.ts'
import { refuseWrongCertificate } from '../src/platform/refuseWrongCertificate.ts'

/** The variables of the worker process. */
export type WorkerConfig = Config<(typeof processVariables.worker)[number]>

/**
 * Opens the database and Redis.
 * @throws ConfigError for an address or a certificate that cannot be right
 */
export async function openStores(
  { log, onStop, readyWhen }: ProcessContext,
  config: WorkerConfig,
): Promise<{ db: OwnDb; redis: RedisClient }> {
  // At least two: the progress of an addition is written outside its transaction.
  const db = openDb(config.DATABASE_URL, Math.max(2, config.DATABASE_POOL), timesOf(config))
  onStop(() => db.close())
  await refuseWrongAddress(config, timesOf(config).waitMs)
  await requireMigrated(db)
  await warnOfRights(db, log)
  await refuseWrongCertificate(config)
  const redis = openRedis(config, log)
  onStop(async () => redis.disconnect())
  await requireNoEviction(redis)
  readyWhen({ name: 'database', check: () => requireWritable(db) })
  readyWhen({ name: 'redis', check: () => requireRedis(redis) })
  return { db, redis }
}
