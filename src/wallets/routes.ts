import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireChain, requireKnownChain } from '../chains/requireChain.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { Secret } from '../platform/secrets.ts'
import { readHolder } from '../transfers/readTransfer.ts'
import { archiveWallet, renameWallet } from './changeWallet.ts'
import { generateWallet } from './generateWallet.ts'
import { findWallet, presentWallet } from './getWallet.ts'
import { listWallets } from './listWallets.ts'
import { readBalance } from './readBalance.ts'
import { storeWallet } from './storeWallet.ts'

export interface WalletRoutesContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  /** Reads balances on a configured chain. */
  accounts(chain: string): Promise<ChainAccounts>
}

const secret = (text: string | undefined) => (text === undefined ? null : new Secret(text))

/** Make, store and read wallets. Making a key needs no node: any known chain will do. */
export const walletRoutes = (ctx: WalletRoutesContext): Routes => ({
  async generateWallet({ body }) {
    const mnemonic = secret(body.mnemonic)
    const wallet = await generateWallet(requireKnownChain(body.chain), {
      ...(mnemonic && { mnemonic }),
      ...(body.derivationPath !== undefined && { derivationPath: body.derivationPath }),
    })
    // The only place where the secrets leave the process: to the caller.
    return {
      status: 200,
      body: { ...wallet, privateKey: wallet.privateKey.reveal(), mnemonic: wallet.mnemonic.reveal() },
    }
  },
  async readBalance({ body }) {
    const chain = requireChain(ctx, body.chain)
    const address = readHolder(chain, body.address, 'address')
    return {
      status: 200,
      body: await readBalance(await ctx.accounts(chain.name), chain, address, body.tokenAddresses ?? null),
    }
  },
  async storeWallet({ body, caller, remember }) {
    const wanted = {
      businessId: caller.businessId,
      chain: requireKnownChain(body.chain),
      name: body.name ?? null,
      privateKey: secret(body.privateKey),
      mnemonic: secret(body.mnemonic),
      derivationPath: body.derivationPath ?? null,
    }
    const wallet = await storeWallet(ctx, wanted, (tx, view) => remember(tx, { status: 201, body: view }))
    return { status: 201, body: wallet }
  },
  async listWallets({ query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listWallets(ctx, caller.businessId, filter, request) }
  },
  getWallet: async ({ params, caller }) => ({
    status: 200,
    body: presentWallet(await findWallet(ctx, caller.businessId, params.id)),
  }),
  renameWallet: async ({ params, body, caller, remember }) => ({
    status: 200,
    body: await renameWallet(ctx, caller.businessId, params.id, body.name, (tx, { before, after }) =>
      remember(
        tx,
        { status: 200, body: after },
        { before: { name: before.name }, after: { name: after.name } },
      ),
    ),
  }),
  archiveWallet: async ({ params, caller, remember }) => ({
    status: 200,
    body: await archiveWallet(ctx, caller.businessId, params.id, (tx, view) =>
      remember(tx, { status: 200, body: view }),
    ),
  }),
})
