import type { Family, KeyDeriver } from './chain.ts'
import { evmKeyDeriver } from './evm/keyDeriver.ts'
import { solanaKeyDeriver } from './solana/keyDeriver.ts'
import { stellarKeyDeriver } from './stellar/keyDeriver.ts'
import { tronKeyDeriver } from './tron/keyDeriver.ts'

/** Derives deposit addresses. For the treasury only. */
export const keyDerivers: Record<Family, KeyDeriver> = {
  evm: evmKeyDeriver,
  solana: solanaKeyDeriver,
  tron: tronKeyDeriver,
  stellar: stellarKeyDeriver,
}
