import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** Who does something, and from where. */
export interface Actor {
  kind: 'account' | 'api_key' | 'system'
  id: string | null
  /** An email address, the beginning of a key, or the name of a command. */
  label: string
  address: string | null
  requestId: string | null
}

/** The account that acts; null for a program or a command. */
export const accountOf = (actor: Actor): string | null => (actor.kind === 'account' ? actor.id : null)

/** What was done; `before` and `after` hold what changed, never a secret. */
export interface AuditedChange {
  /** Null: it is about the platform or an account, not about one business. */
  businessId: string | null
  /** In the past tense: `key.created`. */
  action: string
  target: string | null
  before?: object | null
  after?: object | null
}

/**
 * Adds an entry to the audit log, in the transaction of what it tells.
 * @param id the same twice adds one entry, for work that is tried again
 */
export async function recordAudit(db: Queryable, actor: Actor, change: AuditedChange, id: string = newId()): Promise<void> {
  await db.query(
    `insert into audit_log (id, business_id, actor_kind, actor_id, actor_label, action, target, before, after, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
    [
      id,
      change.businessId,
      actor.kind,
      actor.id,
      actor.label,
      change.action,
      change.target,
      change.before ?? null,
      change.after ?? null,
      actor.address,
      actor.requestId,
    ],
  )
}

/** A command of the operator's. */
export const systemActor = (label: string): Actor => ({ kind: 'system', id: null, label, address: null, requestId: null })
