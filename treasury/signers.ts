import type { PlatformKeys } from '../src/custody/platformAddresses.ts'
import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'
import { bridgeSigner } from './bridgeSigner.ts'
import { platformSigners } from './platformSigners.ts'
import { walletSigner } from './walletSigner.ts'

/** Every signer of `IntentSigners` that the treasury has. */
export const treasurySigners = (wallets: WalletOpener, keys: PlatformKeys): readonly IntentSigner[] => [
  walletSigner(wallets),
  bridgeSigner(wallets, keys),
  ...platformSigners(keys),
]
