import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { keyColumns, keysWithCreators, type VerificationKey } from './model.ts'

/** A business has few of them: the newest thousand. */
export const listVerificationKeys = (db: Queryable, businessId: string): Promise<VerificationKey[]> =>
  db.query<VerificationKey>(
    `select ${keyColumns} from ${keysWithCreators} where k.business_id = $1 order by k.id desc limit 1000`,
    [businessId],
  )

/** @throws ApiError 404, also for another business's key */
export async function readVerificationKey(
  db: Queryable,
  businessId: string,
  id: string,
): Promise<VerificationKey> {
  const [key] = isUuid(id)
    ? await db.query<VerificationKey>(
        `select ${keyColumns} from ${keysWithCreators} where k.business_id = $1 and k.id = $2`,
        [businessId, id],
      )
    : []
  if (!key) throw notFound('Verification key')
  return key
}
