import type { Queryable } from '../platform/database/db.ts'
import { goesBack } from './assignSuspense.ts'
import { isOwned } from './suspenseOwner.ts'

/** Payments in `suspense` that wait for the operator to assign them, by chain and token. */
export const suspenseState = (db: Queryable): Promise<{ chain: string; token: string; payments: number }[]> =>
  db.query(
    `select t.chain, t.token, count(*)::int as payments
     from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id
     where s.posted and not ${isOwned} and not ${goesBack} group by t.chain, t.token`,
  )
