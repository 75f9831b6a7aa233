import { numberToHex } from 'viem/utils'
import type { CallsSpec, Flow, Token } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Chain } from '../../registry.ts'
import { type ActionPlan, ActionRefusedError, type MarketPrice, type Shortage } from '../../sending.ts'
import { quantity, tryCall } from '../refusals.ts'
import { balanceOfCall, wordOf } from '../tokenCalls.ts'
import { gasLimit, gasPrices, l1FeeMargin, l1FeeNow, larger, plainGas, priceOf } from './fees.ts'
import { type OperatorFee, operatorFeeNow, operatorFeeOf } from './operatorFee.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { callOf, type EvmTerms, writeTerms } from './transaction.ts'

/** Approximate gas of a call, where it cannot be estimated because the sender lacks funds. */
const usualCallGas = 200_000n

/** `approve(address,uint256)` */
const approveSelector = '0x095ea7b3'
/**
 * A first value in a slot of storage takes so much more gas than another one, at most (EIP-2200, EIP-2929).
 */
const firstValueGas = 20_000n

/** A call that follows others which are not sent yet. */
interface After {
  /** What those cost at most, in wei. */
  before: bigint
  /** The gas that a trial run of all took; null: the call is the first one. */
  gas: bigint | null
}

/**
 * Checks a call against balances, fees and a trial run at one provider. What the contract returns is not
 * read: only its purpose knows its meaning.
 * @throws ActionRefusedError, ProviderError
 */
export async function planCall(
  { providers, chain }: EvmSenderContext,
  action: CallsSpec,
  after?: After,
): Promise<ActionPlan> {
  callOf(action)
  const found = await providers.ask((rpc) => survey(rpc, chain, action, after?.gas ?? null))
  if (!found) throw new ProviderError('no provider answered about the call')
  if (!found.isContract && !callsNothing(action))
    throw new ActionRefusedError('recipient_not_found', 'There is no contract at the address of the call')
  const price = priceOf(chain, action.gasPrice, found.prices)
  const need = found.gas ?? action.gasLimit ?? usualCallGas
  const limit = gasLimit(
    { given: action.gasLimit, isExact: callsNothing(action) && need === plainGas },
    found.gas,
    need,
  )
  const gas = action.gasLimit === null && isApproval(action) ? limit + firstValueGas : limit
  const terms: EvmTerms = {
    gas,
    ...price,
    l1Fee: l1FeeMargin(found.l1Fee + operatorFeeOf(found.operatorFee, gas)),
  }
  const max = gas * price.maxFeePerGas + terms.l1Fee
  const shortages = shortagesOf(chain, action, found, max + (after?.before ?? 0n))
  if (shortages.length === 0 && found.failure !== null)
    throw new ActionRefusedError('simulation_failed', `The call would fail: ${found.failure}`)
  const perGas = action.gasPrice ?? found.prices.baseFee + price.maxPriorityFeePerGas
  return {
    terms: writeTerms(terms),
    fee: { expected: need * perGas + found.l1Fee + operatorFeeOf(found.operatorFee, need), max },
    otherCosts: 0n,
    shortages,
  }
}

/**
 * A fork may take an allowance back after its successor was planned: the storage then takes a first value.
 */
const isApproval = (action: CallsSpec): boolean => callOf(action).data.startsWith(approveSelector)

/** A no-op: the sender calls itself, without value and data. */
function callsNothing(action: CallsSpec): boolean {
  const { to, data, value } = callOf(action)
  return to === action.from && data === '0x' && value === 0n
}

/** One provider's answers about sender, contract, fees and a trial run. */
interface Survey {
  /** Wei. */
  native: bigint
  /** Balances of the sender, in base units, by contract. */
  tokens: Map<string, bigint>
  isContract: boolean
  prices: MarketPrice
  l1Fee: bigint
  operatorFee: OperatorFee
  /** Estimated gas; null where the trial failed. */
  gas: bigint | null
  /** Why the trial failed; null where it succeeded. */
  failure: string | null
}

/**
 * @param tried gas of a trial run on another state; null: this state is the right one, and the gas is
 * estimated
 */
async function survey(rpc: JsonRpc, chain: Chain, action: CallsSpec, tried: bigint | null): Promise<Survey> {
  const { from } = action
  const { to, data, value } = callOf(action)
  const contracts = [...new Set(ownSpends(action).flatMap(({ token }) => (token ? [token.contract] : [])))]
  const [native, code, prices, l1Fee, operatorFee, estimated, held] = await Promise.all([
    rpc.call('eth_getBalance', [from, 'latest']),
    rpc.call('eth_getCode', [to, 'latest']),
    gasPrices(rpc, chain),
    l1FeeNow(rpc, chain, action),
    operatorFeeNow(rpc, chain),
    tried === null
      ? tryCall(() => rpc.call('eth_estimateGas', [{ from, to, data, value: numberToHex(value) }]))
      : { answered: numberToHex(tried) },
    Promise.all(
      contracts.map((contract) =>
        rpc.call('eth_call', [{ to: contract, data: balanceOfCall(from) }, 'latest']),
      ),
    ),
  ])
  if (typeof code !== 'string')
    throw new ProviderError(`${rpc.name}: eth_getCode of the contract returned no code`)
  const tokens = new Map<string, bigint>()
  for (const [i, contract] of contracts.entries()) {
    const balance = wordOf(held[i])
    if (balance === null) throw new ProviderError(`${rpc.name}: token ${contract} returned no balance`)
    tokens.set(contract, balance)
  }
  return {
    native: quantity(native, 'a balance'),
    tokens,
    isContract: code !== '0x',
    prices,
    l1Fee,
    operatorFee,
    gas: 'failed' in estimated ? null : quantity(estimated.answered, 'an estimate'),
    failure: 'failed' in estimated ? estimated.failed : null,
  }
}

const ownSpends = ({ from, spends }: CallsSpec): readonly Flow[] =>
  spends.filter(({ address }) => address === from)

function shortagesOf(chain: Chain, action: CallsSpec, found: Survey, maxFee: bigint): Shortage[] {
  const needed = new Map<string, { token: Token; amount: bigint }>()
  let native = 0n
  for (const { token, amount } of ownSpends(action)) {
    if (token)
      needed.set(token.contract, { token, amount: amount + (needed.get(token.contract)?.amount ?? 0n) })
    else native += amount
  }
  const required = maxFee + larger(native, callOf(action).value)
  return [
    ...[...needed.values()].flatMap(({ token: { contract, symbol, decimals }, amount }) => {
      const available = found.tokens.get(contract) ?? 0n
      return available < amount
        ? [{ kind: 'token' as const, symbol, decimals, required: amount, available }]
        : []
    }),
    ...(found.native < required
      ? [{ kind: 'native' as const, ...chain.native, required, available: found.native }]
      : []),
  ]
}
