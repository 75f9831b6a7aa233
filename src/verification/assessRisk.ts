import type { Actor } from '../audit/recordAudit.ts'
import type { VerificationContext } from './context.ts'
import type { StoredRequest } from './model.ts'
import type { Person } from './personData.ts'
import { requirePossible } from './requirePossible.ts'
import { storeRequest } from './storeRequest.ts'

export interface WantedAssessment extends Person {
  requestId: string
}

/**
 * Stores a risk assessment of a customer, or returns the one of the same `requestId`. Without enough credit
 * it is stored as `pending_credit`, and goes on when there is credit.
 * @throws ApiError as `storeRequest`; 400 naming each wrong field
 */
export async function assessRisk(
  ctx: VerificationContext,
  caller: { actor: Actor; businessId: string },
  { requestId, ...person }: WantedAssessment,
): Promise<StoredRequest> {
  requirePossible({ country: person.country, dob: person.dob })
  const { row } = await storeRequest(ctx, caller, {
    ...{
      kind: 'assessment',
      requestId,
      country: null,
      idType: null,
      person,
      queuedAfterSeconds: 0,
      waitsForCredit: true,
    },
  })
  return row
}
