import type { Queryable } from '../../src/platform/db.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createTransfer } from '../../src/transfers/createTransfer.ts'
import { estimateTransfer } from '../../src/transfers/estimateTransfer.ts'
import { getTransfer } from '../../src/transfers/getTransfer.ts'
import { listTransfers } from '../../src/transfers/listTransfers.ts'
import { prepareTransfer } from '../../src/transfers/prepareTransfer.ts'
import type { TransferView } from '../../src/transfers/presentTransfer.ts'
import { readSender, readTransfer } from '../../src/transfers/readTransfer.ts'
import { sendFromWallet } from '../../src/transfers/sendFromWallet.ts'
import { submitTransfer } from '../../src/transfers/submitTransfer.ts'
import { findWallet } from '../../src/wallets/getWallet.ts'
import { parsePrivateKey } from '../../src/wallets/storeWallet.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

const created = (remember: ApiRequest['remember']) => (db: Queryable, view: TransferView) => remember(db, { status: 201, body: view })

/** POST /crypto/transfers/tokens */
export function createTransferRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<BodyOf<'createTransfer'>>): Promise<Answer> => {
    const { fromPrivateKey, ...request } = body
    const wanted = readTransfer(ctx, request)
    const { address: from, privateKey: key } = parsePrivateKey(wanted.chain, new Secret(fromPrivateKey), 'fromPrivateKey')
    const view = await createTransfer(ctx.txmgr, { ...wanted, businessId: caller.businessId, from, key }, created(remember))
    return { status: 201, body: view }
  }
}

/** POST /crypto/wallets/{id}/transfers */
export function sendFromWalletRoute(ctx: ApiContext) {
  return async ({ params, body, caller, remember }: ApiRequest<BodyOf<'sendFromWallet'>>): Promise<Answer> => {
    const wallet = await findWallet(ctx, caller.businessId, params.id ?? '')
    const wanted = readTransfer(ctx, { ...body, chain: wallet.chain })
    const { apiKey, account } = caller
    const askedBy = { apiKeyId: apiKey?.id ?? null, keyRootId: apiKey?.rootId ?? null, accountId: apiKey ? null : (account?.id ?? null) }
    const view = await sendFromWallet(ctx.txmgr, { ...wanted, wallet, askedBy }, (tx, shown) => remember(tx, { status: 202, body: shown }))
    return { status: 202, body: view }
  }
}

/** POST /crypto/transfers/estimate */
export function estimateTransferRoute(ctx: ApiContext) {
  return async ({ body }: ApiRequest<BodyOf<'estimateTransfer'>>): Promise<Answer> => {
    const wanted = readTransfer(ctx, body)
    return { status: 200, body: await estimateTransfer(ctx.txmgr, { ...wanted, from: readSender(wanted.chain, body.fromAddress) }) }
  }
}

/** POST /crypto/transfers/prepare */
export function prepareTransferRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<BodyOf<'prepareTransfer'>>): Promise<Answer> => {
    const wanted = readTransfer(ctx, body)
    const from = readSender(wanted.chain, body.fromAddress)
    const view = await prepareTransfer(ctx.txmgr, { ...wanted, businessId: caller.businessId, from }, (tx, shown) =>
      remember(tx, { status: 201, body: shown }),
    )
    return { status: 201, body: view }
  }
}

/** POST /crypto/transfers/submit */
export function submitTransferRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<BodyOf<'submitTransfer'>>): Promise<Answer> => {
    const view = await submitTransfer(ctx.txmgr, { businessId: caller.businessId, ...body }, created(remember))
    return { status: 201, body: view }
  }
}

/** GET /crypto/transfers */
export function listTransfersRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listTransfers'>>): Promise<Answer> => {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listTransfers(ctx, caller.businessId, filter, request) }
  }
}

/** GET /crypto/transfers/{id} */
export function getTransferRoute(ctx: ApiContext) {
  return async ({ params, caller }: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: await getTransfer(ctx, caller.businessId, params.id ?? ''),
  })
}
