import { numberToHex } from 'viem/utils'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Chain } from '../registry.ts'
import { type Shortage, type TransferIntent, type TransferPlan, TransferRefused } from '../sending.ts'
import { type GasPrices, gasPrices, l1FeeNow, larger, minTip } from './fees.ts'
import { quantity, triedCall } from './refusals.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { balanceOfCall, decimalsCall, totalSupplyCall, transferCall, wordOf } from './tokenCalls.ts'
import { type EvmTerms, writeTerms } from './transaction.ts'

/** Gas of a transfer of value to an account without code (Yellow Paper, appendix G). */
const plainGas = 21_000n
/** What a token's transfer takes, about: where it cannot be tried because the sender lacks what it takes. */
const usualTokenGas = 65_000n

/** Whether a transfer can be made now, by what one provider says of it. @throws TransferRefused, ProviderError */
export async function planTransfer({ providers, chain }: EvmSenderContext, intent: TransferIntent): Promise<TransferPlan> {
  refuseKnown(chain, intent)
  const found = await providers.ask((rpc) => survey(rpc, chain, intent))
  if (!found) throw new ProviderError('no provider could tell about the transfer')
  if (found.recipientIsToken) throw recipientIsToken()
  const price = priceOf(chain, intent, found.prices)
  const need = found.gas ?? intent.gasLimit ?? (intent.token ? usualTokenGas : plainGas)
  const gas = gasLimit(intent, found.gas, need)
  // The fee of the rollup's data moves with Ethereum's, and is taken on top of what the transaction allows.
  const terms: EvmTerms = { gas, ...price, l1Fee: (found.l1Fee * 5n + 3n) / 4n }
  const max = gas * price.maxFeePerGas + terms.l1Fee
  const shortages = shortagesOf(chain, intent, found, max)
  if (shortages.length === 0 && found.failure !== null) {
    throw new TransferRefused('simulation_failed', `The transfer would fail: ${found.failure}`)
  }
  const perGas = intent.gasPrice ?? found.prices.baseFee + price.maxPriorityFeePerGas
  const expected = need * perGas + found.l1Fee
  return { terms: writeTerms(terms), fee: { expected, max }, besides: 0n, shortages }
}

/** What one provider says about sender, recipient, fees, and a trial of the transfer. */
interface Survey {
  /** Wei. */
  native: bigint
  /** Base units of what is sent. */
  token: bigint
  recipientIsToken: boolean
  prices: GasPrices
  l1Fee: bigint
  /** As estimated; null where the trial failed. */
  gas: bigint | null
  /** Why the trial failed; null where it did not. */
  failure: string | null
}

async function survey(rpc: JsonRpc, chain: Chain, intent: TransferIntent): Promise<Survey> {
  const { from, to, token, amount } = intent
  const call = token ? { from, to: token.contract, data: transferCall(to, amount) } : { from, to, value: numberToHex(amount) }
  const [native, held, recipientIsToken, prices, l1Fee, estimated, transferred] = await Promise.all([
    rpc.call('eth_getBalance', [from, 'latest']),
    token ? rpc.call('eth_call', [{ to: token.contract, data: balanceOfCall(from) }, 'latest']) : null,
    isToken(rpc, to),
    gasPrices(rpc, chain),
    l1FeeNow(rpc, chain, intent),
    triedCall(() => rpc.call('eth_estimateGas', [call])),
    token ? triedCall(() => rpc.call('eth_call', [call, 'latest'])) : null,
  ])
  const balance = token ? wordOf(held) : 0n
  if (balance === null) throw new ProviderError(`${rpc.name}: the token at ${token?.contract} tells no balance`)
  return {
    native: quantity(native, 'a balance'),
    token: balance,
    recipientIsToken,
    prices,
    l1Fee,
    gas: 'failed' in estimated ? null : quantity(estimated.answered, 'an estimate'),
    failure: failureOf(estimated, transferred),
  }
}

type Tried = { answered: unknown } | { failed: string }

/** A token may answer false in place of a revert (EIP-20); USDT on Ethereum answers nothing. */
function failureOf(estimated: Tried, transferred: Tried | null): string | null {
  if (transferred && 'failed' in transferred) return transferred.failed
  if (transferred && wordOf(transferred.answered) === 0n) return 'the token answers that it did not move'
  return 'failed' in estimated ? estimated.failed : null
}

/** Whatever has code and answers as tokens do. */
async function isToken(rpc: JsonRpc, address: string): Promise<boolean> {
  const code = await rpc.call('eth_getCode', [address, 'latest'])
  if (typeof code !== 'string') throw new ProviderError(`${rpc.name}: no answer about the recipient's code`)
  if (code === '0x') return false
  const answers = await Promise.all(
    [decimalsCall, totalSupplyCall].map((data) => triedCall(() => rpc.call('eth_call', [{ to: address, data }, 'latest']))),
  )
  return answers.every((each) => 'answered' in each && wordOf(each.answered) !== null)
}

const recipientIsToken = () =>
  new TransferRefused('recipient_is_token', 'The recipient is the contract of a token: what is sent there cannot be moved again.', 'toAddress')

const zeroAddress = `0x${'0'.repeat(40)}`

/** What needs no node to be refused. */
function refuseKnown(chain: Chain, { to, token }: TransferIntent): void {
  const tokens = [...chain.tokens, ...chain.lookalikes].map(({ contract }) => contract)
  if (to === token?.contract || tokens.includes(to)) throw recipientIsToken()
  if (to !== zeroAddress) return
  const message = 'The zero address is nobody: what is sent there is lost.'
  throw new TransferRefused(token ? 'simulation_failed' : 'recipient_not_found', message, 'toAddress')
}

/** Twice the base fee outlasts five full blocks, each of which raises it by an eighth (EIP-1559). A price that the caller gives is all of the fee. */
function priceOf(chain: Chain, { gasPrice }: TransferIntent, { baseFee, tip }: GasPrices) {
  if (gasPrice === null) return { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }
  const min = larger(baseFee, minTip(chain))
  if (gasPrice < min) throw new TransferRefused('fee_too_low', `The next block takes ${min} wei at least for a unit of gas.`, 'gasPrice')
  return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
}

/**
 * A fifth more than estimated: what a token does may change until the block. A plain transfer of value always takes the same; on Arbitrum
 * it takes more than that, because there gas also pays for the data on Ethereum.
 */
function gasLimit({ token, gasLimit: given }: TransferIntent, estimated: bigint | null, need: bigint): bigint {
  if (given === null) return estimated === null || (!token && need === plainGas) ? need : (need * 6n + 4n) / 5n
  const min = larger(estimated ?? plainGas, plainGas)
  if (given < min) throw new TransferRefused('fee_too_low', `The transfer takes ${min} gas at least.`, 'gasLimit')
  return given
}

function shortagesOf(chain: Chain, { token, amount }: TransferIntent, found: Survey, maxFee: bigint): Shortage[] {
  const required = maxFee + (token ? 0n : amount)
  return [
    ...(token && found.token < amount
      ? [{ kind: 'token' as const, symbol: token.symbol, decimals: token.decimals, required: amount, available: found.token }]
      : []),
    ...(found.native < required ? [{ kind: 'native' as const, ...chain.native, required, available: found.native }] : []),
  ]
}
