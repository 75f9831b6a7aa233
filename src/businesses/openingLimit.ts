import { lockAccount } from '../accounts/findAccount.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

/** Limits apply per business: opening more businesses must not evade them. */
const maxBusinesses = 20

/**
 * Finds the account whose limit applies: up the chain of inviters, to an account that an operator invited or
 * gave a limit.
 */
const rootSql = `
  with recursive up as (
    select id, invited_by, business_limit from accounts where id = $1
    union all
    select a.id, a.invited_by, a.business_limit from accounts a join up on a.id = up.invited_by where up.business_limit is null
  ) select id, business_limit as "limit" from up where business_limit is not null or invited_by is null limit 1`

/**
 * All businesses that count with it: those of the account and of every account below it in the chain of
 * invitations.
 */
const openedSql = `
  with recursive down as (
    select id from accounts where id = $1
    union all
    select a.id from accounts a join down on a.invited_by = down.id where a.business_limit is null
  ) select count(*)::int as count from businesses where opened_by in (select id from down)`

/**
 * Limits the businesses that an account opens, including those it has left and those opened by accounts that
 * it invited: email addresses are free, so a second account or owner must not evade the limit. An operator
 * can raise the limit, or open a business for a person.
 * @throws ApiError 409 `too_many_businesses`
 */
export async function requireMayOpen(tx: Tx, accountId: string): Promise<void> {
  const [root] = await tx.query<{ id: string; limit: number | null }>(rootSql, [accountId])
  if (!root) throw new Error(`account ${accountId} does not exist`)
  // Serialized for all accounts under this limit.
  await lockAccount(tx, root.id)
  const limit = root.limit ?? maxBusinesses
  const [opened] = await tx.query<{ count: number }>(openedSql, [root.id])
  const [owned] = await tx.query<{ count: number }>(
    `select count(*)::int as count from members where account_id = $1 and role = 'owner'`,
    [accountId],
  )
  if ((owned?.count ?? 0) >= limit)
    throw new ApiError(409, 'too_many_businesses', `An account may own ${limit} businesses`)
  if ((opened?.count ?? 0) >= limit) {
    const message = `An account and those that it invited may open ${limit} businesses together; the operator of this platform can open more`
    throw new ApiError(409, 'too_many_businesses', message)
  }
}
