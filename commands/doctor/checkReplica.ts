import { openDb } from '../../src/platform/database/db.ts'
import { lagOfReplica } from '../../src/platform/database/replicaPosition.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { codeOf, type DoctorContext, stepMs, unreachable, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('database')

/** The standby that the api may read lists from. */
export async function checkReplica(ctx: DoctorContext): Promise<Finding[]> {
  const config = valuesOf(ctx, 'api', ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'DATABASE_REPLICA_MAX_LAG_MS'])
  if (config?.DATABASE_REPLICA_URL === undefined) return []
  const { host } = new URL(config.DATABASE_REPLICA_URL)
  const [primary, standby] = [config.DATABASE_URL, config.DATABASE_REPLICA_URL].map((url) =>
    openDb(url, 1, { statementMs: stepMs, waitMs: stepMs }),
  ) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>]
  try {
    const lagMs = await lagOfReplica(primary, standby, config.DATABASE_REPLICA_MAX_LAG_MS)
    if (lagMs === null)
      return [
        advice(
          'api',
          'replica_behind',
          `the replica at ${host} is more than ${config.DATABASE_REPLICA_MAX_LAG_MS} ms behind, and is not read`,
          'Find out what holds up its replay (docs/runbooks/the-replica-is-not-read.md), or raise DATABASE_REPLICA_MAX_LAG_MS.',
        ),
      ]
    return [ok('api', `the replica at ${host} has replayed the log within ${Math.ceil(lagMs)} ms`)]
  } catch (error) {
    const away = unreachable(codeOf(error), host)
    return [
      fault(
        'api',
        'replica',
        `DATABASE_REPLICA_URL: ${away?.text ?? messageOf(error)}`,
        away?.cure ??
          'Correct DATABASE_REPLICA_URL: a streaming standby of the same server, with the role of the api.',
      ),
    ]
  } finally {
    await Promise.all([primary.close(), standby.close()])
  }
}
