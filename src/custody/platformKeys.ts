import type { Family } from '../chains/chain.ts'
import { eventAccountPath } from '../chains/eventAccountPath.ts'
import { keyDerivers } from '../chains/keyDerivers.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import type { Secret } from '../platform/secrets.ts'
import { depositIndex, type PlatformKeys } from './platformAddresses.ts'

/** Addresses and keys of the platform, derived from the seed at each use. */
export function openPlatformKeys(seed: Secret<Uint8Array>): PlatformKeys {
  const treasuries = new Map<Family, string>()
  const treasuryOf = (family: Family) => walletKeys(family).derive(seed.reveal(), keyDerivers[family].treasuryPath)
  return {
    treasury(family) {
      const address = treasuries.get(family) ?? treasuryOf(family).address
      treasuries.set(family, address)
      return address
    },
    deposit: (family, index) => keyDerivers[family].deriveDeposit(seed.reveal(), index).address,
    treasuryKey: (family) => treasuryOf(family).privateKey,
    eventAccount: (id) => walletKeys('solana').derive(seed.reveal(), eventAccountPath(id)),
    async depositKey(db, family, address) {
      const index = await depositIndex(db, family, address)
      if (index === null) return null
      const key = walletKeys(family).derive(seed.reveal(), keyDerivers[family].depositKeyPath(index))
      return key.address === address ? key.privateKey : null
    },
  }
}
