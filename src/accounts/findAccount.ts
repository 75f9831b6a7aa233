import { normalEmail } from '../mail/normalEmail.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'

/** A person, with the secrets that verify them. */
export interface Account {
  id: string
  email: string
  name: string
  passwordHash: string
  totpSealed: Buffer | null
  totpEnabledAt: Date | null
  passkeyIds: string[]
  operator: boolean
  /** Set when a link that only the mailbox received was opened; null: the address is not proven. */
  emailProvenAt: Date | null
  /** Set when an operator locked the account; mailed links do not unlock it. */
  lockedAt: Date | null
  defaultBusinessId: string | null
  createdAt: Date
}

/** For `accounts a`. */
export const accountColumns = `id, email, name, password_hash as "passwordHash", totp_sealed as "totpSealed", totp_enabled_at as "totpEnabledAt", operator,
  email_proven_at as "emailProvenAt", locked_at as "lockedAt", default_business_id as "defaultBusinessId", created_at as "createdAt",
  array(select p.id::text from passkeys p where p.account_id = a.id order by p.id) as "passkeyIds"`

/** True when a sign-in needs more than the password. */
export const hasSecondFactor = (account: Pick<Account, 'totpEnabledAt' | 'passkeyIds'>): boolean =>
  account.totpEnabledAt !== null || account.passkeyIds.length > 0

export async function findAccountByEmail(db: Queryable, email: string): Promise<Account | null> {
  const [account] = await db.query<Account>(`select ${accountColumns} from accounts a where email = $1`, [
    normalEmail(email),
  ])
  return account ?? null
}

/** @returns an account that exists, such as that of a session */
export async function getAccount(db: Queryable, id: string): Promise<Account> {
  const [account] = await db.query<Account>(`select ${accountColumns} from accounts a where id = $1`, [id])
  if (!account) throw new Error(`account ${id} does not exist`)
  return account
}

/**
 * Serializes changes of an account. Call it before confirming the actor, which locks the sign-in, for each
 * change of the account and each end of its sign-ins: the lock order of docs/architecture.md.
 */
export const lockAccount = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.query('select 1 from accounts where id = $1 for no key update', [id]))
