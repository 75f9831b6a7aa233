import { knownChain } from '../../src/chains/registry.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { archiveWallet, renameWallet } from '../../src/wallets/changeWallet.ts'
import { generateWallet } from '../../src/wallets/generateWallet.ts'
import { findWallet, presentWallet } from '../../src/wallets/getWallet.ts'
import { listWallets } from '../../src/wallets/listWallets.ts'
import { storeWallet } from '../../src/wallets/storeWallet.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

const secret = (text: string | undefined) => (text === undefined ? null : new Secret(text))

/** Any known chain: making a key needs no node. @throws ApiError 400 naming `chain` */
function chainOf(name: string) {
  const chain = knownChain(name)
  if (!chain) throw invalidBody({ field: 'chain', message: `${name} is not a chain that Cowry knows` })
  return chain
}

/** POST /crypto/wallets/generate */
export function generateWalletRoute() {
  return async ({ body }: ApiRequest<BodyOf<'generateWallet'>>): Promise<Answer> => {
    const mnemonic = secret(body.mnemonic)
    const wallet = await generateWallet(chainOf(body.chain), {
      ...(mnemonic && { mnemonic }),
      ...(body.derivationPath !== undefined && { derivationPath: body.derivationPath }),
    })
    // The only place where the secrets leave the process: to the caller.
    return { status: 200, body: { ...wallet, privateKey: wallet.privateKey.reveal(), mnemonic: wallet.mnemonic.reveal() } }
  }
}

/** POST /crypto/wallets */
export function storeWalletRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<BodyOf<'storeWallet'>>): Promise<Answer> => {
    const wanted = {
      businessId: caller.businessId,
      chain: chainOf(body.chain),
      name: body.name ?? null,
      privateKey: secret(body.privateKey),
      mnemonic: secret(body.mnemonic),
      derivationPath: body.derivationPath ?? null,
    }
    const wallet = await storeWallet(ctx, wanted, (tx, view) => remember(tx, { status: 201, body: view }))
    return { status: 201, body: wallet }
  }
}

/** GET /crypto/wallets */
export function listWalletsRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listWallets'>>): Promise<Answer> => {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listWallets(ctx, caller.businessId, filter, request) }
  }
}

/** GET /crypto/wallets/{id} */
export function getWalletRoute(ctx: ApiContext) {
  return async ({ params, caller }: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: presentWallet(await findWallet(ctx, caller.businessId, params.id ?? '')),
  })
}

/** PATCH /crypto/wallets/{id} */
export function renameWalletRoute(ctx: ApiContext) {
  return async ({ params, body, caller, remember }: ApiRequest<BodyOf<'renameWallet'>>): Promise<Answer> => ({
    status: 200,
    body: await renameWallet(ctx, caller.businessId, params.id ?? '', body.name, (tx, view, before) =>
      remember(tx, { status: 200, body: view }, { before, after: { name: view.name } }),
    ),
  })
}

/** POST /crypto/wallets/{id}/archive */
export function archiveWalletRoute(ctx: ApiContext) {
  return async ({ params, caller, remember }: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: await archiveWallet(ctx, caller.businessId, params.id ?? '', (tx, view) => remember(tx, { status: 200, body: view })),
  })
}
