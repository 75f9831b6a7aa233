import { normalEmail } from '../../src/accounts/findAccount.ts'
import { countInvitationMail } from '../../src/limits/mailLimits.ts'
import type { Mailing } from '../../src/mail/queueMail.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import type { ApiContext } from '../context.ts'

/**
 * How an invitation's link gets to its address: by mail where the deployment sends some and nothing else is asked for.
 * @returns null: it is handed over
 * @throws ApiError 400 naming `delivery`; 429
 */
export async function mailingFor(
  ctx: Pick<ApiContext, 'mailing' | 'limiter'>,
  delivery: 'mail' | 'link' | undefined,
  email: string,
  businessId?: string,
): Promise<Mailing | null> {
  if (delivery === 'mail' && !ctx.mailing) throw invalidBody({ field: 'delivery', message: 'must be link: this platform sends no mail' })
  if (delivery === 'link' || !ctx.mailing) return null
  await countInvitationMail(ctx, normalEmail(email), businessId)
  return ctx.mailing
}
