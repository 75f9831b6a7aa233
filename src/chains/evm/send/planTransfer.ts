import { numberToHex } from 'viem/utils'
import type { TransferSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import { refuseKeylessRecipient } from '../../keylessAddress.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Chain } from '../../registry.ts'
import { type ActionPlan, ActionRefusedError, type MarketPrice, type Shortage } from '../../sending.ts'
import { refuseTokenFee, type TokenFeeSettings } from '../../tokenFee.ts'
import { quantity, tryCall } from '../refusals.ts'
import {
  balanceOfCall,
  decimalsCall,
  feeRateCall,
  maxFeeCall,
  totalSupplyCall,
  transferCall,
  wordOf,
} from '../tokenCalls.ts'
import { gasLimit, gasPrices, l1FeeMargin, l1FeeNow, plainGas, priceOf } from './fees.ts'
import { type OperatorFee, operatorFeeNow, operatorFeeOf } from './operatorFee.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { type EvmTerms, writeTerms } from './transaction.ts'

/** Approximate gas of a token transfer, where it cannot be estimated because the sender lacks funds. */
const usualTokenGas = 65_000n

/**
 * Checks a transfer against balances, fees and a trial run at one provider. @throws ActionRefusedError,
 * ProviderError
 */
export async function planTransfer(
  { providers, chain }: EvmSenderContext,
  transfer: TransferSpec,
): Promise<ActionPlan> {
  refuseRecipient(chain, transfer)
  const found = await providers.ask((rpc) => survey(rpc, chain, transfer))
  if (!found) throw new ProviderError('no provider answered about the transfer')
  if (found.recipientIsToken) throw recipientIsToken()
  if (transfer.token) refuseTokenFee(transfer.token, transfer.amount, found.tokenFee)
  const price = priceOf(chain, transfer.gasPrice, found.prices)
  const need = found.gas ?? transfer.gasLimit ?? (transfer.token ? usualTokenGas : plainGas)
  const gas = gasLimit(
    { given: transfer.gasLimit, isExact: !transfer.token && need === plainGas },
    found.gas,
    need,
  )
  const terms: EvmTerms = {
    gas,
    ...price,
    l1Fee: l1FeeMargin(found.l1Fee + operatorFeeOf(found.operatorFee, gas)),
  }
  const max = gas * price.maxFeePerGas + terms.l1Fee
  const shortages = shortagesOf(chain, transfer, found, max)
  if (shortages.length === 0 && found.failure !== null) {
    throw new ActionRefusedError('simulation_failed', `The transfer would fail: ${found.failure}`)
  }
  const perGas = transfer.gasPrice ?? found.prices.baseFee + price.maxPriorityFeePerGas
  const expected = need * perGas + found.l1Fee + operatorFeeOf(found.operatorFee, need)
  return { terms: writeTerms(terms), fee: { expected, max }, otherCosts: 0n, shortages }
}

/** One provider's answers about sender, recipient, fees and a trial run. */
interface Survey {
  /** Wei. */
  native: bigint
  /** The sender's balance of the token, in base units. */
  token: bigint
  recipientIsToken: boolean
  /** Null without a token, and for a token without a fee of its own. */
  tokenFee: TokenFeeSettings | null
  prices: MarketPrice
  l1Fee: bigint
  operatorFee: OperatorFee
  /** Estimated gas; null where the trial failed. */
  gas: bigint | null
  /** Why the trial failed; null where it succeeded. */
  failure: string | null
}

async function survey(rpc: JsonRpc, chain: Chain, transfer: TransferSpec): Promise<Survey> {
  const { from, to, token, amount } = transfer
  const call = token
    ? { from, to: token.contract, data: transferCall(to, amount) }
    : { from, to, value: numberToHex(amount) }
  const [native, held, recipientIsToken, tokenFee, prices, l1Fee, operatorFee, estimated, transferred] =
    await Promise.all([
      rpc.call('eth_getBalance', [from, 'latest']),
      token ? rpc.call('eth_call', [{ to: token.contract, data: balanceOfCall(from) }, 'latest']) : null,
      isToken(rpc, to),
      token ? tokenFeeAt(rpc, token.contract) : null,
      gasPrices(rpc, chain),
      l1FeeNow(rpc, chain, transfer),
      operatorFeeNow(rpc, chain),
      tryCall(() => rpc.call('eth_estimateGas', [call])),
      token ? tryCall(() => rpc.call('eth_call', [call, 'latest'])) : null,
    ])
  const balance = token ? wordOf(held) : 0n
  if (balance === null) throw new ProviderError(`${rpc.name}: token ${token?.contract} returned no balance`)
  return {
    native: quantity(native, 'a balance'),
    token: balance,
    recipientIsToken,
    tokenFee,
    prices,
    l1Fee,
    operatorFee,
    gas: 'failed' in estimated ? null : quantity(estimated.answered, 'an estimate'),
    failure: failureOf(estimated, transferred),
  }
}

type Trial = { answered: unknown } | { failed: string }

/** A token may return false instead of reverting (EIP-20); USDT on Ethereum returns nothing. */
function failureOf(estimated: Trial, transferred: Trial | null): string | null {
  if (transferred && 'failed' in transferred) return transferred.failed
  if (transferred && wordOf(transferred.answered) === 0n) return 'the token returned false'
  return 'failed' in estimated ? estimated.failed : null
}

/** Whether an address has code and answers `decimals` and `totalSupply` like a token. */
async function isToken(rpc: JsonRpc, address: string): Promise<boolean> {
  const code = await rpc.call('eth_getCode', [address, 'latest'])
  if (typeof code !== 'string')
    throw new ProviderError(`${rpc.name}: eth_getCode of the recipient returned no code`)
  if (code === '0x') return false
  const answers = await Promise.all(
    [decimalsCall, totalSupplyCall].map((data) =>
      tryCall(() => rpc.call('eth_call', [{ to: address, data }, 'latest'])),
    ),
  )
  return answers.every((each) => 'answered' in each && wordOf(each.answered) !== null)
}

/** Tokens without a fee have no such functions, and revert. */
export async function tokenFeeAt(rpc: JsonRpc, contract: string): Promise<TokenFeeSettings | null> {
  const [rate, max] = await Promise.all(
    [feeRateCall, maxFeeCall].map(async (data) => {
      const tried = await tryCall(() => rpc.call('eth_call', [{ to: contract, data }, 'latest']))
      return 'answered' in tried ? wordOf(tried.answered) : null
    }),
  )
  return rate == null || max == null ? null : { rate, max }
}

const recipientIsToken = () =>
  new ActionRefusedError(
    'recipient_is_token',
    'The recipient is a token contract: funds sent there are lost. Use another recipient.',
    'toAddress',
  )

/** Refuses recipients that need no node to check. */
function refuseRecipient(chain: Chain, { to, token }: TransferSpec): void {
  const tokens = [...chain.tokens, ...chain.lookalikes].map(({ contract }) => contract)
  if (to === token?.contract || tokens.includes(to)) throw recipientIsToken()
  refuseKeylessRecipient('evm', to)
}

function shortagesOf(
  chain: Chain,
  { token, amount }: TransferSpec,
  found: Survey,
  maxFee: bigint,
): Shortage[] {
  const required = maxFee + (token ? 0n : amount)
  return [
    ...(token && found.token < amount
      ? [
          {
            kind: 'token' as const,
            symbol: token.symbol,
            decimals: token.decimals,
            required: amount,
            available: found.token,
          },
        ]
      : []),
    ...(found.native < required
      ? [{ kind: 'native' as const, ...chain.native, required, available: found.native }]
      : []),
  ]
}
