import { ProviderError } from '../chain.ts'
import type { SweepReader } from '../sweeping.ts'
import { resultBytes } from './fees.ts'
import { type PlanContext, planTransfer, typicalEnergy } from './planTransfer.ts'

/** Bytes of a signed transfer, rounded up: of TRX, and of a token. */
const typicalBytes = { native: 280n, token: 350n }

export function tronSweepReader(ctx: PlanContext): SweepReader {
  return {
    /**
     * As if the address had no resources and, for a token, no account: those that got only tokens have no
     * account.
     */
    async cost(token) {
      const prices = await ctx.providers.ask((rest) => ctx.prices(rest))
      if (!prices) throw new ProviderError('no provider answered about prices')
      const bandwidth = (bytes: bigint) => (bytes + resultBytes) * prices.byte
      if (!token) return bandwidth(typicalBytes.native)
      const funding = prices.newAccount + prices.newAccountBandwidth
      return funding + bandwidth(typicalBytes.token) + typicalEnergy.toHolder * prices.energy
    },

    /**
     * Bandwidth is paid in full or not at all, so the fee is exact as long as the free bandwidth of the
     * address does not change meanwhile.
     */
    async wholeNative(address, treasury, amount) {
      const transfer = {
        kind: 'transfer' as const,
        from: address,
        to: treasury,
        token: null,
        memo: null,
        gasPrice: null,
        gasLimit: null,
      }
      const costOf = async (sent: bigint) => {
        const { fee, otherCosts } = await planTransfer(ctx, { ...transfer, amount: sent })
        return fee.expected + otherCosts
      }
      const first = amount - (await costOf(amount))
      if (first <= 0n) return null
      // The smaller amount may take a byte less.
      const second = amount - (await costOf(first))
      const isExact = second === first || (await costOf(second)) === amount - second
      return { amount: isExact ? second : first, gasPrice: null, gasLimit: null }
    },
  }
}
