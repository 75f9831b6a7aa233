import type { Leg } from '../leg.ts'
import { followAtBank } from './followAtBank.ts'
import { sendToBank } from './sendToBank.ts'

/** Through a payout partner, to a bank account. */
export const bankLeg: Leg = { send: sendToBank, follow: followAtBank }
