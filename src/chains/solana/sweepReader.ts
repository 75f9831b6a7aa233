import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { SweepReader } from '../sweeping.ts'
import { accountsOf, tokenAccountOf } from './chainState.ts'
import { priorityPrice } from './priorityPrice.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { sweptAccount } from './sweepActions.ts'
import { feeFor } from './terms.ts'

/** More than one item takes, its part of what a transaction does once included. */
const typicalUnits = { native: 2_000, token: 40_000 }

export function solanaSweepReader({ providers }: SolanaSenderContext): SweepReader {
  const ask = async <T>(what: (rpc: JsonRpc) => Promise<T>): Promise<T> => {
    const found = await providers.ask(what)
    if (found === null) throw new ProviderError('no provider answered about sweeps')
    return found
  }
  return {
    // The signatures of the treasury and of the address.
    cost: (token) => ask(async (rpc) => feeFor(token ? typicalUnits.token : typicalUnits.native, await priorityPrice(rpc, []), 2)),

    /** The treasury pays the fee. */
    wholeNative: async (_address, _treasury, amount) => ({ amount, gasPrice: null, gasLimit: null }),

    async closable(items) {
      const addresses = items.flatMap(({ address, token }) => (token ? [sweptAccount(address, token)] : []))
      const accounts = addresses.length > 0 ? await ask((rpc) => accountsOf(rpc, addresses)) : []
      const held = new Map(addresses.map((address, index) => [address, tokenAccountOf(accounts[index] ?? null)?.amount]))
      return items.map(({ address, token, amount }) => token !== null && held.get(sweptAccount(address, token)) === amount)
    },
  }
}
