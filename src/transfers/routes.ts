import type { ConfiguredChain } from '../chains/registry.ts'
import type { ApiRequest } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { Secret } from '../platform/secrets.ts'
import type { KeySendingContext } from '../txmgr/sendNow.ts'
import { findWallet } from '../wallets/getWallet.ts'
import { parsePrivateKey } from '../wallets/storeWallet.ts'
import { cancelTransfer } from './cancelTransfer.ts'
import { createTransfer } from './createTransfer.ts'
import { estimateTransfer } from './estimateTransfer.ts'
import { getTransfer } from './getTransfer.ts'
import { listTransfers } from './listTransfers.ts'
import { prepareTransfer } from './prepareTransfer.ts'
import type { TransferView } from './presentTransfer.ts'
import { readSender, readTransfer, readValidUntil } from './readTransfer.ts'
import { sendFromWallet, type WalletSendingContext } from './sendFromWallet.ts'
import { submitTransfer } from './submitTransfer.ts'

export interface TransferRoutesContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  txmgr: WalletSendingContext & KeySendingContext
}

const created = (remember: ApiRequest['remember']) => (db: Queryable, view: TransferView) =>
  remember(db, { status: 201, body: view })

/** Transfers that callers send. */
export const transferRoutes = (ctx: TransferRoutesContext): Routes => ({
  async createTransfer({ body: { fromPrivateKey, ...request }, caller, remember }) {
    const wanted = readTransfer(ctx, request)
    const { address: from, privateKey: key } = parsePrivateKey(
      wanted.chain,
      new Secret(fromPrivateKey),
      'fromPrivateKey',
    )
    const view = await createTransfer(
      ctx.txmgr,
      { ...wanted, businessId: caller.businessId, from, key },
      created(remember),
    )
    return { status: 201, body: view }
  },
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
  async prepareTransfer({ body, caller, remember }) {
    const wanted = readTransfer(ctx, body)
    const from = readSender(wanted.chain, body.fromAddress)
    const view = await prepareTransfer(
      ctx.txmgr,
      { ...wanted, businessId: caller.businessId, from },
      (tx, shown) => remember(tx, { status: 201, body: shown }),
    )
    return { status: 201, body: view }
  },
  async submitTransfer({ body, caller, remember }) {
    const view = await submitTransfer(
      ctx.txmgr,
      { businessId: caller.businessId, ...body },
      created(remember),
    )
    return { status: 201, body: view }
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
