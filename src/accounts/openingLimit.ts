import type { Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { lockAccount } from './findAccount.ts'

/** Each business has limits of its own; opening more must not be a way around them. */
const maxBusinesses = 20

/** The account that another one's businesses count with: up the invitations, as far as an operator's invitation or an operator's word. */
const rootSql = `
  with recursive up as (
    select id, invited_by, business_limit from accounts where id = $1
    union all
    select a.id, a.invited_by, a.business_limit from accounts a join up on a.id = up.invited_by where up.business_limit is null
  ) select id, business_limit as "limit" from up where business_limit is not null or invited_by is null limit 1`

/** All that count with it: those that it brought, and those that they brought. */
const openedSql = `
  with recursive down as (
    select id from accounts where id = $1
    union all
    select a.id from accounts a join down on a.invited_by = down.id where a.business_limit is null
  ) select count(*)::int as count from businesses where opened_by in (select id from down)`

/**
 * What an account opens counts for good, also after it has left, and together with what all those open that it brought by its invitations: addresses
 * cost nothing, so that neither another owner nor another account is a way around the limit. An operator can raise it, or open a business for somebody.
 * @throws ApiError 409 `too_many_businesses`
 */
export async function requireMayOpen(tx: Tx, accountId: string): Promise<void> {
  const [root] = await tx.query<{ id: string; limit: number | null }>(rootSql, [accountId])
  if (!root) throw new Error(`account ${accountId} is gone`)
  // One after the other, whoever of them opens one.
  await lockAccount(tx, root.id)
  const limit = root.limit ?? maxBusinesses
  const [opened] = await tx.query<{ count: number }>(openedSql, [root.id])
  const [owned] = await tx.query<{ count: number }>(`select count(*)::int as count from members where account_id = $1 and role = 'owner'`, [
    accountId,
  ])
  if ((owned?.count ?? 0) >= limit) throw new ApiError(409, 'too_many_businesses', `An account may own ${limit} businesses`)
  if ((opened?.count ?? 0) >= limit) {
    const message = `An account and those that it invited may open ${limit} businesses together; the operator of this platform can open more`
    throw new ApiError(409, 'too_many_businesses', message)
  }
}
