import { recordAudit } from '../audit/recordAudit.ts'
import { ApiError } from '../platform/errors.ts'
import { confirmSecondFactor, type Self } from './confirmOwner.ts'
import { getAccount, hasSecondFactor } from './findAccount.ts'
import { noteFactorAgain } from './secondFactor.ts'
import type { AccountsContext, GivenFactor } from './signIn.ts'

/**
 * Takes a second factor in a session, for what requires a fresh one.
 * @throws ApiError 400 naming `totp`, `passkey` or `recoveryCode`; 409 `totp_not_enabled`: there is no second
 * factor; 429
 */
export async function confirmFactor(ctx: AccountsContext, self: Self, given: GivenFactor): Promise<void> {
  const account = await getAccount(ctx.db, self.accountId)
  if (!hasSecondFactor(account))
    throw new ApiError(409, 'totp_not_enabled', 'This account has no second factor')
  const factor = await confirmSecondFactor(ctx, self, account, given)
  await ctx.db.tx(async (tx) => {
    await recordAudit(tx, self.actor, {
      businessId: null,
      action: 'account.factor_confirmed',
      target: self.accountId,
      after: { factor },
    })
    await noteFactorAgain(tx, self.signInId, factor)
  })
}
