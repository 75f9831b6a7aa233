import type { BridgeReader } from './bridging.ts'
import type { ActionSender, BalanceReader } from './sending.ts'
import type { ChainStaking } from './staking.ts'
import type { ChainSwapping } from './swapping.ts'
import type { SweepReader } from './sweeping.ts'

/** What a chain offers for addresses, next to reading blocks. */
export interface ChainAccounts {
  balances: BalanceReader
  sender: ActionSender
  /** Absent where deposit addresses are not swept. */
  sweeps?: SweepReader
  /** Absent where tokens are not swapped. */
  swapping?: ChainSwapping
  /** Absent where USDC is not bridged. */
  bridge?: BridgeReader
  /** Absent where wallets do not stake the coin themselves. */
  staking?: ChainStaking
  /**
   * Reads from the chain if a recipient is a wallet. Absent where an address shows by itself whether it has a
   * key.
   * @param address normal form
   * @throws ActionRefusedError if it is not a wallet; ProviderError
   */
  requireOpened?(address: string): Promise<void>
}
