import type { Queryable } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import {
  type RequestKind,
  requestColumns,
  type StoredRequest,
  type StoredVerification,
  shownColumns,
} from './model.ts'

/** The specification has an error of its own for a verification. */
const missing: Record<RequestKind, () => ApiError> = {
  verification: () => new ApiError(404, 'Verification not found'),
  assessment: () => notFound('Risk assessment'),
  decision: () => notFound('Decision'),
}

/** @throws ApiError 404, also for another business's verification */
export const readVerification = async (
  db: Queryable,
  businessId: string,
  id: string,
): Promise<StoredVerification> =>
  (await readRequest(db, businessId, id, 'verification')) as StoredVerification

/** @throws ApiError 404, also for another business's, and for one of another kind */
export async function readRequest(
  db: Queryable,
  businessId: string,
  id: string,
  kind: RequestKind,
): Promise<StoredRequest> {
  const row = await findRequest(db, businessId, id)
  if (row?.kind !== kind) throw missing[kind]()
  return row
}

/** A request of any kind. @throws ApiError 404, also for another business's */
export async function readAnyRequest(db: Queryable, businessId: string, id: string): Promise<StoredRequest> {
  const row = await findRequest(db, businessId, id)
  if (!row) throw missing.verification()
  return row
}

/**
 * Without the key of its data, which the api may not read. @throws ApiError 404, also for another business's
 */
export async function readShownVerification(
  db: Queryable,
  businessId: string,
  id: string,
): Promise<Omit<StoredVerification, 'dataKey'>> {
  const [row] = isUuid(id)
    ? await db.query<Omit<StoredVerification, 'dataKey'>>(
        `select ${shownColumns} from verifications where business_id = $1 and id = $2 and kind = 'verification'`,
        [businessId, id],
      )
    : []
  if (!row) throw notFound('Verification')
  return row
}

async function findRequest(
  db: Queryable,
  businessId: string,
  id: string,
): Promise<StoredRequest | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.query<StoredRequest>(
    `select ${requestColumns} from verifications where business_id = $1 and id = $2`,
    [businessId, id],
  )
  return row
}
