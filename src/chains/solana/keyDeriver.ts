import { base58 } from '@scure/base'
import { HDKey } from 'micro-key-producer/slip10.js'
import { requireIndex } from '../bip32.ts'
import type { KeyDeriver } from '../chain.ts'

/**
 * SLIP-10 (ed25519, hardened steps only) with coin type 501. Wallets keep their first address at
 * `m/44'/501'/0'/0'`. Deposits use a separate branch: account 0 is left to the treasury's own wallets.
 */
const branch = "m/44'/501'/1'/0'"

export const solanaKeyDeriver: KeyDeriver = {
  deriveDeposit(seed, index) {
    requireIndex(index)
    const path = `${branch}/${index}'`
    return { address: base58.encode(HDKey.fromMasterSeed(seed).derive(path).publicKeyRaw), path }
  },
  depositKeyPath: (index) => `${branch}/${index}'`,
  treasuryPath: "m/44'/501'/0'/0'",
  stakingPath: "m/44'/501'/2'/0'",
}
