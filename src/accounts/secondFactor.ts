import type { Queryable } from '../platform/db.ts'
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
    'This needs two-step sign-in: set it up in the dashboard under Account; where you have it, sign in again with its code',
  )

/** Notes that a session has shown a second factor after it began. */
export const noteFactor = async (db: Queryable, signInId: string, factor: Factor): Promise<void> =>
  void (await db.query('update sign_ins set factor = $2 where id = $1', [signInId, factor]))

/** Without a second factor no session of the account has one. */
export const forgetFactors = async (db: Queryable, accountId: string): Promise<void> =>
  void (await db.query('update sign_ins set factor = null where account_id = $1 and factor is not null', [accountId]))
