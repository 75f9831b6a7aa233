import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import type { Hex } from 'viem'
import { Secret } from '../../platform/secrets.ts'
import { addressDigits } from '../addressHash.ts'
import { refuseDerivationPath } from '../derivationPath.ts'
import type { WalletKey, WalletKeys } from '../wallet.ts'

export const evmWalletKeys: WalletKeys = {
  /** BIP-44 with coin type 60 (SLIP-44): the first address of MetaMask and Ledger Live. */
  defaultPath: "m/44'/60'/0'/0/0",

  refusePath: (path) => refuseDerivationPath(path, { hardenedOnly: false }),

  derive(seed, path) {
    const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
    if (!privateKey) throw new Error('the path derives no private key')
    return walletKey(privateKey)
  },

  parse(privateKey) {
    const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(privateKey.reveal()) ?? []
    const bytes = digits === undefined ? null : Buffer.from(digits, 'hex')
    // Zero, and numbers from the curve's order up, are not valid keys.
    return bytes && secp256k1.utils.isValidSecretKey(bytes) ? walletKey(bytes) : null
  },
}

function walletKey(privateKey: Uint8Array): WalletKey {
  const publicKey = secp256k1.getPublicKey(privateKey, false)
  return {
    address: addressOfKey(publicKey),
    privateKey: new Secret(inHex(privateKey)),
    publicKey: inHex(publicKey),
  }
}

const inHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

/** @param publicKey uncompressed, 65 bytes @returns normal form */
export const addressOfKey = (publicKey: Uint8Array): string => `0x${addressDigits(publicKey)}`
