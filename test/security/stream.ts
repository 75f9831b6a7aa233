import type { Db, Tx } from '../../src/platform/database/db.ts'

/**
 * Overlapping transactions that run `check` and stay open until the next one has started, so that there is
 * always one in progress. Ends when stopped, or when `check` returns false.
 * @param check whether the transaction may proceed
 */
export function streamOf(db: Db, check: (tx: Tx) => Promise<boolean>) {
  const state = { stopped: false, allowedInProgress: 0, checks: 0 }
  const ended: Promise<unknown>[] = []
  const next = () =>
    new Promise<{ allowed: boolean; end: () => void }>((begun, failed) => {
      const work = db.tx(async (tx) => {
        const allowed = await check(tx)
        state.checks++
        if (allowed) state.allowedInProgress++
        await new Promise<void>((end) => begun({ allowed, end }))
        // It may write until then.
        if (allowed) state.allowedInProgress--
      })
      ended.push(work.catch(failed))
    })
  const running = (async () => {
    let last = await next()
    while (last.allowed && !state.stopped) {
      const now = await next()
      last.end()
      last = now
    }
    last.end()
    await Promise.all(ended)
  })()
  return {
    checks: () => state.checks,
    /** Number of transactions in progress that may proceed. */
    allowedInProgress: () => state.allowedInProgress,
    running,
    async stop() {
      state.stopped = true
      await running
    },
  }
}
