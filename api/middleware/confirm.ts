import type { Tx } from '../../src/platform/database/db.ts'

/**
 * Runs a check once per transaction. It locks what it reads, so the right holds until the end, unless the
 * transaction itself ends it.
 */
export function onceIn(check: (tx: Tx) => Promise<void>): (tx: Tx) => Promise<void> {
  const checked = new WeakSet<Tx>()
  return async (tx) => {
    if (checked.has(tx)) return
    await check(tx)
    checked.add(tx)
  }
}
