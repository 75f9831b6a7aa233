import type { Queryable, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** Who does something, and from where. */
export interface Actor {
  kind: 'account' | 'api_key' | 'system'
  id: string | null
  /** An email address, the beginning of a key, or the name of a command. */
  label: string
  address: string | null
  requestId: string | null
  /**
   * Throws, in the transaction of an effect, where the actor has lost what let the request in; else that stays until the transaction ends.
   * Left out by commands, and by people who are only signing in.
   */
  confirm?: (tx: Tx) => Promise<void>
}

/** What was let in may have been lost since: asks again, under a lock. Outside a transaction the effect is stored already. */
export async function confirmActor(db: Queryable, actor: Pick<Actor, 'confirm'>): Promise<void> {
  if ('isTransaction' in db) await actor.confirm?.(db as Tx)
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
 * Adds an entry to the audit log, in the transaction of what it tells. Whoever has lost the right to do that is refused, and nothing is done.
 * @param id the same twice adds one entry, for work that is tried again
 */
export async function recordAudit(db: Queryable, actor: Actor, change: AuditedChange, id: string = newId()): Promise<void> {
  await confirmActor(db, actor)
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
