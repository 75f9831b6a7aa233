import type { Leg } from './leg.ts'

export const walletLeg: Leg = {
  async send() {
    throw new Error('not built')
  },
  async follow() {
    throw new Error('not built')
  },
}
