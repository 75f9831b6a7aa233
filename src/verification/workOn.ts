import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import type { VerificationContext } from './context.ts'
import { endVerification } from './endVerification.ts'
import { decisions, type Outcome, type RequestKind, riskLevels, type StoredRequest } from './model.ts'
import { readPerson } from './personData.ts'
import type { Verifier } from './verifier.ts'

export interface WorkContext extends Pick<VerificationContext, 'db' | 'observeEnd' | 'verifyKey'> {
  log: Log
  verifier: Verifier
}

/** Makes one check that its caller has claimed. Without an outcome, it is made again later. */
export async function workOn(ctx: WorkContext, row: StoredRequest, signal: AbortSignal): Promise<void> {
  failpoint('verification.claimed')
  const outcome = await outcomeOf(ctx, row, signal)
  if (outcome) await endWith(ctx, row, outcome)
}

export async function endWith(ctx: Pick<WorkContext, 'db' | 'observeEnd'>, { id, kind }: StoredRequest, outcome: Outcome): Promise<void> {
  failpoint('verification.answered')
  if (await ctx.db.tx((tx) => endVerification(tx, id, outcome))) ctx.observeEnd(kind, outcome.status)
  failpoint('verification.ended')
}

async function outcomeOf({ db, log, verifyKey, verifier }: WorkContext, row: StoredRequest, signal: AbortSignal): Promise<Outcome | null> {
  const { id, kind, country, idType, dataKey } = row
  try {
    if (!dataKey) throw new Error('its personal data were erased before its end')
    const person = await readPerson(db, verifyKey, id, dataKey)
    const answer = await verifier.check({ id, kind, country, idType, person }, signal)
    if (answer.id !== id) throw new Error('the verifier answered for another id')
    requireAnswer(kind, answer.outcome)
    return answer.outcome
  } catch (error) {
    log.warn({ verification: id, verifier: verifier.name, err: messageOf(error) }, 'a verification has no outcome yet')
    return null
  }
}

const answersOf: Record<RequestKind, readonly string[]> = { verification: [], assessment: riskLevels, decision: decisions }

/** @throws Error for an outcome that its kind does not have */
function requireAnswer(kind: RequestKind, outcome: Outcome): void {
  const answers = answersOf[kind]
  const answer = outcome.status === 'completed' ? outcome.answer : undefined
  const isOne = answer === undefined ? answers.length === 0 || outcome.status === 'error' : answers.includes(answer)
  if (!isOne) throw new Error(`the verifier gave a ${kind} no answer of its own`)
}
