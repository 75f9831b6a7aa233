import { Secret } from '../platform/secrets.ts'
import {
  associatedData,
  encapsulatedBytes,
  type SealedWallet,
  type WalletSecrets,
  walletInfo,
  walletSuite,
} from './walletSeal.ts'

/**
 * Decrypts the private key (and mnemonic) of a stored wallet.
 * @param privateKey 32 bytes, X25519
 * @throws where it was sealed to another key or for another wallet, or was changed; the error reveals nothing
 * of the content
 */
export async function openWallet(
  privateKey: Secret<Uint8Array>,
  wallet: SealedWallet,
): Promise<WalletSecrets> {
  const [enc, ciphertext] = [
    wallet.sealed.subarray(0, encapsulatedBytes),
    wallet.sealed.subarray(encapsulatedBytes),
  ]
  try {
    const suite = await walletSuite()
    const recipientKey = await suite.kem.deserializePrivateKey(privateKey.reveal())
    return parse(
      await suite.open({ recipientKey, enc, info: walletInfo }, ciphertext, associatedData(wallet)),
    )
  } catch {
    throw new Error(`cannot open the secrets of wallet ${wallet.id}`)
  }
}

function parse(plain: ArrayBuffer): WalletSecrets {
  const { privateKey, mnemonic, derivationPath } = JSON.parse(Buffer.from(plain).toString()) as Record<
    string,
    unknown
  >
  if (typeof privateKey !== 'string') throw new Error('no private key')
  return {
    privateKey: new Secret(privateKey),
    ...(typeof mnemonic === 'string' && { mnemonic: new Secret(mnemonic) }),
    ...(typeof derivationPath === 'string' && { derivationPath }),
  }
}
