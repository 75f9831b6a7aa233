import type { Caller } from '../accounts/caller.ts'
import { requireFreshFactor } from '../accounts/freshFactor.ts'
import type { Answer } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import { allowPermission, namedPermissions } from './allowPermission.ts'
import { changeKey, revokeKey, rotateKey } from './changeKey.ts'
import { createKey, type KeysContext } from './createKey.ts'
import type { KeyManager } from './limits.ts'
import { getKey, listKeys } from './listKeys.ts'
import type { ApiKey } from './model.ts'
import { presentKey, showKey } from './presentKey.ts'

function managerOf({ actor, account }: Caller): KeyManager {
  if (!account?.role) throw new Error('API keys are managed by members only')
  return { actor, role: account.role }
}

/** Management of API keys. */
export function keyDashboardRoutes(ctx: KeysContext): Routes {
  const shown = async (key: ApiKey): Promise<Answer> => ({ status: 200, body: await showKey(ctx, key) })
  /**
   * The only answer that holds a key. It does not query the database: the key is already stored, and a
   * failure would lose its secret.
   */
  const fresh = ({ key, secret }: { key: ApiKey; secret: Secret }, { account }: Caller): Answer => ({
    status: 201,
    body: { key: presentKey(key, account?.email ?? null), secret: secret.reveal() },
  })
  /** A key of the scope `write` moves money, now or with what is added to it. */
  const freshForWrites = async (caller: Caller, id: string): Promise<void> => {
    if ((await getKey(ctx, caller.businessId, id)).scope === 'write') requireFreshFactor(caller)
  }
  return {
    async listKeys({ caller, query }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listKeys(ctx, caller.businessId, filter, request) }
    },
    async createKey({ caller, body }) {
      if (body.scope === 'write') requireFreshFactor(caller)
      return fresh(await createKey(ctx, managerOf(caller), caller.businessId, body), caller)
    },
    getKey: async ({ caller, params }) => shown(await getKey(ctx, caller.businessId, params.keyId)),
    async changeKey({ caller, params, body }) {
      if (Object.keys(body).some((field) => field !== 'name')) await freshForWrites(caller, params.keyId)
      return shown(await changeKey(ctx, managerOf(caller), caller.businessId, params.keyId, body))
    },
    async rotateKey({ caller, params, body }) {
      await freshForWrites(caller, params.keyId)
      return fresh(
        await rotateKey(ctx, managerOf(caller), caller.businessId, params.keyId, body.overlapSeconds),
        caller,
      )
    },
    allowWalletSends: async ({ caller, params, body }) =>
      shown(
        await allowPermission(
          ctx,
          managerOf(caller),
          caller.businessId,
          params.keyId,
          namedPermissions.walletSends,
          body.allowed,
        ),
      ),
    allowRefundAddresses: async ({ caller, params, body }) =>
      shown(
        await allowPermission(
          ctx,
          managerOf(caller),
          caller.businessId,
          params.keyId,
          namedPermissions.refundAddresses,
          body.allowed,
        ),
      ),
    revokeKey: async ({ caller, params }) =>
      shown(await revokeKey(ctx, caller.actor, caller.businessId, params.keyId)),
  }
}
