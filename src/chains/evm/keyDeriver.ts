import { addressDigits } from '../addressHash.ts'
import { childPublicKey } from '../bip32.ts'
import type { KeyDeriver } from '../chain.ts'

/** BIP-44 with coin type 60 (SLIP-44). Account 1: account 0 is for the treasury's own wallets. */
const branch = "m/44'/60'/1'/0"

export const evmKeyDeriver: KeyDeriver = {
  deriveDeposit: (seed, index) => ({
    address: `0x${addressDigits(childPublicKey(seed, branch, index))}`,
    path: `${branch}/${index}`,
  }),
  depositKeyPath: (index) => `${branch}/${index}`,
  treasuryPath: "m/44'/60'/0'/0/0",
  stakingPath: "m/44'/60'/2'/0/0",
}
