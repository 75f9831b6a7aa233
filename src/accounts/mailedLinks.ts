import { recordAudit } from '../audit/recordAudit.ts'
import { normalEmail } from '../mail/normalEmail.ts'
import { type Mailing, queueMail, queueReset } from '../mail/queueMail.ts'
import { makeInvitation } from '../members/invitations.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { countProofMail, mayMailReset } from '../rateLimits/mailLimits.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import type { Self } from './confirmOwner.ts'
import { getAccount } from './findAccount.ts'

export const noMail = () => new ApiError(409, 'no_mail', 'This platform sends no mail')

/**
 * Requests a mail with a reset link. Same work and time whether or not the address has an account; the worker
 * checks.
 * @throws ApiError 409 `no_mail`
 */
export async function requestReset(
  ctx: { db: Db; limiter: RateLimiter; mailing: Mailing | null },
  wanted: string,
): Promise<void> {
  if (!ctx.mailing) throw noMail()
  const email = normalEmail(wanted)
  if (await mayMailReset(ctx, email)) await queueReset(ctx.db, email)
}

/** Mails a link that proves the account's address. @throws ApiError 409 `no_mail`, `already_proven`; 429 */
export async function startProof(
  ctx: { db: Db; limiter: RateLimiter; mailing: Mailing | null },
  self: Self,
): Promise<void> {
  const { mailing } = ctx
  if (!mailing) throw noMail()
  const account = await getAccount(ctx.db, self.accountId)
  if (account.emailProvenAt) throw new ApiError(409, 'already_proven', 'This address is already proven')
  await countProofMail(ctx, account.email)
  await ctx.db.tx(async (tx) => {
    const wanted = {
      purpose: 'prove',
      email: account.email,
      invitedBy: account.id,
      isMailed: true,
      holds: '1 day',
    } as const
    const { id, token } = await makeInvitation(tx, wanted)
    await queueMail(mailing, tx, { kind: 'prove', email: account.email, invitationId: id, token })
    await recordAudit(tx, self.actor, { businessId: null, action: 'account.proof_asked', target: account.id })
  })
}
