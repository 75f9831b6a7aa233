import type { Actor } from '../audit/recordAudit.ts'
import type { VerificationContext } from './context.ts'
import type { StoredVerification } from './model.ts'
import type { Person } from './personData.ts'
import { requirePossible } from './requirePossible.ts'
import { storeRequest } from './storeRequest.ts'
import { attachUploads } from './uploads/attachUploads.ts'

export interface WantedVerification extends Person {
  requestId: string
  country: string
  idType: string
}

/** Stores an identity check and holds its price, or returns the one of the same `requestId`. @throws ApiError as `storeRequest`; 400 naming each wrong field */
export async function createVerification(
  ctx: VerificationContext,
  caller: { actor: Actor; businessId: string },
  { requestId, country, idType, ...person }: WantedVerification,
): Promise<StoredVerification> {
  requirePossible({ country, dob: person.dob })
  const { row } = await storeRequest(ctx, caller, {
    ...{ kind: 'verification', requestId, country, idType, person, queuedAfterSeconds: 0, waitsForCredit: false },
    stored: (tx, id) => attachUploads(tx, caller.businessId, id, person),
  })
  return row as StoredVerification
}
