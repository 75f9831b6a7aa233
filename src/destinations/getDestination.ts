import type { Db, Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import {
  type DestinationRow,
  type DestinationView,
  destinationColumns,
  isOverSql,
  presentDestination,
} from './destination.ts'

/**
 * A destination of the business, archived or not. @throws ApiError 404, also for another business's
 * destination
 */
export async function getDestination(
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  id: string,
): Promise<DestinationView> {
  return presentDestination(ctx, await findDestination(ctx.db, businessId, id))
}

const selectOne = prepared(
  `select ${destinationColumns} from payout_destinations d where d.id = $1 and d.business_id = $2`,
)

/** @throws ApiError 404, also for another business's destination */
export async function findDestination(
  db: Queryable,
  businessId: string,
  id: string,
): Promise<DestinationRow> {
  const [row] = isUuid(id) ? await db.query<DestinationRow>(selectOne, [id, businessId]) : []
  if (!row) throw notFound('Destination')
  return row
}

/** The active destination of the business with this fingerprint, unless its approval was not given in time. */
export async function findDestinationByFingerprint(
  db: Queryable,
  businessId: string,
  fingerprint: Buffer,
): Promise<DestinationRow | null> {
  const found = await findDestinationsByFingerprint(db, businessId, [fingerprint])
  return found.get(fingerprint.toString('hex')) ?? null
}

/** The same of several, by fingerprint in hexadecimal. */
export async function findDestinationsByFingerprint(
  db: Queryable,
  businessId: string,
  fingerprints: readonly Buffer[],
): Promise<Map<string, DestinationRow>> {
  const rows = await db.query<DestinationRow & { fingerprint: string }>(
    `select ${destinationColumns}, encode(d.fingerprint, 'hex') as fingerprint
     from payout_destinations d where d.business_id = $1 and d.fingerprint = any($2::bytea[]) and d.archived_at is null
       and not ${isOverSql}`,
    [businessId, fingerprints],
  )
  return new Map(rows.map(({ fingerprint, ...row }) => [fingerprint, row]))
}

/** Destinations of the business, archived or not, by id; others are left out. */
export async function findDestinations(
  db: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, DestinationRow>> {
  const rows = await db.query<DestinationRow>(
    `select ${destinationColumns} from payout_destinations d where d.id = any($1::uuid[]) and d.business_id = $2`,
    [ids.filter(isUuid), businessId],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
