import type { Role } from '../members/role.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Factor, FactorPolicy } from './factor.ts'

/** The rights that a request acts with. */
export interface ActingRights {
  /** The request acts as an operator of the platform. */
  operates: boolean
  role: Role | null
  /** The request changes something. */
  writes: boolean
  /** The business requires a second factor of its members who may move money. */
  businessRequires: boolean
}

const isRequired = (
  policy: FactorPolicy,
  { operates, role, writes, businessRequires }: ActingRights,
): boolean =>
  (operates && policy !== 'none') || (movesMoney(role, writes) && (policy === 'owners' || businessRequires))

/**
 * Owners, and developers where they change something: they request payouts and refunds, and make keys that
 * do.
 */
const movesMoney = (role: Role | null, writes: boolean): boolean =>
  role === 'owner' || (role === 'developer' && writes)

/**
 * Refuses members who move money, and operators, who need a second factor in a session or with a token that
 * started with the password alone.
 * @throws ApiError 403 `second_factor_required`
 */
export function requireFactor(policy: FactorPolicy, factor: Factor | null, standing: ActingRights): void {
  if (factor === null && isRequired(policy, standing)) throw factorMissing()
}

export const factorMissing = () =>
  new ApiError(
    403,
    'second_factor_required',
    'This needs two-step sign-in: set it up in the dashboard under Account; if it is set up, sign in again with it',
  )

/** Records that a running session has shown a second factor now. */
export const noteFactor = async (db: Queryable, signInId: string, factor: Factor): Promise<void> =>
  void (await db.query('update sign_ins set factor = $2, factor_at = now() where id = $1', [
    signInId,
    factor,
  ]))

/** Records that a session has shown a second factor again. */
export const noteFactorAgain = async (db: Queryable, signInId: string, factor: Factor): Promise<void> =>
  void (await db.query('update sign_ins set factor = coalesce(factor, $2), factor_at = now() where id = $1', [
    signInId,
    factor,
  ]))

/** Removes every second factor from an account. */
export async function endSecondFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.query('update accounts set totp_enabled_at = null, totp_sealed = null where id = $1', [accountId])
  await tx.query('delete from passkeys where account_id = $1', [accountId])
  await tx.query('delete from passkey_challenges where account_id = $1', [accountId])
  await endWithLastFactor(tx, accountId)
}

/**
 * Deletes the recovery codes with the last second factor, and clears the factor of the account's sessions.
 * The account is locked.
 */
export async function endWithLastFactor(tx: Tx, accountId: string): Promise<void> {
  const left = await tx.query(
    `select 1 from accounts a where a.id = $1
     and (a.totp_enabled_at is not null or exists (select 1 from passkeys p where p.account_id = a.id))`,
    [accountId],
  )
  if (left.length > 0) return
  await tx.query('delete from recovery_codes where account_id = $1', [accountId])
  await tx.query(
    'update sign_ins set factor = null, factor_at = null where account_id = $1 and factor is not null',
    [accountId],
  )
}

/**
 * Serializes changes of an account's second factors. Call it before confirming the actor, which also takes
 * locks.
 */
export const lockFactors = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.query('select 1 from accounts where id = $1 for update', [accountId]))
