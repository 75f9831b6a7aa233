import { type Turn, takeTurn } from '../partnerPayments/partnerTurns.ts'
import type { Queryable } from '../platform/db.ts'
import { pause } from '../platform/wait.ts'
import type { SwapProvider } from './provider.ts'

/** A price that is older than this is not shown as the present one. */
const maxWaitMs = 15_000

type Paced = Pick<SwapProvider, 'name' | 'perSecond'>

export type TakeStreamTurn = (provider: Paced, signal: AbortSignal) => Promise<Turn>

/**
 * Turns of streams at a provider. A stream takes a turn only where no execution and no quote waits for one, and the
 * streams of a process take theirs one after the other, so that each has its share.
 * @returns a function whose result is too late after 15 seconds, and when `signal` is aborted
 */
export function createStreamTurns(db: Queryable): TakeStreamTurn {
  const lines = new Map<string, Promise<unknown>>()
  return (provider, signal) => {
    const deadline = performance.now() + maxWaitMs
    const turn = (lines.get(provider.name) ?? Promise.resolve()).then(() => free(db, provider, { deadline, signal }))
    // The next in line waits for the end of this one, however it ends.
    lines.set(
      provider.name,
      turn.catch(() => {}),
    )
    return turn
  }
}

interface Until {
  deadline: number
  signal: AbortSignal
}

/** Takes the next turn once it is free. */
async function free(db: Queryable, { name, perSecond }: Paced, { deadline, signal }: Until): Promise<Turn> {
  let turn: Turn = { inMs: 1000 / perSecond, isTooLate: true }
  while (!signal.aborted && performance.now() < deadline) {
    turn = await takeTurn(db, name, perSecond, 0)
    if (!turn.isTooLate) return turn
    await pause(Math.min(turn.inMs, deadline - performance.now()), signal)
  }
  return { ...turn, isTooLate: true }
}
