import type { Tx } from '../../platform/database/db.ts'
import { prepared } from '../../platform/database/prepared.ts'
import { type ApiError, invalidBody } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Person } from '../personData.ts'

/**
 * Gives a verification its uploads, in the transaction that stores it, if it was stored. An upload belongs to
 * one verification. All statements are sent in this turn.
 * @returns null, or why the verification must not be stored: a 400 naming the field
 */
export async function attachUploads(
  tx: Tx,
  businessId: string,
  verificationId: string,
  { documents = [], selfie }: Person,
): Promise<ApiError | null> {
  const wanted = [
    ...documents.map((id, index) => ({ id, use: 'document', field: `documents.${index}` })),
    ...(selfie === undefined ? [] : [{ id: selfie, use: 'selfie', field: 'selfie' }]),
  ]
  // Sort to avoid deadlocks with a request that names the same uploads.
  wanted.sort((a, b) => (a.id < b.id ? -1 : 1))
  const attached = await Promise.all(
    wanted.map(({ id, use }) => (isUuid(id) ? tx.query(attach, [verificationId, use, id, businessId]) : [])),
  )
  const missing = wanted.find((_, index) => attached[index]?.length !== 1)
  return missing
    ? invalidBody({ field: missing.field, message: 'is not an upload that is unused', code: 'unknown_id' })
    : null
}

const attach = prepared(
  `update verification_uploads set verification_id = $1, use = $2
   where id = $3 and business_id = $4 and verification_id is null and exists (select from verifications where id = $1) returning id`,
)
