import { type Turn, takeTurn } from '../partnerPayments/partnerTurns.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Readers } from '../platform/quoteSource.ts'
import { pause } from '../platform/wait.ts'
import { createFairLine, type FairLine } from './fairLine.ts'
import type { SwapProvider } from './provider.ts'

/** A price that is older than this is not shown as the present one. */
const maxWaitMs = 15_000

type Paced = Pick<SwapProvider, 'name' | 'perSecond'>

export type TakeStreamTurn = (provider: Paced, readers: Readers) => Promise<Turn>

interface Waiter extends Readers {
  deadline: number
  resolve(turn: Turn): void
  reject(error: unknown): void
}

/**
 * Turns of streams at a provider. A stream takes a turn only where no execution and no quote waits for one.
 * In a process the businesses alternate, so that one with many streams leaves the others their share.
 * @returns a function whose result is too late after 15 seconds, and when the signal is aborted
 */
export function createStreamTurns(db: Queryable): TakeStreamTurn {
  const lines = new Map<string, FairLine<Waiter>>()
  return (provider, readers) => {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const line = lines.get(provider.name) ?? createFairLine<Waiter>()
    lines.set(provider.name, line)
    const isServed = !line.isEmpty()
    line.add({ ...readers, deadline: performance.now() + maxWaitMs, resolve, reject })
    if (!isServed) void serve(db, provider, line)
    return promise
  }
}

/** Gives turns to a line until it is empty. */
async function serve(db: Queryable, { name, perSecond }: Paced, line: FairLine<Waiter>): Promise<void> {
  let turn: Turn = { inMs: 1000 / perSecond, isTooLate: true }
  const isOver = ({ signal, deadline }: Waiter) => signal.aborted || performance.now() >= deadline
  const removeOver = () => {
    for (const { resolve } of line.removeIf(isOver)) resolve({ ...turn, isTooLate: true })
  }
  try {
    for (;;) {
      removeOver()
      if (line.isEmpty()) return
      turn = await takeTurn(db, name, perSecond, 0)
      // Streams may have ended meanwhile.
      removeOver()
      if (!turn.isTooLate) line.next()?.resolve(turn)
      else if (!line.isEmpty()) await pause(Math.min(turn.inMs, maxPauseMs))
    }
  } catch (error) {
    for (const { reject } of line.removeIf(() => true)) reject(error)
  }
}

/** Bounds how late a stream learns that it waits in vain. */
const maxPauseMs = 1000
