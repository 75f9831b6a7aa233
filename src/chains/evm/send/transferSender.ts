import { ProviderError } from '../../chain.ts'
import { highestCount } from '../../providers/highestCount.ts'
import type { ActionSender } from '../../sending.ts'
import { quantity } from '../refusals.ts'
import { broadcastTransaction } from './broadcastTransfer.ts'
import { gasPrices, larger } from './fees.ts'
import { holdingsOf } from './holdings.ts'
import { planCall } from './planCall.ts'
import { planTransfer } from './planTransfer.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { outcomeOf } from './transferOutcome.ts'

export function evmTransferSender(ctx: EvmSenderContext): ActionSender {
  return {
    plan: async (action) => (action.kind === 'calls' ? planCall(ctx, action) : planTransfer(ctx, action)),
    async market() {
      const prices = await ctx.providers.ask((rpc) => gasPrices(rpc, ctx.chain))
      if (!prices) throw new ProviderError('no provider reported the price of gas')
      return prices
    },
    holdings: (address, contracts) => holdingsOf(ctx, address, contracts),
    broadcast: (transaction) => broadcastTransaction(ctx, transaction),
    outcome: (from, transactions) => outcomeOf(ctx, from, transactions),
    /**
     * The lowest nonce that the chain allows; `claimNonce` then chooses the first that no other intent has.
     * The highest count of all providers: each knows only its own pool. `pending` may be below `latest` on a
     * node without a pool.
     */
    async nextNonce(address) {
      const counts = await ctx.providers.askAll(async (rpc) => {
        const tags = ['latest', 'pending'].map(async (tag) =>
          quantity(await rpc.call('eth_getTransactionCount', [address, tag]), 'a nonce'),
        )
        return { source: rpc.name, count: (await Promise.all(tags)).reduce(larger, 0n) }
      })
      return highestCount(ctx.providers, counts) ?? 0n
    },
  }
}
