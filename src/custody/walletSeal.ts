import type { CipherSuite } from '@hpke/core'
import { once } from '../platform/once.ts'
import type { Secret } from '../platform/secrets.ts'

/** The sealed secrets of a stored wallet. */
export interface WalletSecrets {
  privateKey: Secret
  mnemonic?: Secret
  derivationPath?: string
}

/** The wallet that secrets belong to: bound to the sealed bytes, so that rows cannot be swapped. */
export interface WalletOwner {
  /** The wallet's. */
  id: string
  businessId: string
  chain: string
  /** Normal form of the family. */
  address: string
}

/** The sealed columns of a row of `wallets`. */
export interface SealedWallet extends WalletOwner {
  /** The key pair that it is sealed to. */
  keyId: string
  sealed: Uint8Array
}

/**
 * HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Loaded when a wallet is
 * first sealed or opened.
 */
export const walletSuite = once(async (): Promise<CipherSuite> => {
  const { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } = await import('@hpke/core')
  return new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
})

/** Length of the encapsulated key, which precedes the ciphertext. */
export const encapsulatedBytes = 32

export const walletInfo = Buffer.from('cowry/wallet/v1')

/** The separator cannot occur in any part. */
export const associatedData = ({ id, businessId, chain, address }: WalletOwner): Buffer =>
  Buffer.from(`${id}|${businessId}|${chain}|${address}`)
