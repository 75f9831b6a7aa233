import type { Tx } from '../platform/database/db.ts'
import { invalidBody } from '../platform/errors.ts'
import type { EndpointWithSecret } from './createEndpoint.ts'
import { type EndpointContext, lockEndpoint } from './endpoint.ts'
import { readEndpoint } from './listEndpoints.ts'
import { newSecret } from './newSecret.ts'
import { openWebhookSecret, type Signature, sealWebhookSecret } from './secret.ts'

export interface Rotation {
  /** The kind of the new secret; default: that of the present one. */
  signature?: Signature
  /** The caller's own HMAC secret. */
  secret?: string
  overlapHours?: number
}

/**
 * Replaces the signing secret, by one of another kind too. The previous one also signs for `overlapHours`
 * (default 24); older ones no longer do.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `secret`; 404
 */
export function rotateSecret(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  { signature: wanted, secret: own, overlapHours = 24 }: Rotation = {},
  also?: (tx: Tx, result: EndpointWithSecret) => Promise<void>,
): Promise<EndpointWithSecret> {
  return ctx.db.tx(async (tx) => {
    const endpoint = await lockEndpoint(tx, businessId, id)
    const signature = wanted ?? endpoint.signature
    const made = newSecret(signature, own)
    if ('wrong' in made) throw invalidBody(...made.wrong)
    const { secret } = made
    if (
      own !== undefined &&
      secret.reveal() === openWebhookSecret(ctx.appKey, id, endpoint.sealedSecret).reveal()
    )
      throw invalidBody({ field: 'secret', message: 'is the present secret', code: 'not_possible' })
    await tx.query(
      `update webhook_endpoints set previous_sealed_secret = sealed_secret, previous_until = now() + $2 * interval '1 hour', sealed_secret = $3,
         signature = $4 where id = $1`,
      [id, overlapHours, sealWebhookSecret(ctx.appKey, id, secret), signature],
    )
    const result = {
      endpoint: await readEndpoint(ctx, tx, businessId, id),
      secret: signature === 'hmac' ? secret : null,
    }
    await also?.(tx, result)
    return result
  })
}
