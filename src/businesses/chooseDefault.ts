import type { Self } from '../accounts/confirmOwner.ts'
import { getAccount, lockAccount } from '../accounts/findAccount.ts'
import { confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { roleIn } from '../members/role.ts'
import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'

/**
 * Chooses the business that the account's access tokens write for by default; null: no default. @throws
 * ApiError 404
 */
export async function chooseDefaultBusiness(
  ctx: { db: Db },
  self: Self,
  businessId: string | null,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    // The foreign key of the default refers to the membership.
    if (businessId !== null)
      await tx.query('select 1 from members where business_id = $1 and account_id = $2 for key share', [
        businessId,
        self.accountId,
      ])
    await lockAccount(tx, self.accountId)
    await confirmActor(tx, self.actor)
    const { defaultBusinessId: before } = await getAccount(tx, self.accountId)
    if (businessId !== null && !(await roleIn(tx, businessId, self.accountId))) throw notFound('Business')
    if (before === businessId) return
    await tx.query('update accounts set default_business_id = $2 where id = $1', [self.accountId, businessId])
    const change = { before: { defaultBusinessId: before }, after: { defaultBusinessId: businessId } }
    await recordAudit(tx, self.actor, {
      businessId: null,
      action: 'account.default_business_chosen',
      target: self.accountId,
      ...change,
    })
  })
}
