import type { Tx } from '../platform/db.ts'
import type { EndpointWithSecret } from './createEndpoint.ts'
import { type EndpointContext, lockEndpoint } from './endpoint.ts'
import { readEndpoint } from './listEndpoints.ts'
import { generateWebhookSecret, sealWebhookSecret } from './secret.ts'

/**
 * Creates a new signing secret. The previous one also signs for `overlapHours` (default 24); older ones no longer do.
 * @param also runs in the same transaction
 * @throws ApiError 404
 */
export function rotateSecret(
  ctx: EndpointContext,
  businessId: string,
  id: string,
  { overlapHours = 24 }: { overlapHours?: number } = {},
  also?: (tx: Tx, result: EndpointWithSecret) => Promise<void>,
): Promise<EndpointWithSecret> {
  return ctx.db.tx(async (tx) => {
    const { signature } = await lockEndpoint(tx, businessId, id)
    const secret = generateWebhookSecret(signature)
    await tx.query(
      `update webhook_endpoints set previous_sealed_secret = sealed_secret, previous_until = now() + $2 * interval '1 hour', sealed_secret = $3 where id = $1`,
      [id, overlapHours, sealWebhookSecret(ctx.appKey, id, secret)],
    )
    const result = { endpoint: await readEndpoint(ctx, tx, businessId, id), secret: signature === 'hmac' ? secret : null }
    await also?.(tx, result)
    return result
  })
}
