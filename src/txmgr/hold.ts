import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

/** The approval that a deployment demands of businesses whose transfers it signs and sends. */
export interface HoldContext {
  /** `live`: only businesses that the operator has approved. */
  environment: 'test' | 'live'
}

/** The approvals with which a business's transfers are signed and sent. */
export const sendingApprovals = ({ environment }: HoldContext): readonly string[] =>
  environment === 'live' ? ['approved'] : ['approved', 'pending']

const approvalOf = async (db: Queryable, businessId: string): Promise<string | null> =>
  (await db.query<{ approval: string | null }>('select approval_kept($1) as approval', [businessId]))[0]
    ?.approval ?? null

/**
 * The business that an intent sends for: its owner, or that of its outflow. In a transaction an outflow keeps
 * its intent until the end; null: the platform.
 */
export async function senderOf(
  db: Queryable,
  { id, businessId }: { id: string; businessId: string | null },
): Promise<string | null> {
  if (businessId !== null) return businessId
  const lock = 'isTransaction' in db ? 'for share' : ''
  const [outflow] = await db.query<{ businessId: string | null }>(
    `select business_id as "businessId" from outflows where intent_id = $1 ${lock}`,
    [id],
  )
  return outflow?.businessId ?? null
}

/**
 * Checks if an intent may not be signed or sent: the operator holds it, or its business may not send. In a
 * transaction the answer holds until its end: a hold or a suspension waits. Call it in the transaction that
 * stores a signature or counts a send.
 */
export async function isHeld(
  ctx: HoldContext,
  db: Queryable,
  intent: { id: string; businessId: string | null },
): Promise<boolean> {
  // Locked, so that the operator's hold waits for this transaction.
  const lock = 'isTransaction' in db ? 'for share' : ''
  const [own] = await db.query<{ held: boolean }>(
    `select held_at is not null as held from intents where id = $1 ${lock}`,
    [intent.id],
  )
  return own?.held !== false || isBusinessHeld(ctx, db, await senderOf(db, intent))
}

/** The same of a business alone. The platform is never held. */
export async function isBusinessHeld(
  ctx: HoldContext,
  db: Queryable,
  businessId: string | null,
): Promise<boolean> {
  if (businessId === null) return false
  const approval = await approvalOf(db, businessId)
  return approval === null || !sendingApprovals(ctx).includes(approval)
}

/** @throws ApiError 403 `business_suspended`, `business_not_approved` */
export async function requireNotHeld(ctx: HoldContext, tx: Tx, businessId: string | null): Promise<void> {
  if (businessId === null || !(await isBusinessHeld(ctx, tx, businessId))) return
  if (await isSuspended(tx, businessId))
    throw new ApiError(403, 'business_suspended', 'The operator of this platform has suspended the business')
  throw new ApiError(403, 'business_not_approved', 'Production access requires an approved business')
}

/** Checks if the operator has suspended a business; in a transaction the answer holds until its end. */
export const isSuspended = async (db: Queryable, businessId: string | null): Promise<boolean> =>
  businessId !== null && (await approvalOf(db, businessId)) === 'suspended'

/** SQL: a row of `intents` of which nothing was sent. Void attempts do not count as sent. */
const unsentSql = `(intents.next_reconcile_at is not null
  and (intents.status = 'created' or (intents.status = 'signed'
    and not exists (select 1 from intent_attempts h where h.intent_id = intents.id and h.void_at is null and h.sends > 0))))`
const ofSuspendedSql = `exists (select 1 from businesses h
  where h.id = coalesce(intents.business_id, (select f.business_id from outflows f where f.intent_id = intents.id)) and h.approval = 'suspended')`

/** SQL: a row of `intents` that only the suspension of its business keeps from being signed or sent. */
export const heldSql = `(${unsentSql} and ${ofSuspendedSql})`
/** SQL: the same, of rows with a business, for statements that name it: it is looked up once. */
export const heldOfBusinessSql = `(${unsentSql} and exists (
  select 1 from businesses h where h.id = intents.business_id and h.approval = 'suspended'))`
/** SQL: a row of `intents` that is held, or that the operator holds by itself. */
export const heldAtAllSql = `(${unsentSql} and (intents.held_at is not null or ${ofSuspendedSql}))`

/**
 * SQL: what leaves a stored wallet of a business, and can be given up while it is held. The allowance of a
 * bridge transfer ends with its burn.
 */
export const leavesWalletSql = "purpose in ('transfer', 'bridge-burn')"

/** Shown for a held transfer. */
export const heldReason = 'held'
export const heldMessage =
  'The operator has suspended the business: the transfer is sent when it is approved again, unless it is given up before'

export const heldAloneMessage =
  'The operator of this platform holds the transfer: it is sent when it is released, unless it is given up before'

/** Counts the held transfers and bridge transfers of each of these businesses; leaves out those without. */
export async function countHeld(db: Queryable, businessIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; count: number }>(
    `select business_id as id, count(*)::int as count from intents where business_id = any($1) and ${leavesWalletSql} and ${heldOfBusinessSql} group by business_id`,
    [businessIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/**
 * Lets workers reconcile the pending intents of a business at once, and those of its outflows; outflows and
 * collections that a suspension held are due.
 */
export async function reconcileSoon(db: Queryable, businessId: string): Promise<void> {
  await db.query(
    `update intents set next_reconcile_at = now() where business_id = $1 and next_reconcile_at > now() and status in ('created', 'signed', 'broadcast', 'unknown')`,
    [businessId],
  )
  await db.query(
    `update intents set next_reconcile_at = now() where next_reconcile_at > now() and status in ('created', 'signed', 'broadcast', 'unknown')
       and id in (select intent_id from outflows where business_id = $1 and status in ('processing', 'unknown'))`,
    [businessId],
  )
  // Also one that a worker has just found held and has not stored as such: its claim is lost, and it is
  // reconciled again.
  await db.query(
    "update outflows set next_at = now() where business_id = $1 and status = 'pending' and (reason is null or reason = 'held') and next_at > now()",
    [businessId],
  )
  await db.query(
    "update fiat_collections set next_at = now() where business_id = $1 and status = 'pending' and reason = 'held' and next_at > now()",
    [businessId],
  )
  await db.query(
    "select pg_notify('cowry_intents', ''), pg_notify('cowry_payouts', ''), pg_notify('cowry_collections', '')",
  )
}
