import type { Tx } from '../platform/database/db.ts'
import { newId, newIds } from '../platform/ids.ts'

/**
 * The subjects that can wait for a second owner: a transfer, a bridge transfer, a payout or refund, a new
 * destination, looser limits of a wallet or key, another looser setting, or a new owner.
 */
export type Subject = 'transfer' | 'bridge-burn' | 'payout' | 'destination' | 'limits' | 'setting' | 'owner'

/** An approval expires after this. */
export const approvalHours = 72

export interface WantedApproval {
  businessId: string
  subject: 'transfer' | 'bridge-burn' | 'payout' | 'destination'
  subjectId: string
  /** Exactly one of the two is set. */
  accountId: string | null
  apiKeyId: string | null
  /** Decided together with this payout batch. */
  batchId?: string | null
}

/**
 * Requests a second owner's approval of a transfer, payout, refund or destination, in the transaction that
 * stores it.
 */
export async function requestApproval(tx: Tx, { subjectId, ...wanted }: WantedApproval): Promise<void> {
  await requestApprovals(tx, wanted, [subjectId])
}

/** The same of many subjects. */
export async function requestApprovals(
  tx: Tx,
  { businessId, subject, accountId, apiKeyId, batchId = null }: Omit<WantedApproval, 'subjectId'>,
  subjectIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, asked_by_key, expires_at, batch_id)
     select id, $2, $3, subject_id, $5, $6, now() + $7 * interval '1 hour', $8 from unnest($1::uuid[], $4::uuid[]) as a(id, subject_id)`,
    [newIds(subjectIds.length), businessId, subject, subjectIds, accountId, apiKeyId, approvalHours, batchId],
  )
}

/** A change that waits for a second owner. */
export interface WaitingChange {
  id: string
  state: 'waiting'
  expiresAt: string
}

/**
 * Requests a second owner's approval of a change, which the approval itself stores. Repeating an open request
 * creates no second one.
 * @returns the approval, and whether it is new
 */
export async function requestChange(
  tx: Tx,
  {
    businessId,
    subject,
    accountId,
    wanted,
  }: { businessId: string; subject: 'limits' | 'setting' | 'owner'; accountId: string; wanted: object },
): Promise<{ approval: WaitingChange; isNew: boolean }> {
  const json = JSON.stringify(wanted)
  const [same] = await tx.query<{ id: string; expiresAt: Date }>(
    `select id, expires_at as "expiresAt" from approvals
     where business_id = $1 and subject = $2 and asked_by_account = $3 and wanted = $4 and decision is null and expires_at > now() order by id desc limit 1`,
    [businessId, subject, accountId, json],
  )
  if (same) return { approval: waiting(same), isNew: false }
  const [made] = await tx.query<{ id: string; expiresAt: Date }>(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, wanted, expires_at)
     values ($1, $2, $3, $1, $4, $5, now() + $6 * interval '1 hour') returning id, expires_at as "expiresAt"`,
    [newId(), businessId, subject, accountId, json, approvalHours],
  )
  if (!made) throw new Error('approval not stored: the insert returned no row')
  return { approval: waiting(made), isNew: true }
}

/** Ends what waits to make an account an owner. @returns how many approvals that were */
export async function endOwnerChanges(tx: Tx, accountId: string): Promise<number> {
  const ended = await tx.query(
    `update approvals set expires_at = now()
     where subject = 'owner' and wanted->>'accountId' = $1 and decision is null and expires_at > now() returning id`,
    [accountId],
  )
  return ended.length
}

const waiting = ({ id, expiresAt }: { id: string; expiresAt: Date }): WaitingChange => ({
  id,
  state: 'waiting',
  expiresAt: expiresAt.toISOString(),
})
