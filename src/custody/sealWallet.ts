import {
  associatedData,
  type WalletOwner,
  type WalletSecrets,
  walletInfo,
  walletSuite,
} from './walletSeal.ts'

/**
 * Seals a wallet's secrets to the treasury: the sealing process cannot open them.
 * @param publicKey 32 bytes, X25519
 * @returns encapsulated key and ciphertext
 */
export async function sealWallet(
  publicKey: Uint8Array,
  owner: WalletOwner,
  secrets: WalletSecrets,
): Promise<Buffer> {
  const plain = Buffer.from(
    JSON.stringify({
      privateKey: secrets.privateKey.reveal(),
      mnemonic: secrets.mnemonic?.reveal(),
      derivationPath: secrets.derivationPath,
    }),
  )
  const suite = await walletSuite()
  const recipientPublicKey = await suite.kem.deserializePublicKey(publicKey)
  const { enc, ct } = await suite.seal({ recipientPublicKey, info: walletInfo }, plain, associatedData(owner))
  return Buffer.concat([Buffer.from(enc), Buffer.from(ct)])
}
