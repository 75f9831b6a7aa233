import { ConfigError } from '../../src/platform/config.ts'
import { openDirect } from '../../src/platform/database/db.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { codeOf, stepMs, unreachable } from './context.ts'
import { type DoctorPart, type Finding, findingsOf } from './finding.ts'

const { fault } = findingsOf('database')

/** Locks and notifications need Postgres itself. */
export async function checkDirect(
  config: { DATABASE_URL: string; DATABASE_DIRECT_URL: string | undefined },
  part: DoctorPart,
  waitMs = stepMs,
): Promise<Finding[]> {
  if (part === 'verification') return []
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  try {
    await (await openDirect(url, 'cowry doctor', waitMs)).close()
    return []
  } catch (error) {
    if (error instanceof ConfigError)
      return [
        fault(
          part,
          'database_pooler',
          config.DATABASE_DIRECT_URL
            ? error.message
            : 'DATABASE_URL leads through a connection pooler, and DATABASE_DIRECT_URL is not set',
          'Set DATABASE_DIRECT_URL to the address of Postgres itself: locks and notifications do not pass a pooler.',
        ),
      ]
    const { host } = new URL(url)
    const away = unreachable(codeOf(error), host)
    return [
      fault(
        part,
        'database_direct',
        `DATABASE_DIRECT_URL: ${away?.text ?? messageOf(error)}`,
        away?.cure ?? 'Correct DATABASE_DIRECT_URL.',
      ),
    ]
  }
}
