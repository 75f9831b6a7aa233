import { normalEmail } from '../mail/normalEmail.ts'
import type { Mailing } from '../mail/queueMail.ts'
import { invalidBody } from '../platform/errors.ts'
import { countInvitationMail } from '../rateLimits/mailLimits.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'

/**
 * Chooses how an invitation's link is delivered: by mail if the deployment sends mail and the caller does not
 * request the link.
 * @returns null: the caller gets the link
 * @throws ApiError 400 naming `delivery`; 429
 */
export async function mailingFor(
  ctx: { mailing: Mailing | null; limiter: RateLimiter },
  delivery: 'mail' | 'link' | undefined,
  email: string,
  businessId?: string,
): Promise<Mailing | null> {
  if (delivery === 'mail' && !ctx.mailing)
    throw invalidBody({
      field: 'delivery',
      message: 'must be link: this platform sends no mail',
      code: 'not_possible',
    })
  if (delivery === 'link' || !ctx.mailing) return null
  await countInvitationMail(ctx, normalEmail(email), businessId)
  return ctx.mailing
}
