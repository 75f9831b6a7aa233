import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { SweepReader } from '../../sweeping.ts'
import { accountsOf } from '../chainState.ts'
import { rentFor } from './latestBlockhash.ts'
import { priorityPrice } from './priorityPrice.ts'
import type { SolanaSenderContext } from './senderContext.ts'
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
    cost: (token) =>
      ask(async (rpc) =>
        feeFor(token ? typicalUnits.token : typicalUnits.native, await priorityPrice(rpc, []), 2),
      ),

    /**
     * The treasury pays the fee. What stays must be nothing, or at least the rent-exempt minimum (Solana
     * docs, "Rent").
     */
    wholeNative: (address, _treasury, amount) =>
      ask(async (rpc) => {
        const [[account], min] = await Promise.all([accountsOf(rpc, [address]), rentFor(rpc, 0)])
        const rest = (account?.lamports ?? 0n) - amount
        return { whole: rest === 0n || rest >= min ? { amount, gasPrice: null, gasLimit: null } : null }
      }).then(({ whole }) => whole),
  }
}
