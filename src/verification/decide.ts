import type { Actor } from '../audit/recordAudit.ts'
import type { VerificationContext } from './context.ts'
import type { StoredRequest } from './model.ts'
import type { Person } from './personData.ts'
import { readRequest } from './readVerification.ts'
import { storeRequest } from './storeRequest.ts'
import { workOn } from './workOn.ts'

export interface WantedDecision {
  requestId: string
  type: 'transaction' | 'activity'
  subject: string
  amount?: string
  currency?: string
}

/** How long a caller waits for a decision. */
const waitMs = 10_000
/** Longer than `waitMs`: the queue goes on with what this process did not end. */
const queuedAfterSeconds = 30

/**
 * Decides on a transaction or an activity while the caller waits, or returns the decision of the same
 * `requestId`. Fails closed: without an answer in time there is no decision, and the queue goes on with it.
 * @throws ApiError as `storeRequest`
 */
export async function decide(
  ctx: VerificationContext,
  caller: { actor: Actor; businessId: string },
  { requestId, ...data }: WantedDecision,
): Promise<StoredRequest> {
  const person: Person = data
  const { row, isNew } = await storeRequest(ctx, caller, {
    ...{
      kind: 'decision',
      requestId,
      country: null,
      idType: null,
      person,
      queuedAfterSeconds,
      waitsForCredit: false,
    },
  })
  if (!isNew || ctx.verifier === null) return row
  await workOn({ ...ctx, verifier: ctx.verifier }, row, AbortSignal.timeout(waitMs))
  return readRequest(ctx.db, caller.businessId, row.id, 'decision')
}
