import type { Family } from '../chains/chain.ts'
import { eventAccountPath } from '../chains/eventAccountPath.ts'
import { keyDerivers } from '../chains/keyDerivers.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import type { Secret } from '../platform/secrets.ts'
import { depositIndex, type PlatformKeys } from './platformAddresses.ts'

/** Addresses and keys of the platform, derived from the seed at each use. */
export function openPlatformKeys(seed: Secret<Uint8Array>): PlatformKeys {
  const addresses = new Map<string, string>()
  const keyOf = (family: Family, path: string) => walletKeys(family).derive(seed.reveal(), path)
  const addressOf = (family: Family, path: string): string => {
    const key = `${family} ${path}`
    const address = addresses.get(key) ?? keyOf(family, path).address
    addresses.set(key, address)
    return address
  }
  return {
    treasury: (family) => addressOf(family, keyDerivers[family].treasuryPath),
    staking: (family) => addressOf(family, keyDerivers[family].stakingPath),
    deposit: (family, index) => keyDerivers[family].deriveDeposit(seed.reveal(), index).address,
    treasuryKey: (family) => keyOf(family, keyDerivers[family].treasuryPath).privateKey,
    stakingKey: (family) => keyOf(family, keyDerivers[family].stakingPath).privateKey,
    eventAccount: (id) => walletKeys('solana').derive(seed.reveal(), eventAccountPath(id)),
    async depositKey(db, family, address) {
      const index = await depositIndex(db, family, address)
      if (index === null) return null
      const key = walletKeys(family).derive(seed.reveal(), keyDerivers[family].depositKeyPath(index))
      return key.address === address ? key.privateKey : null
    },
  }
}
