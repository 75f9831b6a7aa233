import { ed25519 } from '@noble/curves/ed25519.js'
import { HDKey } from 'micro-key-producer/slip10.js'
import { Secret } from '../../platform/secrets.ts'
import { refuseDerivationPath } from '../derivationPath.ts'
import type { WalletKey, WalletKeys } from '../wallet.ts'
import { decodeSecretSeed, encodeSecretSeed } from './secretSeed.ts'
import { encodeStrKey } from './strkey.ts'

/**
 * SEP-5: SLIP-10 over ed25519, which has hardened children only. Keys are `S…` and `G…`, as wallets show
 * them.
 */
export const stellarWalletKeys: WalletKeys = {
  defaultPath: "m/44'/148'/0'",
  refusePath: (path) => refuseDerivationPath(path, { hardenedOnly: true }),
  derive: (seed, path) => keyOf(HDKey.fromMasterSeed(seed).derive(path).privateKey),
  parse(privateKey) {
    const seed = decodeSecretSeed(privateKey.reveal())
    return seed && keyOf(seed)
  },
}

function keyOf(seed: Uint8Array): WalletKey {
  const address = encodeStrKey('account', ed25519.getPublicKey(seed))
  return { address, privateKey: new Secret(encodeSecretSeed(seed)), publicKey: address }
}
