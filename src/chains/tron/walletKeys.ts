import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { Secret } from '../../platform/secrets.ts'
import { addressDigits } from '../addressHash.ts'
import { refuseDerivationPath } from '../derivationPath.ts'
import type { WalletKey, WalletKeys } from '../wallet.ts'
import { fromHex } from './address.ts'

/** Keys of Tron users: secp256k1, any BIP-32 path. Hex without 0x, as in tronweb. */
export const tronWalletKeys: WalletKeys = {
  // BIP-44 with coin type 195 (SLIP-44): the first account of TronLink and tronweb.
  defaultPath: "m/44'/195'/0'/0/0",
  refusePath: (path) => refuseDerivationPath(path, { hardenedOnly: false }),
  derive(seed, path) {
    const node = HDKey.fromMasterSeed(seed).derive(path)
    try {
      if (!node.privateKey) throw new Error('there is no key at this path')
      return keyOf(node.privateKey)
    } finally {
      node.wipePrivateData()
    }
  },
  parse(privateKey) {
    const hex = privateKey.reveal().replace(/^0x/i, '')
    if (!/^[0-9a-f]{64}$/i.test(hex)) return null
    const bytes = Buffer.from(hex, 'hex')
    return secp256k1.utils.isValidSecretKey(bytes) ? keyOf(bytes) : null
  },
}

function keyOf(privateKey: Uint8Array): WalletKey {
  const publicKey = secp256k1.getPublicKey(privateKey, false)
  return {
    // The address derives from the public key as on Ethereum, with another prefix (TRON developer docs,
    // "Account model").
    address: fromHex(addressDigits(publicKey)),
    privateKey: new Secret(Buffer.from(privateKey).toString('hex')),
    publicKey: Buffer.from(publicKey).toString('hex'),
  }
}
