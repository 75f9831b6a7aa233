import { BaseError, messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { VerificationContext } from './context.ts'
import {
  decisions,
  type Outcome,
  type RequestKind,
  reasons,
  riskLevels,
  type StoredRequest,
} from './model.ts'
import { readPerson } from './personData.ts'
import type { Verifier } from './verifier.ts'

interface CheckContext extends Pick<VerificationContext, 'db' | 'verifyKey'> {
  log: Log
  verifier: Verifier
}

/** The verifier gave no valid outcome. The message holds no personal data, and may be logged. */
class NoOutcomeError extends BaseError {
  readonly code = 'no_outcome'
  readonly retry = 'no'
}

/**
 * Queries the verifier. @returns its outcome, or all where it answered more than once; empty without a valid
 * one, at the latest when `signal` is aborted, also if the verifier ignores it
 */
export async function outcomesOf(
  ctx: CheckContext,
  row: StoredRequest,
  signal: AbortSignal,
): Promise<Outcome[]> {
  const { id, kind, country, idType, dataKey } = row
  try {
    if (!dataKey) throw new NoOutcomeError('its personal data were erased before its end')
    const person = await readPerson(ctx.db, ctx.verifyKey, id, dataKey).catch((error) => {
      throw new NoOutcomeError(`its personal data could not be read: ${messageOf(error)}`)
    })
    const answer = await Promise.race([
      ctx.verifier.check({ id, kind, country, idType, person }, signal),
      aborted(signal),
    ])
    return [answer].flat().map((each) => {
      if (each.id !== id) throw new NoOutcomeError('the verifier answered for another id')
      return validOutcome(kind, each.outcome)
    })
  } catch (error) {
    ctx.log.warn(
      { verification: id, verifier: ctx.verifier.name, err: loggable(error) },
      'a verification has no outcome yet',
    )
    return []
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new NoOutcomeError('the verifier gave no answer in time'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** A verifier's error may quote the person: only its class and code are logged. */
function loggable(error: unknown): string {
  if (error instanceof NoOutcomeError) return error.message
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  const words = [name, code].filter((word) => typeof word === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(word))
  return words.length > 0 ? words.join(' ') : 'unknown error'
}

const answersOf: Record<RequestKind, readonly string[]> = {
  verification: [],
  assessment: riskLevels,
  decision: decisions,
}
const statuses: readonly string[] = [
  'completed',
  'failed',
  'not_found',
  'error',
] satisfies Outcome['status'][]

/**
 * A verifier is not trusted: its outcome has a status, an answer and a reason of the published lists. @throws
 * NoOutcomeError
 */
function validOutcome(kind: RequestKind, outcome: Outcome): Outcome {
  if (!statuses.includes(outcome.status))
    throw new NoOutcomeError('the verifier gave a status that does not exist')
  if (outcome.status === 'completed') {
    const { answer } = outcome
    const isOne = answer === undefined ? answersOf[kind].length === 0 : answersOf[kind].includes(answer)
    if (!isOne) throw new NoOutcomeError(`the verifier gave a ${kind} no answer of its own`)
    return outcome
  }
  if (answersOf[kind].length > 0 && outcome.status !== 'error')
    throw new NoOutcomeError(`the verifier gave a ${kind} no answer of its own`)
  if (!Object.hasOwn(reasons, outcome.reasonCode))
    throw new NoOutcomeError('the verifier gave a reason that does not exist')
  return outcome
}
