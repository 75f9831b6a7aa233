import type { Queryable } from '../platform/database/db.ts'
import type { CheckedCopy } from './checkCopy.ts'

/** Its age is a metric from now on: of the newest moment that was restored soundly. */
export async function recordCheck(
  live: Queryable,
  { restoredTo, faults }: Pick<CheckedCopy, 'restoredTo' | 'faults'>,
): Promise<void> {
  await live.query('insert into backup_checks (restored_to, faults) values ($1, $2)', [restoredTo, faults])
}
