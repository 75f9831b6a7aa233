import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { bytesToHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { KeyDeriver } from '../chain.ts'

/**
 * Deposit addresses by BIP-44 (coin type 60, SLIP-44): account 1, so that account 0 stays free for the
 * treasury's own wallets.
 */
export const evmKeyDeriver: KeyDeriver = {
  deriveDeposit(seed, index) {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new RangeError(`no address has the index ${index}`)
    const path = `m/44'/60'/1'/0/${index}`
    const branch = branchOf(seed)
    const node = branch.deriveChild(index)
    if (!node.publicKey) throw new Error(`no key at ${path}`)
    const uncompressed = secp256k1.Point.fromBytes(node.publicKey).toBytes(false)
    node.wipePrivateData()
    return { address: publicKeyToAddress(bytesToHex(uncompressed)).toLowerCase(), path }
  },
}

// A batch derives thousands of children of one branch; its four hardened steps are done once a seed.
const branches = new WeakMap<Uint8Array, HDKey>()
function branchOf(seed: Uint8Array): HDKey {
  let branch = branches.get(seed)
  if (!branch) {
    branch = HDKey.fromMasterSeed(seed).derive("m/44'/60'/1'/0")
    branches.set(seed, branch)
  }
  return branch
}
