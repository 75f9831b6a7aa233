import type { ChainAccounts } from '../chains/chainAccounts.ts'
import { refuseUnopened } from '../chains/refuseUnopened.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import { estimateBridge } from './estimateBridge.ts'
import { getBridge, listBridge } from './listBridge.ts'
import { readBridgeRequest } from './readBridgeRequest.ts'
import { type BridgingContext, requestBridge } from './requestBridge.ts'

export interface BridgeRoutesContext extends BridgingContext {
  chains: readonly ConfiguredChain[]
  accounts(chain: string): Promise<Pick<ChainAccounts, 'balances' | 'bridge' | 'requireOpened'>>
}

/** USDC of stored wallets to other chains. */
export const bridgeRoutes = (ctx: BridgeRoutesContext): Routes => ({
  async createBridgeTransfer({ body, caller, remember }) {
    const wanted = await readBridgeRequest(ctx, body)
    await refuseUnopened(ctx, body.destinationAddress, 'destinationAddress')
    const { apiKey, account, businessId } = caller
    const askedBy = {
      apiKeyId: apiKey?.id ?? null,
      keyRootId: apiKey?.rootId ?? null,
      accountId: apiKey ? null : (account?.id ?? null),
    }
    const view = await requestBridge(ctx, wanted, { businessId, ...askedBy }, (tx, shown) =>
      remember(tx, { status: 201, body: shown }),
    )
    return { status: 201, body: view }
  },
  estimateBridgeTransfer: async ({ body }) => ({
    status: 200,
    body: await estimateBridge(ctx, await readBridgeRequest(ctx, body)),
  }),
  getBridgeTransfer: async ({ params, caller }) => ({
    status: 200,
    body: await getBridge(ctx, caller.businessId, params.id),
  }),
  async listBridgeTransfers({ query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listBridge(ctx, caller.businessId, filter, request) }
  },
})
