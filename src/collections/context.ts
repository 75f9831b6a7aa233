import type { CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'

/** What changes of collections need, in api and worker. */
export interface CollectionsContext {
  db: Db
  log: Log
  alarm(what: CollectionAlarm): void
}

/** The same with a partner that collects, and the key that seals payers. */
export type PartnerContext = CollectionsContext & { appKey: Secret; partner: CollectionPartner }

/** Counted as `cowry_collection_alarms_total`. */
export const collectionAlarms = [
  'contradiction',
  'invalid_answer',
  'unknown_status',
  'refund_failed',
  'settlement_failed',
  'settlement_mismatch',
  'lost_collection',
  'not_authorized',
  'row_changed',
] as const
export type CollectionAlarm = (typeof collectionAlarms)[number]
