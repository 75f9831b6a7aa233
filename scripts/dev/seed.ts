import { createAccount } from '../../src/accounts/createAccount.ts'
import { findAccountByEmail } from '../../src/accounts/findAccount.ts'
import type { Passwords } from '../../src/accounts/passwords.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { businessModel } from '../../src/businesses/model.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { insertEndpoint, lockEvents } from '../../src/webhooks/endpoint.ts'
import { noFilters } from '../../src/webhooks/filters.ts'
import { generateWebhookSecret, sealWebhookSecret } from '../../src/webhooks/secret.ts'

export interface DemoBusiness {
  businessId: string
  apiKey: string
  webhookSecret: string
  /** Of the owner of the business, who is also an operator of the platform. */
  password: string
}

export const demoEmail = 'demo@cowry.test'
const demoEndpoint = 'The demo receiver of npm start'

/**
 * The demo business with its API key, endpoint and owner. Keeps what an earlier start made, and adds what the
 * database lacks.
 */
export async function seedDemo(
  ctx: { db: ModelDb; appKey: Secret; passwords: Pick<Passwords, 'hash'> },
  known: {
    businessId: string | null
    apiKey: string | null
    webhookSecret: string | null
    password: string | null
  },
  webhookUrl: string,
): Promise<DemoBusiness> {
  const businesses = businessModel(ctx.db.sequelize)
  const existing = known.businessId ? await businesses.findByPk(known.businessId) : null
  const businessId = existing?.id ?? known.businessId ?? newId()
  let apiKey = known.apiKey
  if (!existing) {
    const fees = { feePercent: '1', fxMarginPercent: '1.5' }
    await businesses.create({
      id: businessId,
      name: 'Demo Business',
      localCurrency: 'NGN',
      ...fees,
      accepted: null,
      approval: 'approved',
    })
    apiKey ??= generateApiKey('test').reveal()
    const writePermissions = [
      ...unnamedPermissions('write', null),
      'payouts:destinations',
      'refunds:address',
      'wallets:send',
      'bridge:transfer',
    ]
    await storeKey(ctx, {
      businessId,
      name: 'demo',
      scope: 'write',
      writePermissions,
      key: new Secret(apiKey),
    })
  }
  if (!apiKey)
    throw new Error('the demo business exists, but its API key is lost; delete COWRY_HOME to start over')
  const webhookSecret = known.webhookSecret ?? generateWebhookSecret().reveal()
  await seedEndpoint(ctx, businessId, webhookUrl, new Secret(webhookSecret))
  return { businessId, apiKey, webhookSecret, password: await seedOwner(ctx, businessId, known.password) }
}

/** Keeps the endpoint's secret equal to the receiver's, which stays the same between starts. */
async function seedEndpoint(
  ctx: { db: ModelDb; appKey: Secret },
  businessId: string,
  url: string,
  secret: Secret,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [found] = await tx.query<{ id: string }>(
      `select id from webhook_endpoints where business_id = $1 and (description = $2 or url = $3) and removed_at is null
       order by id limit 1 for no key update`,
      [businessId, demoEndpoint, url],
    )
    if (!found) {
      await lockEvents(tx, businessId)
      const endpoint = {
        id: newId(),
        businessId,
        url,
        description: demoEndpoint,
        eventTypes: null,
        filters: noFilters,
        signature: 'hmac',
        secret,
      } as const
      return insertEndpoint(ctx, tx, endpoint)
    }
    await tx.query(
      `update webhook_endpoints set url = $2, sealed_secret = $3, status = 'active', paused_reason = null, paused_at = null,
         consecutive_failures = 0, failing_since = null where id = $1`,
      [found.id, url, sealWebhookSecret(ctx.appKey, found.id, secret)],
    )
  })
}

async function seedOwner(
  ctx: { db: ModelDb; passwords: Pick<Passwords, 'hash'> },
  businessId: string,
  known: string | null,
): Promise<string> {
  const existing = await findAccountByEmail(ctx.db, demoEmail)
  if (existing && known) return known
  const password = known ?? `demo-${newId()}`
  const passwordHash = await ctx.passwords.hash(password)
  if (existing) {
    await ctx.db.query('update accounts set password_hash = $2 where id = $1', [existing.id, passwordHash])
    return password
  }
  await ctx.db.tx(async (tx) => {
    const { id } = await createAccount(tx, {
      email: demoEmail,
      name: 'Demo Owner',
      passwordHash,
      operator: true,
    })
    await tx.query(`insert into members (business_id, account_id, role) values ($1, $2, 'owner')`, [
      businessId,
      id,
    ])
  })
  return password
}
