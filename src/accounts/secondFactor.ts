import type { Queryable, Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Role } from './caller.ts'
import type { Factor, FactorPolicy } from './factor.ts'

/** What somebody is where they ask. */
export interface Standing {
  /** They ask as an operator of the platform. */
  operates: boolean
  role: Role | null
  /** The business requires it of its owners. */
  businessRequires: boolean
}

const isRequired = (policy: FactorPolicy, { operates, role, businessRequires }: Standing): boolean =>
  (operates && policy !== 'none') || (role === 'owner' && (policy === 'owners' || businessRequires))

/**
 * Owners and operators of whom a second factor is required may do nothing as such in a session, or by a token, that the password alone began.
 * @throws ApiError 403 `second_factor_required`
 */
export function requireFactor(policy: FactorPolicy, factor: Factor | null, standing: Standing): void {
  if (factor === null && isRequired(policy, standing)) throw factorMissing()
}

export const factorMissing = () =>
  new ApiError(
    403,
    'second_factor_required',
    'This needs two-step sign-in: set it up in the dashboard under Account; where you have it, sign in again with it',
  )

/** Notes that a session has shown a second factor after it began. */
export const noteFactor = async (db: Queryable, signInId: string, factor: Factor): Promise<void> =>
  void (await db.query('update sign_ins set factor = $2 where id = $1', [signInId, factor]))

/** Takes every second factor from an account. */
export async function endSecondFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.query('update accounts set totp_enabled_at = null, totp_sealed = null where id = $1', [accountId])
  await tx.query('delete from passkeys where account_id = $1', [accountId])
  await tx.query('delete from passkey_challenges where account_id = $1', [accountId])
  await endWithLastFactor(tx, accountId)
}

/** With the last second factor go the recovery codes, and no session of the account has shown one. The account is locked. */
export async function endWithLastFactor(tx: Tx, accountId: string): Promise<void> {
  const left = await tx.query(
    `select 1 from accounts a where a.id = $1
     and (a.totp_enabled_at is not null or exists (select 1 from passkeys p where p.account_id = a.id))`,
    [accountId],
  )
  if (left.length > 0) return
  await tx.query('delete from recovery_codes where account_id = $1', [accountId])
  await tx.query('update sign_ins set factor = null where account_id = $1 and factor is not null', [accountId])
}

/** Lets changes of an account's second factors happen one after another. Call it before the actor is confirmed, which locks, too. */
export const lockFactors = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.query('select 1 from accounts where id = $1 for update', [accountId]))
