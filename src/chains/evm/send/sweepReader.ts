import { bytesToHex } from 'viem/utils'
import type { Token } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { SweepPayer, SweepReader } from '../../sweeping.ts'
import { multicallAddress } from '../multicall.ts'
import { quantity, tryCall } from '../refusals.ts'
import { hex } from '../rpcTypes.ts'
import { wordOf } from '../tokenCalls.ts'
import { authorizationStateCall, domainSeparator, domainSeparatorCall } from './authorization.ts'
import { gasPrices, l1FeeNow, plainGas } from './fees.ts'
import { operatorFeeNow, operatorFeeOf } from './operatorFee.ts'
import { planTransfer } from './planTransfer.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { domainOfToken } from './sweepActions.ts'
import { readTerms } from './transaction.ts'

/** Approximate gas of a token's transfer, and of one by authorization. */
const [transferGas, authorizedGas] = [65_000n, 80_000n]

export function evmSweepReader(ctx: EvmSenderContext): SweepReader {
  const { providers, chain } = ctx
  const ask = async <T>(what: (rpc: JsonRpc) => Promise<T | null>): Promise<T> => {
    const found = await providers.ask(what)
    if (found === null) throw new ProviderError(`no provider of ${chain.name} answered about sweeps`)
    return found
  }
  return {
    cost: (token, payer) =>
      ask(async (rpc) => {
        const [{ baseFee, tip }, l1Fee, operatorFee] = await Promise.all([
          gasPrices(rpc, chain),
          l1FeeNow(rpc, chain, sample(token)),
          operatorFeeNow(rpc, chain),
        ])
        const transactions = token && payer === 'deposit' ? 2n : 1n
        // The gas is that of all transactions.
        const gas = gasOf(token, payer)
        const more = (transactions - 1n) * operatorFee.constant
        return gas * (baseFee + tip) + transactions * l1Fee + operatorFeeOf(operatorFee, gas) + more
      }),

    /**
     * Its tip is the whole price, so that the fee does not depend on the base fee of the block. A quarter
     * more than the present base fee is enough for two full blocks; later the transaction waits until the
     * price falls.
     */
    async wholeNative(address, treasury, amount) {
      const { baseFee, tip } = await ask((rpc) => gasPrices(rpc, chain))
      const gasPrice = (baseFee * 5n + 3n) / 4n + tip
      const probe = { ...sample(null), from: address, to: treasury, amount: 1n, gasPrice }
      const { gas, l1Fee } = readTerms((await planTransfer(ctx, probe)).terms)
      // These fees of a rollup may rise until the transaction is planned: no limit of the transaction bounds
      // it.
      const rest = amount - gas * gasPrice - 2n * l1Fee
      return rest > 0n ? { amount: rest, gasPrice, gasLimit: gas } : null
    },

    async takesAuthorizations(token) {
      const domain = domainOfToken(chain, token.contract)
      if (!domain) return false
      const tried = await ask((rpc) =>
        tryCall(() => rpc.call('eth_call', [{ to: token.contract, data: domainSeparatorCall }, 'latest'])),
      )
      return 'answered' in tried && tried.answered === domainSeparator(domain)
    },

    authorizationState: (token, address, nonce) =>
      ask(async (rpc) => {
        const usedAt = async (block: string) => {
          const state = wordOf(
            await rpc.call('eth_call', [
              { to: token.contract, data: authorizationStateCall(address, nonce) },
              block,
            ]),
          )
          if (state === null)
            throw new ProviderError(
              `${rpc.name}: ${token.contract} did not answer the state of ${bytesToHex(nonce)}`,
            )
          return state === 1n
        }
        const head = Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
        if (!(await usedAt(hex(head)))) return 'unused'
        const final = head - chain.finalizedDepth + 1
        return final >= 0 && (await usedAt(hex(final))) ? 'final' : 'used'
      }),

    batches: () => ask(async (rpc) => (await rpc.call('eth_getCode', [multicallAddress, 'latest'])) !== '0x'),
  }
}

function gasOf(token: Token | null, payer: SweepPayer): bigint {
  if (token === null) return plainGas
  return payer === 'treasury' ? authorizedGas : transferGas + plainGas
}

const anyone = `0x${'1'.repeat(40)}`
const sample = (token: Token | null) => ({
  kind: 'transfer' as const,
  from: anyone,
  to: anyone,
  token,
  amount: 2n ** 64n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
})
