import { type DirectConnection, openDirect } from '../src/platform/db.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { pause } from '../src/platform/wait.ts'

/** The right to write for a chain: a lock that Postgres frees with the connection, and the epoch it was won under. */
export interface Leadership {
  epoch: bigint
  /** The session that holds the lock; the watch list reads its tail on it too. */
  direct: DirectConnection
  close(): Promise<void>
}

const heartbeatMs = 1000
const frozenAfter = '3s'

/**
 * Waits until this process leads the chain. A process that is frozen, not dead, would keep the lock: the
 * session is ended by Postgres when its heart-beat stays out, and the epoch fences what the frozen one
 * writes when it wakes.
 * @returns null when `signal` was aborted first
 */
export async function lead(directUrl: string, chain: string, signal: AbortSignal, onWait: () => void): Promise<Leadership | null> {
  const direct = await openDirect(directUrl, `cowry indexer ${chain}`)
  await direct.query(`set idle_session_timeout = '${frozenAfter}'`)
  let waited = false
  while (!signal.aborted) {
    const [lock] = await direct.query<{ won: boolean }>("select pg_try_advisory_lock(hashtext('cowry-indexer'), hashtext($1)) as won", [chain])
    if (lock?.won) {
      const [row] = await direct.query<{ epoch: string }>(
        `insert into chain_cursors (chain, epoch) values ($1, 1)
         on conflict (chain) do update set epoch = chain_cursors.epoch + 1 returning epoch`,
        [chain],
      )
      failpoint('indexer.leader-elected')
      const beat = setInterval(() => void direct.query('select 1').catch(() => {}), heartbeatMs)
      return {
        epoch: BigInt(row?.epoch ?? 0),
        direct,
        close: async () => {
          clearInterval(beat)
          await direct.close()
        },
      }
    }
    if (!waited) onWait()
    waited = true
    await pause(heartbeatMs, signal)
  }
  await direct.close()
  return null
}
