import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { newId } from '../platform/ids.ts'

/** The author of a change, and its source. */
export interface Actor {
  kind: 'account' | 'api_key' | 'system'
  id: string | null
  /** An email address, the prefix of a key, or the name of a command. */
  label: string
  address: string | null
  requestId: string | null
  /**
   * Throws where the actor has lost the rights that admitted the request; otherwise locks them until the
   * transaction of the effect ends. Omitted by commands, and by people who are only signing in.
   */
  confirm?: (tx: Tx) => Promise<void>
}

/**
 * Checks the actor's rights again, under a lock: they may have been lost since the request was admitted.
 * Outside a transaction the effect is already stored.
 */
export async function confirmActor(db: Queryable, actor: Pick<Actor, 'confirm'>): Promise<void> {
  if (isTx(db)) await actor.confirm?.(db)
}

const isTx = (db: Queryable): db is Tx => 'isTransaction' in db

/** The account that acts; null for a program or a command. */
export const accountOf = (actor: Actor): string | null => (actor.kind === 'account' ? actor.id : null)

/** An audited change; `before` and `after` hold the changed fields, never a secret. */
export interface AuditedChange {
  /** Null: about the platform or an account. */
  businessId: string | null
  /** In the past tense: `key.created`. */
  action: string
  target: string | null
  before?: object | null
  after?: object | null
}

const columns =
  'id, business_id, actor_kind, actor_id, actor_label, action, target, before, after, address, request_id'
const insert = `insert into audit_log (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
const insertEntry = prepared(insert)
/** Costs more: Postgres prepares the search for a conflict in the partition again for each statement. */
const insertOnce = prepared(`${insert} on conflict (id) do nothing`)

/**
 * Adds an entry to the audit log, in the transaction of the change. An actor who has lost the right is
 * refused, and nothing changes.
 * @param id written at most once, for work that is retried
 */
export async function recordAudit(
  db: Queryable,
  actor: Actor,
  change: AuditedChange,
  id?: string,
): Promise<void> {
  await confirmActor(db, actor)
  const statement = id === undefined ? insertEntry : insertOnce
  const values = [
    id ?? newId(),
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
  ]
  if (isTx(db)) db.send(statement, values)
  else await db.query(statement, values)
}

/** Columns and their values by name, as `json_populate_recordset` takes them. */
const rowOf = (actor: Actor, change: AuditedChange) => ({
  id: newId(),
  business_id: change.businessId,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_label: actor.label,
  action: change.action,
  target: change.target,
  before: change.before ?? null,
  after: change.after ?? null,
  address: actor.address,
  request_id: actor.requestId,
})
const insertMany = `insert into audit_log (${columns}) select ${columns} from json_populate_recordset(null::audit_log, $1::json)`

/** The same for many changes of one actor in one transaction, with one statement. */
export async function recordAudits(tx: Tx, actor: Actor, changes: readonly AuditedChange[]): Promise<void> {
  if (changes.length === 0) return
  await confirmActor(tx, actor)
  tx.send(insertMany, [JSON.stringify(changes.map((each) => rowOf(actor, each)))])
}

/** A command of the operator. */
export const systemActor = (label: string): Actor => ({
  kind: 'system',
  id: null,
  label,
  address: null,
  requestId: null,
})
