import { Secret } from '../platform/secrets.ts'
import type { Family } from './chain.ts'
import { evmWalletKeys } from './evm/walletKeys.ts'
import { solanaWalletKeys } from './solana/walletKeys.ts'
import { stellarWalletKeys } from './stellar/walletKeys.ts'
import { tronWalletKeys } from './tron/walletKeys.ts'
import type { WalletKeys } from './wallet.ts'

/** Space around a key is of the copying, in every family. */
const trimming = (own: WalletKeys): WalletKeys => ({
  ...own,
  parse: (privateKey) => own.parse(new Secret(privateKey.reveal().trim())),
})

const keys: Record<Family, WalletKeys> = {
  evm: trimming(evmWalletKeys),
  solana: trimming(solanaWalletKeys),
  tron: trimming(tronWalletKeys),
  stellar: trimming(stellarWalletKeys),
}

/** Creates and parses keys of a family's users. */
export const walletKeys = (family: Family): WalletKeys => keys[family]
