import { addressCodec } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type Wallet, walletModel } from './model.ts'

export const walletArchived = () =>
  new ApiError(409, 'wallet_archived', 'The wallet is archived; nothing is sent from it any more')

/** A stored wallet of the business. @throws ApiError 404, also for another business's wallet */
export async function findWallet(ctx: { db: ModelDb }, businessId: string, id: string): Promise<Wallet> {
  const wallet = isUuid(id)
    ? await walletModel(ctx.db.sequelize).findOne({ where: { id, businessId } })
    : null
  if (!wallet) throw notFound('Wallet')
  return wallet
}

/** A stored wallet as the API shows it: never its secret. */
export type WalletView = ReturnType<typeof presentWallet>

export function presentWallet(wallet: Wallet) {
  const chain = knownChain(wallet.chain)
  if (!chain) throw new Error(`unknown chain ${wallet.chain}`)
  return {
    id: wallet.id,
    chain: wallet.chain,
    address: addressCodec(chain.family).display(wallet.address),
    publicKey: wallet.publicKey,
    name: wallet.name,
    derivationPath: wallet.derivationPath,
    createdAt: wallet.createdAt.toISOString(),
    archivedAt: wallet.archivedAt?.toISOString() ?? null,
  }
}
