import type { ConfiguredChain } from '../chains/registry.ts'
import type { ApiRequest } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { Secret } from '../platform/secrets.ts'
import type { KeySendingContext } from '../txmgr/sendNow.ts'
import { parsePrivateKey } from '../wallets/storeWallet.ts'
import { createTransfer } from './createTransfer.ts'
import { prepareTransfer } from './prepareTransfer.ts'
import type { TransferView } from './presentTransfer.ts'
import { readSender, readTransfer } from './readTransfer.ts'
import { submitTransfer } from './submitTransfer.ts'

export interface TransferRoutesContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  txmgr: KeySendingContext
}

const created = (remember: ApiRequest['remember']) => (db: Queryable, view: TransferView) =>
  remember(db, { status: 201, body: view })

/** Transfers that callers sign themselves, or by a key of the request. */
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
})
