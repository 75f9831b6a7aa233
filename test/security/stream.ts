import type { Db, Tx } from '../../src/platform/db.ts'

/**
 * Transactions that look at something and keep it, each begun before the one before has ended: there is no moment without one, until they are
 * stopped or one says that it may not.
 * @param look whether it may
 */
export function streamOf(db: Db, look: (tx: Tx) => Promise<boolean>) {
  const state = { stopped: false, mayUnderWay: 0, looks: 0 }
  const ended: Promise<unknown>[] = []
  const next = () =>
    new Promise<{ may: boolean; end: () => void }>((begun, failed) => {
      const work = db.tx(async (tx) => {
        const may = await look(tx)
        state.looks++
        if (may) state.mayUnderWay++
        await new Promise<void>((end) => begun({ may, end }))
        // It has an effect until then.
        if (may) state.mayUnderWay--
      })
      ended.push(work.catch(failed))
    })
  const running = (async () => {
    let last = await next()
    while (last.may && !state.stopped) {
      const now = await next()
      last.end()
      last = now
    }
    last.end()
    await Promise.all(ended)
  })()
  return {
    looks: () => state.looks,
    /** How many that were let in have not ended. */
    mayUnderWay: () => state.mayUnderWay,
    running,
    async stop() {
      state.stopped = true
      await running
    },
  }
}
