import { followAtBank } from './followAtBank.ts'
import { sendToBank } from './sendToBank.ts'
import type { Leg } from './stepOutflow.ts'

/** Through a payout partner, to a bank account. */
export const bankLeg: Leg = { send: sendToBank, follow: followAtBank }
