import type { Db } from '../../platform/database/db.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { ErasureLog } from './erasureLog.ts'

const atOnce = 500

/** Adds erasures that are not in the log yet to it. One that fails is tried again by `keepUp`. */
export async function noteErasures({
  db,
  log,
  erasures,
}: {
  db: Db
  log: Log
  erasures: ErasureLog | null
}): Promise<void> {
  if (!erasures) return
  try {
    for (;;) {
      const rows = await db.query<{ id: string }>(
        'select id from verifications where erased_at is not null and erasure_noted_at is null order by erased_at limit $1',
        [atOnce],
      )
      if (rows.length === 0) return
      const ids = rows.map(({ id }) => id)
      await erasures.append(ids)
      await db.query('update verifications set erasure_noted_at = now() where id = any($1)', [ids])
    }
  } catch (error) {
    log.error({ err: messageOf(error) }, 'erasures could not be added to their log; trying again later')
  }
}
