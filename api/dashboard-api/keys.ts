import { allowWalletSends } from '../../src/apiKeys/allowWalletSends.ts'
import { changeKey, revokeKey, rotateKey } from '../../src/apiKeys/changeKey.ts'
import { createKey } from '../../src/apiKeys/createKey.ts'
import type { KeyManager } from '../../src/apiKeys/limits.ts'
import { getKey, listKeys } from '../../src/apiKeys/listKeys.ts'
import type { ApiKey } from '../../src/apiKeys/model.ts'
import { presentKey, showKey } from '../../src/apiKeys/presentKey.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import type { Secret } from '../../src/platform/secrets.ts'
import type { Answer, ApiContext, ApiRequest, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

function managerOf({ actor, account }: ApiRequest['caller']): KeyManager {
  if (!account?.role) throw new Error('API keys are managed by members only')
  return { actor, role: account.role }
}

/** Management of API keys. */
export function keyRoutes(ctx: ApiContext): Record<string, Route> {
  const shown = async (key: ApiKey): Promise<Answer> => ({ status: 200, body: await showKey(ctx, key) })
  /** The only answer that holds a key. It does not query the database: the key is already stored, and a failure would lose its secret. */
  const fresh = ({ key, secret }: { key: ApiKey; secret: Secret }, { account }: ApiRequest['caller']): Answer => ({
    status: 201,
    body: { key: presentKey(key, account?.email ?? null), secret: secret.reveal() },
  })
  return {
    async listKeys({ caller, query }) {
      const { filter, request } = splitQuery(query as QueryOf<'listKeys'>)
      return { status: 200, body: await listKeys(ctx, caller.businessId, filter, request) }
    },
    createKey: async ({ caller, body }) => fresh(await createKey(ctx, managerOf(caller), caller.businessId, body as BodyOf<'createKey'>), caller),
    getKey: async ({ caller, params }) => shown(await getKey(ctx, caller.businessId, params.keyId ?? '')),
    changeKey: async ({ caller, params, body }) =>
      shown(await changeKey(ctx, managerOf(caller), caller.businessId, params.keyId ?? '', body as BodyOf<'changeKey'>)),
    rotateKey: async ({ caller, params, body }) =>
      fresh(await rotateKey(ctx, managerOf(caller), caller.businessId, params.keyId ?? '', (body as BodyOf<'rotateKey'>).overlapSeconds), caller),
    allowWalletSends: async ({ caller, params, body }) =>
      shown(await allowWalletSends(ctx, managerOf(caller), caller.businessId, params.keyId ?? '', (body as BodyOf<'allowWalletSends'>).allowed)),
    revokeKey: async ({ caller, params }) => shown(await revokeKey(ctx, caller.actor, caller.businessId, params.keyId ?? '')),
  }
}
