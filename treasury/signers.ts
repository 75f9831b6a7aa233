import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'
import { walletSigner } from './walletSigner.ts'

/** Every signer of `IntentSigners` that the treasury has. */
export const treasurySigners = (wallets: WalletOpener): readonly IntentSigner[] => [walletSigner(wallets)]
