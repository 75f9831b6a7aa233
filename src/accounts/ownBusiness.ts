import { refuseUnapproved } from '../members/businessApproval.ts'
import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { holderOf } from './accessToken.ts'
import type { Caller } from './caller.ts'
import type { FactorPolicy } from './factor.ts'
import { requireFactor } from './secondFactor.ts'

export interface OwnBusinessContext {
  db: Db
  environment: 'test' | 'live'
  factorPolicy: FactorPolicy
}

/**
 * Checks that a read may be about a business that the request names: the caller's own, or another one of its
 * account, under the rules of that one. An API key is of one business.
 * @throws ApiError 403 where that business is suspended, not approved or requires a second factor; 404 for
 * any other business
 */
export async function requireOwnBusiness(
  ctx: OwnBusinessContext,
  { businessId, account }: Caller,
  named: string,
): Promise<string> {
  if (named === businessId) return businessId
  const holder =
    account && isUuid(named)
      ? await holderOf(ctx, { accountId: account.id, signInId: account.signInId }, named)
      : null
  if (!holder?.business) throw notFound('Business')
  const { business, role, factor, businessRequires } = holder
  requireFactor(ctx.factorPolicy, factor, { operates: false, role, writes: false, businessRequires })
  refuseUnapproved(business.approval, ctx.environment)
  return business.id
}
