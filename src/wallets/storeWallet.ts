import type { ConfiguredChain } from '../chains/registry.ts'
import type { WalletKey } from '../chains/wallet.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import { sealNewWallet } from '../custody/sealNewWallet.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, invalidBody, refusedField } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { presentWallet, type WalletView } from './getWallet.ts'
import { parseMnemonic, seedOf } from './mnemonic.ts'
import { walletModel } from './model.ts'

export interface WantedWallet {
  businessId: string
  chain: Pick<ConfiguredChain, 'name' | 'family'>
  name: string | null
  /** Exactly one of the two is set. */
  privateKey: Secret | null
  mnemonic: Secret | null
  /** Only with a phrase; null: the default path of the chain's wallets. */
  derivationPath: string | null
}

/** @throws ApiError 400 `invalid_private_key` */
export function parsePrivateKey(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  key: Secret,
  field: string,
): WalletKey {
  const parsed = walletKeys(chain.family).parse(key)
  if (parsed) return parsed
  const message = `is not a valid private key for ${chain.name}`
  throw refusedField('invalid_private_key', field, message)
}

/**
 * Stores a wallet of the business, its secret sealed to the treasury's public key: from here on only the
 * treasury can read it.
 * @param also runs in the same transaction
 * @throws ApiError 400 that names the field; 409 `wallet_exists`; 503 `wallet_key_missing`
 */
export async function storeWallet(
  ctx: { db: ModelDb },
  wanted: WantedWallet,
  also: (tx: ModelTx, result: WalletView) => Promise<void>,
): Promise<WalletView> {
  const { businessId, chain, name } = wanted
  const { key, mnemonic, derivationPath } = await readSecrets(wanted)
  const view = await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    const owner = { id: newId(), businessId, chain: chain.name, address: key.address }
    const { keyId, sealed } = await sealNewWallet(tx, owner, {
      privateKey: key.privateKey,
      ...(mnemonic && { mnemonic }),
      ...(derivationPath !== null && { derivationPath }),
    })
    const model = walletModel(ctx.db.sequelize)
    const [held] = await tx.query<{ id: string }>(
      'select id from wallets where business_id = $1 and chain = $2 and address = $3 and archived_at is null',
      [businessId, chain.name, key.address],
    )
    if (held) throw walletExists(held.id)
    const source = mnemonic ? ('mnemonic' as const) : ('private_key' as const)
    const stored = {
      ...owner,
      publicKey: key.publicKey,
      name,
      source,
      derivationPath,
      keyId,
      sealed: Buffer.from(sealed),
      archivedAt: null,
    }
    const wallet = await model
      .build(stored)
      .save({ transaction, returning: false })
      .catch((error) => {
        if (error instanceof Error && error.name === 'SequelizeUniqueConstraintError')
          throw walletExists(null)
        throw error
      })
    const shown = presentWallet(wallet)
    await also(tx, shown)
    return shown
  })
  failpoint('api.wallet-stored')
  return view
}

const walletExists = (id: string | null) =>
  new ApiError(
    409,
    'wallet_exists',
    `This address is already stored${id === null ? '' : `, as the wallet ${id}`}`,
  )

async function readSecrets(
  wanted: WantedWallet,
): Promise<{ key: WalletKey; mnemonic: Secret | null; derivationPath: string | null }> {
  const { chain, privateKey, mnemonic } = wanted
  if (privateKey !== null && mnemonic === null) {
    if (wanted.derivationPath !== null)
      throw invalidBody({ field: 'derivationPath', message: 'is for a mnemonic', code: 'not_possible' })
    return { key: parsePrivateKey(chain, privateKey, 'privateKey'), mnemonic: null, derivationPath: null }
  }
  if (mnemonic === null || privateKey !== null) {
    const message = 'give privateKey or mnemonic, and not both'
    const code = mnemonic === null ? 'required' : 'not_both'
    throw invalidBody({ field: 'privateKey', message, code }, { field: 'mnemonic', message, code })
  }
  const keys = walletKeys(chain.family)
  const path = wanted.derivationPath ?? keys.defaultPath
  const refused = keys.refusePath(path)
  if (refused !== null) throw invalidBody({ field: 'derivationPath', message: refused, code: 'invalid_form' })
  const phrase = parseMnemonic(mnemonic)
  return { key: keys.derive((await seedOf(phrase)).reveal(), path), mnemonic: phrase, derivationPath: path }
}
