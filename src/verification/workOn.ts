import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { VerificationContext } from './context.ts'
import { endVerification } from './endVerification.ts'
import type { Outcome, StoredRequest } from './model.ts'
import { outcomesOf } from './outcomesOf.ts'
import type { Verifier } from './verifier.ts'

export interface WorkContext extends Pick<VerificationContext, 'db' | 'observeEnd' | 'verifyKey'> {
  log: Log
  verifier: Verifier
}

/** Makes one check that its caller has claimed. Without an outcome, it is made again later. */
export async function workOn(ctx: WorkContext, row: StoredRequest, signal: AbortSignal): Promise<void> {
  failpoint('verification.claimed')
  // The first ends it; later ones change nothing.
  for (const outcome of await outcomesOf(ctx, row, signal)) await endWith(ctx, row, outcome)
}

export async function endWith(
  ctx: Pick<WorkContext, 'db' | 'observeEnd'>,
  { id, kind }: StoredRequest,
  outcome: Outcome,
): Promise<void> {
  failpoint('verification.answered')
  if (await ctx.db.tx((tx) => endVerification(tx, id, outcome))) ctx.observeEnd(kind, outcome.status)
  failpoint('verification.ended')
}
