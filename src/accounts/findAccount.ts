import type { Queryable, Tx } from '../platform/db.ts'

/** A person, with what it takes to verify them. */
export interface Account {
  id: string
  email: string
  name: string
  passwordHash: string
  totpSealed: Buffer | null
  totpEnabledAt: Date | null
  passkeyIds: string[]
  operator: boolean
  /** When a link came back that only its mailbox had; null: nothing shows whose the address is. */
  emailProvenAt: Date | null
  /** When an operator locked it; no mailed link ends that. */
  lockedAt: Date | null
  defaultBusinessId: string | null
  createdAt: Date
}

/** Addresses of one person are one text. */
export const normalEmail = (email: string): string => email.normalize('NFKC').trim().toLowerCase()

/** Of `accounts a`. */
export const accountColumns = `id, email, name, password_hash as "passwordHash", totp_sealed as "totpSealed", totp_enabled_at as "totpEnabledAt", operator,
  email_proven_at as "emailProvenAt", locked_at as "lockedAt", default_business_id as "defaultBusinessId", created_at as "createdAt",
  array(select p.id::text from passkeys p where p.account_id = a.id order by p.id) as "passkeyIds"`

/** Whether signing in asks for more than the password. */
export const hasSecondFactor = (account: Pick<Account, 'totpEnabledAt' | 'passkeyIds'>): boolean =>
  account.totpEnabledAt !== null || account.passkeyIds.length > 0

export async function findAccountByEmail(db: Queryable, email: string): Promise<Account | null> {
  const [account] = await db.query<Account>(`select ${accountColumns} from accounts a where email = $1`, [normalEmail(email)])
  return account ?? null
}

/** The account of somebody who is signed in. */
export async function getAccount(db: Queryable, id: string): Promise<Account> {
  const [account] = await db.query<Account>(`select ${accountColumns} from accounts a where id = $1`, [id])
  if (!account) throw new Error(`account ${id} is gone`)
  return account
}

/**
 * Lets changes of an account happen one after another. Each change of the account, and each end of its sign-ins, calls it before the actor is
 * confirmed, which locks the sign-in: the order of docs/architecture.md.
 */
export const lockAccount = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.query('select 1 from accounts where id = $1 for no key update', [id]))
