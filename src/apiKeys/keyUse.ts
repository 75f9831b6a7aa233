import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'

export interface KeyUse {
  /** Records that a key was used now. @param address null: it is not recorded */
  note(keyId: string, address: string | null): void
  /** Writes the recorded uses. */
  write(): Promise<void>
  close(): Promise<void>
}

/**
 * Tracks `last used` of keys: kept in memory and written together every few seconds, so that no request waits
 * for it.
 */
export function trackKeyUse(
  ctx: { db: Db; log: Log },
  table: 'api_keys' | 'verification_keys' = 'api_keys',
  everyMs = 2000,
): KeyUse {
  let noted = new Map<string, { at: Date; address: string | null }>()
  const write = async () => {
    if (noted.size === 0) return
    const now = noted
    noted = new Map()
    const entries = [...now]
    await ctx.db
      .query(
        `update ${table} k set last_used_at = u.at, last_used_address = u.address
         from (select * from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as u (id, at, address) order by id) u
         where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
        [
          entries.map(([id]) => id),
          entries.map(([, { at }]) => at),
          entries.map(([, { address }]) => address),
        ],
      )
      .catch((error) => {
        ctx.log.warn(
          { err: messageOf(error), keys: entries.length },
          'could not write the last use of keys; will retry',
        )
        for (const [id, use] of entries) if (!noted.has(id)) noted.set(id, use)
      })
  }
  const timer = setInterval(() => void write(), everyMs)
  timer.unref()
  return {
    note: (keyId, address) => void noted.set(keyId, { at: new Date(), address }),
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}
