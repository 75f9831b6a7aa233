import { countInvitationMail } from '../../src/limits/mailLimits.ts'
import { normalEmail } from '../../src/mail/normalEmail.ts'
import type { Mailing } from '../../src/mail/queueMail.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import type { ApiContext } from '../context.ts'

/**
 * Chooses how an invitation's link is delivered: by mail if the deployment sends mail and the caller does not ask for the link.
 * @returns null: the caller gets the link
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
