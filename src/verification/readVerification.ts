import type { Queryable } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type StoredVerification, verificationColumns } from './model.ts'

/** @throws ApiError 404, also for another business's verification */
export async function readVerification(db: Queryable, businessId: string, id: string): Promise<StoredVerification> {
  const [row] = isUuid(id)
    ? await db.query<StoredVerification>(`select ${verificationColumns} from verifications where business_id = $1 and id = $2`, [businessId, id])
    : []
  if (!row) throw new ApiError(404, 'Verification not found')
  return row
}
