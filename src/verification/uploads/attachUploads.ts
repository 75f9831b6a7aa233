import type { Tx } from '../../platform/db.ts'
import { invalidBody } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Person } from '../personData.ts'

/** Gives a verification its uploads, in the transaction that stores it. An upload belongs to one verification. @throws ApiError 400 naming the field */
export async function attachUploads(tx: Tx, businessId: string, verificationId: string, { documents = [], selfie }: Person): Promise<void> {
  const wanted = [
    ...documents.map((id, index) => ({ id, use: 'document', field: `documents.${index}` })),
    ...(selfie === undefined ? [] : [{ id: selfie, use: 'selfie', field: 'selfie' }]),
  ]
  // Sort to avoid deadlocks with a request that names the same uploads.
  wanted.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, use, field } of wanted) {
    const found = isUuid(id)
      ? await tx.query(
          `update verification_uploads set verification_id = $1, use = $2
           where id = $3 and business_id = $4 and verification_id is null returning id`,
          [verificationId, use, id, businessId],
        )
      : []
    if (found.length === 0) throw invalidBody({ field, message: 'is not an upload that is unused' })
  }
}
