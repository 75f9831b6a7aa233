import type { SweepActions } from '../sweeping.ts'

/**
 * Each address sends by itself, and pays with TRX: it is funded first where it has too little. Stake of the
 * treasury is not delegated.
 */
export const tronSweepActions = (): SweepActions => ({
  payer: () => 'deposit',
  maxItems: 1,
  action([item, ...more], treasury) {
    if (!item || more.length > 0) throw new Error('each address is swept by itself')
    const { address, token, amount } = item
    return {
      kind: 'transfer',
      from: address,
      to: treasury,
      token,
      amount,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
  },
})
