import type { Queryable } from '../../platform/database/db.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { readStakes, type Stake } from '../storedStake.ts'

/** @throws ApiError 404, also for a stake of another business */
export async function getOwnStake(db: Queryable, businessId: string, id: string): Promise<Stake> {
  const [stake] = isUuid(id) ? await readStakes(db, 'id = $1 and business_id = $2', [id, businessId]) : []
  if (!stake) throw notFound('Stake')
  return stake
}

/** Checks if the chain itself holds a stake of the business. The type of a stake never changes. */
export async function isNative(db: Queryable, businessId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const [row] = await db.query(
    "select 1 from stakes where id = $1 and business_id = $2 and type = 'native'",
    [id, businessId],
  )
  return row !== undefined
}
