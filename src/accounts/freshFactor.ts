import { ApiError } from '../platform/errors.ts'
import type { Caller } from './caller.ts'

/** Minutes for which a second factor that was given stays fresh. */
const freshMinutes = 5

/** SQL: the account `a` has a second factor, and the sign-in `s` has not shown one in the last minutes. */
export const factorIsStaleSql = `((a.totp_enabled_at is not null or exists (select 1 from passkeys p where p.account_id = a.id))
  and coalesce(s.factor_at <= now() - interval '${freshMinutes} minutes', true))`

/**
 * Refuses people who have a second factor and last gave it a while ago: an open session alone does not move
 * money or give rights. Keys, and accounts without a second factor, pass.
 * @throws ApiError 403 `fresh_factor_required`
 */
export function requireFreshFactor({
  account,
}: {
  account: Pick<NonNullable<Caller['account']>, 'factorIsStale'> | null
}): void {
  if (account?.factorIsStale) {
    const how = 'confirm it (in the dashboard), or log in again with it'
    throw new ApiError(
      403,
      'fresh_factor_required',
      `This needs a second factor from the last ${freshMinutes} minutes: ${how}`,
    )
  }
}
