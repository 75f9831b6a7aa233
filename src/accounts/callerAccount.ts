import type { Caller } from './caller.ts'
import type { Self } from './confirmOwner.ts'

/** The caller's own account. @throws Error if the caller is not an account */
export function callerAccount({ actor, account }: Caller): Self {
  if (!account) throw new Error('the caller is not a signed-in account')
  return { accountId: account.id, signInId: account.signInId, actor }
}
