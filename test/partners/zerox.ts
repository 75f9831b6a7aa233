import { type AnswerSwap, boughtFor, lessSlippage, type PricedAsset, type SwapStandIn, serveSwaps } from './swapServer.ts'

/** 0x's AllowanceHolder on chains with the Cancun fork. */
const allowanceHolder = '0x0000000000001ff3684f28c67538d4d072c22734'
const coin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export interface ZeroXOptions {
  apiKey: string
  port?: number
  /** @param token in lower case; 0x's placeholder for the coin */
  assetOf(chainId: string, token: string): PricedAsset | null
  /** Swaps worth more, in cents, find no liquidity. */
  maxCents?: bigint
}

/**
 * A stand-in for 0x's Swap API v2, `GET /swap/allowance-holder/price`, by their OpenAPI document
 * (docs.0x.org/api-reference). Shares no code with our client.
 */
export const startZeroX = (options: ZeroXOptions): Promise<SwapStandIn> => serveSwaps(answerOf(options), options.port ?? 0)

const refused = (status: number, name: string, message: string, details?: object[]) => ({
  status,
  body: { name, message, data: { zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2', ...(details && { details }) } },
})

const wrong = (field: string, reason: string) => refused(400, 'INPUT_INVALID', 'The input is invalid', [{ field, reason }])

const answerOf =
  ({ apiKey, assetOf, maxCents = 10n ** 12n }: ZeroXOptions): AnswerSwap =>
  ({ path, query, headers }) => {
    if (headers['0x-api-key'] !== apiKey) return { status: 401, body: { message: 'Unauthorized' } }
    if (path !== '/swap/allowance-holder/price') return { status: 404, body: { message: 'no Route matched with those values' } }
    if (headers['0x-version'] !== 'v2') return wrong('0x-version', 'Invalid version')
    const { chainId = '', sellToken = '', buyToken = '', sellAmount = '', slippageBps = '100' } = query
    if (!/^[1-9]\d*$/.test(chainId)) return wrong('chainId', 'Invalid chain id')
    const address = /^0x(?!0{40})[a-fA-F0-9]{40}$/
    if (!address.test(sellToken)) return wrong('sellToken', 'Invalid ethereum address')
    if (!address.test(buyToken)) return wrong('buyToken', 'Invalid ethereum address')
    if (!/^[1-9]\d*$/.test(sellAmount)) return wrong('sellAmount', 'Invalid amount')
    if (!/^\d{1,5}$/.test(slippageBps) || Number(slippageBps) > 10_000) return wrong('slippageBps', 'Out of range')
    const sold = assetOf(chainId, sellToken.toLowerCase())
    const bought = assetOf(chainId, buyToken.toLowerCase())
    if (!sold || !bought) return refused(400, 'TOKEN_NOT_SUPPORTED', 'One of the tokens is not supported')
    const amount = BigInt(sellAmount)
    const tooMuch = amount * sold.cents > maxCents * 10n ** BigInt(sold.decimals)
    if (tooMuch) return { status: 200, body: { liquidityAvailable: false, zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2' } }
    return { status: 200, body: price({ sellToken, buyToken, amount, bought: boughtFor(amount, sold, bought), slippageBps }) }
  }

interface Priced {
  sellToken: string
  buyToken: string
  amount: bigint
  bought: bigint
  slippageBps: string
}

/** In the form of the reference; without a taker, `balance` is null. */
function price({ sellToken, buyToken, amount, bought, slippageBps }: Priced): object {
  const [from, to] = [sellToken.toLowerCase(), buyToken.toLowerCase()]
  const isCoin = from === coin
  const untaxed = { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps: '0' }
  return {
    allowanceTarget: isCoin ? null : allowanceHolder,
    blockNumber: '20114676',
    buyAmount: String(bought),
    buyToken: to,
    fees: { integratorFee: null, integratorFees: null, zeroExFee: null, gasFee: null },
    gas: '288079',
    gasPrice: '3906000000',
    issues: {
      allowance: isCoin ? null : { actual: '0', spender: allowanceHolder },
      balance: null,
      simulationIncomplete: false,
      invalidSourcesPassed: [],
    },
    liquidityAvailable: true,
    minBuyAmount: String(lessSlippage(bought, BigInt(slippageBps))),
    mode: 'exact-in',
    route: {
      fills: [{ from, to, source: 'Uniswap_V3', proportionBps: '10000' }],
      tokens: [
        { address: from, symbol: 'SELL' },
        { address: to, symbol: 'BUY' },
      ],
    },
    sellAmount: String(amount),
    sellToken: from,
    tokenMetadata: { buyToken: untaxed, sellToken: untaxed },
    totalNetworkFee: '1125236574000000',
    zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2',
  }
}
