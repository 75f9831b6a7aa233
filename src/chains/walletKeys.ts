import type { Family } from './chain.ts'
import { evmWalletKeys } from './evm/walletKeys.ts'
import { solanaWalletKeys } from './solana/walletKeys.ts'
import { stellarWalletKeys } from './stellar/walletKeys.ts'
import { tronWalletKeys } from './tron/walletKeys.ts'
import type { WalletKeys } from './wallet.ts'

const keys: Record<Family, WalletKeys> = { evm: evmWalletKeys, solana: solanaWalletKeys, tron: tronWalletKeys, stellar: stellarWalletKeys }

/** Creates and parses keys of a family's users. */
export const walletKeys = (family: Family): WalletKeys => keys[family]
