import type { Tx } from '../../src/platform/db.ts'

/** Asks once in each transaction: what holds is locked from then on, and what ends its own right to act has been let in before that. */
export function onceIn(ask: (tx: Tx) => Promise<void>): (tx: Tx) => Promise<void> {
  const asked = new WeakSet<Tx>()
  return async (tx) => {
    if (asked.has(tx)) return
    await ask(tx)
    asked.add(tx)
  }
}
