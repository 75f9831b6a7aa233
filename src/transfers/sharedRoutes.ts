import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { findWallet } from '../wallets/getWallet.ts'
import { cancelTransfer } from './cancelTransfer.ts'
import { estimateTransfer } from './estimateTransfer.ts'
import { getTransfer } from './getTransfer.ts'
import { listTransfers } from './listTransfers.ts'
import { readSender, readTransfer, readValidUntil } from './readTransfer.ts'
import { sendFromWallet, type WalletSendingContext } from './sendFromWallet.ts'

export interface SharedTransferContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  txmgr: WalletSendingContext
}

/** Transfers that programs and the dashboard send from stored wallets, and all that there are. */
export const sharedTransferRoutes = (ctx: SharedTransferContext): Routes => ({
  async sendFromWallet({ params, body: { validUntil, ...body }, caller, remember }) {
    const wallet = await findWallet(ctx, caller.businessId, params.id)
    const wanted = readTransfer(ctx, { ...body, chain: wallet.chain })
    const { apiKey, account } = caller
    const askedBy = {
      apiKeyId: apiKey?.id ?? null,
      keyRootId: apiKey?.rootId ?? null,
      accountId: apiKey ? null : (account?.id ?? null),
    }
    const view = await sendFromWallet(
      ctx.txmgr,
      { ...wanted, validUntil: readValidUntil(validUntil), wallet, askedBy },
      (tx, shown) => remember(tx, { status: 202, body: shown }),
    )
    return { status: 202, body: view }
  },
  async estimateTransfer({ body }) {
    const wanted = readTransfer(ctx, body)
    return {
      status: 200,
      body: await estimateTransfer(ctx.txmgr, {
        ...wanted,
        from: readSender(wanted.chain, body.fromAddress),
      }),
    }
  },
  async listTransfers({ query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listTransfers(ctx, caller.businessId, filter, request) }
  },
  cancelTransfer: async ({ params, caller, remember }) => ({
    status: 200,
    body: await cancelTransfer(ctx.txmgr, caller.businessId, params.id, (tx, view) =>
      remember(tx, { status: 200, body: view }),
    ),
  }),
  getTransfer: async ({ params, caller }) => ({
    status: 200,
    body: await getTransfer(ctx, caller.businessId, params.id),
  }),
})
