import { recordAudit, systemActor } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { chosenKinds, storeChoice } from './chooseNotifications.ts'
import { choiceOfToken } from './unsubscribeToken.ts'

/**
 * Ends the mails that a mail's link is about, without a sign-in. Idempotent: nothing changes for a member who
 * does not get them, or is no member any more.
 * @param address of the request
 * @returns false if the token is not one of this deployment
 */
export async function unsubscribe(
  ctx: { db: Db; appKey: Secret },
  token: string,
  address: string,
): Promise<boolean> {
  const choice = choiceOfToken(ctx.appKey, token)
  if (!choice) return false
  const { businessId, accountId, kind } = choice
  await ctx.db.tx(async (tx) => {
    const before = await chosenKinds(tx, businessId, accountId)
    if (!(await storeChoice(tx, choice, false)) || !before.includes(kind)) return
    await recordAudit(
      tx,
      { ...systemActor('link of a mail'), address },
      {
        businessId,
        action: 'notifications.changed',
        target: accountId,
        before: { kinds: before },
        after: { kinds: before.filter((each) => each !== kind) },
      },
    )
  })
  return true
}
