import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { ApiError } from '../platform/errors.ts'

/**
 * Limits on what one business may have, or do in a day. The deployment's settings are the defaults; the
 * operator may override them for a business.
 */
export const capNames = [
  'monitoredAddresses',
  'openSessions',
  'endpointsPerHost',
  'deliveriesPerHost',
  'importBlocksPerDay',
  'replaysPerDay',
  'nodeQuestionsPerDay',
] as const
export type CapName = (typeof capNames)[number]
export type Caps = Readonly<Record<CapName, number>>

const selectCap = prepared('select value from business_caps where business_id = $1 and name = $2')

/** The cap of a business: the operator's value, or the deployment's. */
export async function capOf<N extends CapName>(
  db: Queryable,
  caps: Pick<Caps, N>,
  businessId: string,
  name: N,
): Promise<number> {
  const [own] = await db.query<{ value: string }>(selectCap, [businessId, name])
  return own ? Number(own.value) : caps[name]
}

/** The operator's caps for a business; null: the deployment's cap. */
export type OwnCaps = Readonly<Record<CapName, number | null>>

export const noOwnCaps = Object.fromEntries(capNames.map((name) => [name, null])) as OwnCaps

/** The operator's caps for businesses, by id. */
export async function ownCaps(db: Queryable, businessIds: readonly string[]): Promise<Map<string, OwnCaps>> {
  const rows = await db.query<{ businessId: string; name: CapName; value: string }>(
    'select business_id as "businessId", name, value from business_caps where business_id = any($1::uuid[])',
    [businessIds],
  )
  const found = new Map<string, OwnCaps>()
  for (const { businessId, name, value } of rows)
    found.set(businessId, { ...(found.get(businessId) ?? noOwnCaps), [name]: Number(value) })
  return found
}

/** Sets caps of a business; null removes one. */
export async function storeCaps(tx: Tx, businessId: string, wanted: Partial<OwnCaps>): Promise<void> {
  for (const name of capNames) {
    const value = wanted[name]
    if (value === undefined) continue
    if (value === null)
      await tx.query('delete from business_caps where business_id = $1 and name = $2', [businessId, name])
    else
      await tx.query(
        'insert into business_caps (business_id, name, value) values ($1, $2, $3) on conflict (business_id, name) do update set value = excluded.value',
        [businessId, name, value],
      )
  }
}

/**
 * Enforces a cap after a transaction has written its rows, which are counted with the others. Near the cap
 * the transactions of a business are serialized until they end: two at once would both see the last free
 * place. Further than `slack` below it they do not wait.
 * @param slack more than can be uncommitted at once
 * @throws ApiError 409 `cap_reached`
 */
export async function requireRoom<N extends CapName>(
  tx: Tx,
  caps: Pick<Caps, N>,
  businessId: string,
  { name, count, slack }: { name: N; count(): Promise<number>; slack: number },
): Promise<void> {
  const cap = await capOf(tx, caps, businessId, name)
  if ((await count()) + slack <= cap) return
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cowry cap ${name} ${businessId}`])
  if ((await count()) > cap) throw capReached(name, cap)
}

export const capReached = (name: CapName, cap: number): ApiError =>
  new ApiError(
    409,
    'cap_reached',
    `${name}: the business may have ${cap}; the operator of this deployment can raise it`,
  )
