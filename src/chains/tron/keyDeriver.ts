import { addressDigits } from '../addressHash.ts'
import { childPublicKey } from '../bip32.ts'
import type { KeyDeriver } from '../chain.ts'
import { fromHex } from './address.ts'

/** BIP-44 with coin type 195 (SLIP-44) and account 1: account 0 is left to the treasury's own wallets. */
const branch = "m/44'/195'/1'/0"

export const tronKeyDeriver: KeyDeriver = {
  // The address derives from the public key as on Ethereum, with another prefix (TRON developer docs,
  // "Account model").
  deriveDeposit: (seed, index) => ({
    address: fromHex(addressDigits(childPublicKey(seed, branch, index))),
    path: `${branch}/${index}`,
  }),
  depositKeyPath: (index) => `${branch}/${index}`,
  treasuryPath: "m/44'/195'/0'/0/0",
  stakingPath: "m/44'/195'/2'/0/0",
}
