import { deferTurns } from '../partnerPayments/partnerTurns.ts'
import { takeSharedTurn } from '../partnerPayments/sharedTurns.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { pause } from '../platform/wait.ts'
import { type Attestations, AttestationsError } from './attestations.ts'

export interface RequestCircleContext {
  db: Queryable
  log: Log
  attestations: Attestations
}

/** The name of Circle's turns. */
const partner = 'circle'

/**
 * Runs one request to Circle, at a turn of its own: all processes share its budget.
 * @throws AttestationsError; `throttled` also where the next turn is more than `maxWaitMs` away
 */
export async function requestCircle<T>(
  ctx: RequestCircleContext,
  maxWaitMs: number,
  work: (circle: Attestations) => Promise<T>,
): Promise<T> {
  const turn = await takeSharedTurn(ctx.db, partner, ctx.attestations.perSecond, maxWaitMs)
  if (turn.isTooLate)
    throw new AttestationsError(
      'throttled',
      'The requests of this second are used up',
      Math.ceil(turn.inMs / 1000),
    )
  if (turn.inMs >= 1) await pause(turn.inMs)
  try {
    return await work(ctx.attestations)
  } catch (error) {
    if (!(error instanceof AttestationsError)) throw error
    ctx.log.warn({ problem: error.problem, err: error.message }, 'Circle did not serve a request')
    // It blocks the address of all processes.
    if (error.retryAfterSeconds !== null) await deferTurns(ctx.db, partner, error.retryAfterSeconds * 1000)
    throw error
  }
}
