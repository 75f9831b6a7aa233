import { HDKey } from 'micro-key-producer/slip10.js'
import { Secret } from '../../platform/secrets.ts'
import { refuseDerivationPath } from '../derivationPath.ts'
import type { WalletKey, WalletKeys } from '../wallet.ts'
import { exportKeypair, type Keypair, keypairOf, readKeypair } from './keypair.ts'

/**
 * SLIP-10 on ed25519 (hardened steps only); keys in the form that Phantom, Solflare and solana-keygen import.
 */
export const solanaWalletKeys: WalletKeys = {
  defaultPath: "m/44'/501'/0'/0'",

  refusePath: (path) => refuseDerivationPath(path, { hardenedOnly: true }),

  derive: (seed, path) => walletKey(keypairOf(HDKey.fromMasterSeed(seed).derive(path).privateKey)),

  parse(privateKey) {
    const pair = readKeypair(privateKey.reveal())
    return pair && walletKey(pair)
  },
}

function walletKey(pair: Keypair): WalletKey {
  return { address: pair.address, privateKey: new Secret(exportKeypair(pair)), publicKey: pair.address }
}
