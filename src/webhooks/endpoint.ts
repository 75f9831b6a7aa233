import type { Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { sealWebhookSecret } from './secret.ts'

/** Sets a business's one endpoint. What waited for an endpoint, for 24 h at most, is delivered to it. */
export async function setEndpoint(ctx: { db: Db; appKey: Secret }, options: { businessId: string; url: string; secret: Secret }): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const [existing] = await tx.query<{ id: string }>('select id from webhook_endpoints where business_id = $1 for update', [options.businessId])
    const id = existing?.id ?? newId()
    await tx.query(
      `insert into webhook_endpoints (id, business_id, url, sealed_secret) values ($1, $2, $3, $4)
       on conflict (id) do update set url = excluded.url, sealed_secret = excluded.sealed_secret, status = 'active'`,
      [id, options.businessId, options.url, sealWebhookSecret(ctx.appKey, id, options.secret)],
    )
    await tx.query(
      `update webhook_deliveries set endpoint_id = $2
       where business_id = $1 and endpoint_id is null and status = 'pending' and created_at > now() - interval '24 hours'`,
      [options.businessId, id],
    )
    return id
  })
}
