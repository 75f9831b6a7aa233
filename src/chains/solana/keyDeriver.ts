import { base58 } from '@scure/base'
import { HDKey } from 'micro-key-producer/slip10.js'
import { requireIndex } from '../bip32.ts'
import type { KeyDeriver } from '../chain.ts'

/**
 * SLIP-10 (ed25519, every step hardened) with coin type 501. Wallets keep their first address at `m/44'/501'/0'/0'`; deposits are
 * in a branch of their own, so that account 0 stays free for the treasury's own wallets.
 */
const branch = "m/44'/501'/1'/0'"

export const solanaKeyDeriver: KeyDeriver = {
  deriveDeposit(seed, index) {
    requireIndex(index)
    const path = `${branch}/${index}'`
    return { address: base58.encode(HDKey.fromMasterSeed(seed).derive(path).publicKeyRaw), path }
  },
}
