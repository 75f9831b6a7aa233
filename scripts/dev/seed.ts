import { createApiKey, storeApiKey } from '../../src/accounts/apiKey.ts'
import { businessModel } from '../../src/accounts/models.ts'
import type { Db } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { setEndpoint } from '../../src/webhooks/endpoint.ts'
import { generateWebhookSecret } from '../../src/webhooks/secret.ts'

export interface DemoBusiness {
  businessId: string
  apiKey: string
  webhookSecret: string
}

/**
 * The business that a developer tries things with, its API key and its endpoint. What is known from an earlier
 * start is kept; a database that knows nothing of it gets it again.
 */
export async function seedDemo(
  ctx: { db: Db; appKey: Secret },
  known: { businessId: string | null; apiKey: string | null; webhookSecret: string | null },
  webhookUrl: string,
): Promise<DemoBusiness> {
  const businesses = businessModel(ctx.db.sequelize)
  const existing = known.businessId ? await businesses.findByPk(known.businessId) : null
  const businessId = existing?.id ?? known.businessId ?? newId()
  let apiKey = known.apiKey
  if (!existing) {
    await businesses.create({ id: businessId, name: 'Demo Business', localCurrency: 'NGN', feePercent: '1', fxMarginPercent: '1.5', accepted: null })
    const options = { businessId, name: 'demo', scope: 'write' as const }
    if (apiKey) await storeApiKey(ctx, { ...options, key: new Secret(apiKey) })
    else apiKey = (await createApiKey(ctx, { ...options, environment: 'test' })).reveal()
  }
  if (!apiKey) throw new Error('the demo business is there, but its API key is not known; delete COWRY_HOME to begin anew')
  const webhookSecret = known.webhookSecret ?? generateWebhookSecret().reveal()
  await setEndpoint(ctx, { businessId, url: webhookUrl, secret: new Secret(webhookSecret) })
  return { businessId, apiKey, webhookSecret }
}
