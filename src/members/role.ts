import type { Queryable } from '../platform/database/db.ts'

/**
 * A member's role: a cashier uses the till alone, a viewer reads, a developer changes, an owner also decides
 * about people and payments.
 */
export type Role = 'owner' | 'developer' | 'viewer' | 'cashier'

const ranks: readonly Role[] = ['cashier', 'viewer', 'developer', 'owner']

/** True when a role includes everything that another one allows. */
export const includesRole = (role: Role, min: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(min)

/** @returns an account's role in a business; null: not a member */
export async function roleIn(db: Queryable, businessId: string, accountId: string): Promise<Role | null> {
  const [row] = await db.query<{ role: Role }>(
    'select role from members where business_id = $1 and account_id = $2',
    [businessId, accountId],
  )
  return row?.role ?? null
}
