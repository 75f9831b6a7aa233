import { normalEmail } from '../mail/normalEmail.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { type Account, getAccount } from './findAccount.ts'

/**
 * Inserts an account.
 * @param wanted.invitedBy the account whose business limit the new one shares; an account invited by an
 * operator has its own
 * @throws ApiError 409 `account_exists`
 */
export async function createAccount(
  db: Queryable,
  wanted: {
    email: string
    name: string
    passwordHash: string
    operator?: boolean
    invitedBy?: string | null
  },
): Promise<Account> {
  const id = newId()
  const created = await db.query(
    `insert into accounts (id, email, name, password_hash, operator, invited_by)
     values ($1, $2, $3, $4, $5, (select a.id from accounts a where a.id = $6 and not a.operator))
     on conflict (email) do nothing returning id`,
    [
      id,
      normalEmail(wanted.email),
      wanted.name.trim(),
      wanted.passwordHash,
      wanted.operator ?? false,
      wanted.invitedBy ?? null,
    ],
  )
  if (created.length === 0)
    throw new ApiError(
      409,
      'account_exists',
      'There is an account for this address: sign in, then open the link again',
    )
  return getAccount(db, id)
}
