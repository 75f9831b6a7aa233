import { x25519 } from '@noble/curves/ed25519.js'
import type { Db, Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { type Envelope, envelopeColumns, openEnvelope, sealEnvelope } from './envelope.ts'
import type { KeyProvider } from './keyProvider.ts'
import { openWallet } from './openWallet.ts'
import type { SealedWallet, WalletSecrets } from './walletSeal.ts'

export const walletKeyContext = (id: string) => `cowry/wallet-key/v1/${id}`

export interface WalletOpener {
  /** @throws where it is sealed to an unknown key or for another wallet, or was changed */
  open(wallet: SealedWallet): Promise<WalletSecrets>
  /**
   * Checks that all keys that wallets are sealed to are the treasury's: write access to the table could have
   * replaced one.
   * @throws naming the key that is not
   */
  verify(): Promise<void>
}

type Custody = { db: Db; keyProvider: KeyProvider }

/**
 * Opens stored wallets; treasury only. The first call creates the key pair, its private key sealed by the key
 * provider.
 * @throws when the stored key was sealed by another provider or key
 */
export async function openWalletKeys(ctx: Custody): Promise<WalletOpener> {
  const current = 'select id from wallet_keys where retired_at is null'
  const [stored] = await ctx.db.query<{ id: string }>(current)
  // Concurrent first calls: one row wins, and both read it.
  if (!stored) {
    await storeWalletKey(ctx, ctx.db)
    failpoint('treasury.wallet-key-stored')
  }
  const [key] = stored ? [stored] : await ctx.db.query<{ id: string }>(current)
  if (!key) throw new Error('the wallet key was stored but cannot be read back')
  const opened = new Map([[key.id, await readPrivateKey(ctx, key.id)]])
  return {
    async open(wallet) {
      const privateKey = opened.get(wallet.keyId) ?? (await readPrivateKey(ctx, wallet.keyId))
      opened.set(wallet.keyId, privateKey)
      return openWallet(privateKey, wallet)
    },
    async verify() {
      const rows = await ctx.db.query<{ id: string; publicKey: Buffer }>(
        'select id, public_key as "publicKey" from wallet_keys',
      )
      for (const { id, publicKey } of rows) {
        const privateKey = opened.get(id) ?? (await readPrivateKey(ctx, id))
        opened.set(id, privateKey)
        requireOwn(id, publicKey, privateKey)
      }
    },
  }
}

/** Creates a key pair and stores it as the current one, unless there is one. */
export async function storeWalletKey(
  { keyProvider }: Pick<Custody, 'keyProvider'>,
  db: Queryable,
): Promise<void> {
  const id = newId()
  const { secretKey, publicKey } = x25519.keygen()
  const envelope = await sealEnvelope(keyProvider, new Secret<Uint8Array>(secretKey), walletKeyContext(id))
  await db.query(
    `insert into wallet_keys (id, public_key, provider, wrapping_key, wrapped_key, sealed) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      id,
      Buffer.from(publicKey),
      envelope.provider,
      envelope.wrappingKey,
      envelope.wrappedKey,
      envelope.sealed,
    ],
  )
}

async function readPrivateKey(ctx: Custody, id: string): Promise<Secret<Uint8Array>> {
  const [row] = await ctx.db.query<Envelope & { publicKey: Buffer }>(
    `select public_key as "publicKey", ${envelopeColumns} from wallet_keys where id = $1`,
    [id],
  )
  if (!row) throw new Error(`wallet key ${id} does not exist`)
  const privateKey = await openEnvelope(ctx.keyProvider, row, walletKeyContext(id)).catch((cause) => {
    throw new Error(`the wallet key cannot be opened: ${messageOf(cause)}`, { cause })
  })
  requireOwn(id, row.publicKey, privateKey)
  return privateKey
}

/** Wallets are sealed to the public key in the table: with a replaced one, its author could open them. */
function requireOwn(id: string, publicKey: Buffer, privateKey: Secret<Uint8Array>): void {
  if (!publicKey.equals(x25519.getPublicKey(privateKey.reveal())))
    throw new Error(`the public key of wallet key ${id} was changed`)
}
