import type { DirectConnection } from '../src/platform/database/db.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { pause } from '../src/platform/wait.ts'

/**
 * The right to write for a chain: a Postgres lock that ends with the connection, and the epoch that it was
 * won under.
 */
export interface Leadership {
  epoch: bigint
  close(): void
}

const heartbeatMs = 1000
/** Pause between a standby's tries. */
const everyMs = 500
const frozenAfterMs = 3000

/**
 * Notices that the process stood still for so long that Postgres ended its session: frozen, or its machine
 * was asleep.
 */
export function watchForFreeze(): { wasFrozen(): boolean; end(): void } {
  let aliveAt = performance.now()
  let frozen = false
  const check = () => {
    frozen ||= performance.now() - aliveAt > frozenAfterMs
    aliveAt = performance.now()
    return frozen
  }
  const timer = setInterval(check, everyMs)
  return { wasFrozen: check, end: () => clearInterval(timer) }
}

/**
 * Waits until this process leads the chain. A frozen process would keep the lock: Postgres ends its session
 * when the heartbeat stops, and the epoch fences off what it writes after it resumes.
 * @param direct the session that holds the lock
 * @param whileWaiting runs between two tries, so that a standby is up to date when it takes over
 * @returns null when `signal` was aborted first
 */
export async function lead(
  direct: DirectConnection,
  chain: string,
  signal: AbortSignal,
  whileWaiting: () => Promise<void>,
): Promise<Leadership | null> {
  await direct.query(`set idle_session_timeout = ${frozenAfterMs}`)
  while (!signal.aborted) {
    const [lock] = await direct.query<{ won: boolean }>(
      "select pg_try_advisory_lock(hashtext('cowry-indexer'), hashtext($1)) as won",
      [chain],
    )
    if (lock?.won) {
      const [row] = await direct.query<{ epoch: string }>(
        `insert into chain_cursors (chain, epoch) values ($1, 1)
         on conflict (chain) do update set epoch = chain_cursors.epoch + 1 returning epoch`,
        [chain],
      )
      failpoint('indexer.leader-elected')
      const beat = setInterval(() => void direct.query('select 1').catch(() => {}), heartbeatMs)
      return { epoch: BigInt(row?.epoch ?? 0), close: () => clearInterval(beat) }
    }
    await whileWaiting()
    await pause(everyMs, signal)
  }
  return null
}
