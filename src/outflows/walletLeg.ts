import { followIntent } from './followIntent.ts'
import type { Leg } from './leg.ts'
import { sendToWallet } from './sendToWallet.ts'

/** The way out over a chain: an intent of the platform, from the treasury to the wallet. */
export const walletLeg: Leg = { send: sendToWallet, follow: followIntent }
