import type { Actor } from '../audit/recordAudit.ts'
import { tooManyRequests } from '../rateLimits/tooManyRequests.ts'
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

/**
 * Everyone who opens a web site has its publishable key: the answer to a repetition (the same person, or
 * another one) would let them guess a stored person's data. @throws ApiError 429
 */
async function countRepetition({ limiter }: Pick<VerificationContext, 'limiter'>, id: string): Promise<void> {
  const standing = await limiter.count({ name: 'repetition', of: id, max: 10, windowSeconds: 3600 })
  if (standing.over) throw tooManyRequests(standing)
}

/**
 * Stores an identity check and holds its price, or returns the one of the same `requestId`. @throws ApiError
 * as `storeRequest`; 400 naming each wrong field
 */
export async function createVerification(
  ctx: VerificationContext,
  caller: { actor: Actor; businessId: string; isPublic?: boolean },
  { requestId, country, idType, ...person }: WantedVerification,
): Promise<StoredVerification> {
  requirePossible({ country, dob: person.dob })
  const { row } = await storeRequest(ctx, caller, {
    ...{
      kind: 'verification',
      requestId,
      country,
      idType,
      person,
      queuedAfterSeconds: 0,
      waitsForCredit: false,
    },
    countRepetition: caller.isPublic ? (id) => countRepetition(ctx, id) : undefined,
    stored: (tx, id) => attachUploads(tx, caller.businessId, id, person),
  })
  return row as StoredVerification
}
