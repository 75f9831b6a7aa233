import {
  type AnswerSwap,
  boughtFor,
  lessSlippage,
  type PricedAsset,
  type SwapAnswer,
  type SwapStandIn,
  serveSwaps,
} from './swapServer.ts'
import {
  allowanceHolder,
  coin,
  routeOf,
  transactionOf,
  type ZeroXMarket,
  type ZeroXRoute,
} from './zeroXRoute.ts'

export interface ZeroXOptions {
  apiKey: string
  port?: number
  /** @param token in lower case; 0x's placeholder for the coin */
  assetOf(chainId: string, token: string): PricedAsset | null
  /** Where swaps are traded; null on a chain without them: it has prices only. */
  marketOf?(chainId: string): ZeroXMarket | null
  /** Swaps worth more, in cents, find no liquidity. */
  maxCents?: bigint
}

/**
 * A stand-in for 0x's Swap API v2, `GET /swap/allowance-holder/price` and `/quote`, by their OpenAPI document
 * (docs.0x.org/api-reference). Shares no code with our client.
 */
export async function startZeroX(options: ZeroXOptions): Promise<ZeroXStandIn> {
  const changes: Pick<ZeroXStandIn, 'reroute'> = { reroute: null }
  const answer = answerOf(options, (route) => changes.reroute?.(route) ?? route)
  const standIn = await serveSwaps(answer, options.port ?? 0)
  return Object.defineProperty(standIn as ZeroXStandIn, 'reroute', {
    get: () => changes.reroute,
    set: (reroute: ZeroXStandIn['reroute']) => {
      changes.reroute = reroute
    },
  })
}

export interface ZeroXStandIn extends SwapStandIn {
  /** Changes the next transactions. */
  reroute: ((route: ZeroXRoute) => ZeroXRoute) | null
}

const refused = (status: number, name: string, message: string, details?: object[]) => ({
  status,
  body: { name, message, data: { zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2', ...(details && { details }) } },
})

const wrong = (field: string, reason: string) =>
  refused(400, 'INPUT_INVALID', 'The input is invalid', [{ field, reason }])

const answerOf = (options: ZeroXOptions, reroute: (route: ZeroXRoute) => ZeroXRoute): AnswerSwap => {
  const { apiKey, assetOf, marketOf = () => null, maxCents = 10n ** 12n } = options
  return ({ path, query, headers }) => {
    if (headers['0x-api-key'] !== apiKey) return { status: 401, body: { message: 'Unauthorized' } }
    const isQuote = path === '/swap/allowance-holder/quote'
    if (!isQuote && path !== '/swap/allowance-holder/price')
      return { status: 404, body: { message: 'no Route matched with those values' } }
    if (headers['0x-version'] !== 'v2') return wrong('0x-version', 'Invalid version')
    const problem = problemIn(query, isQuote)
    if (problem) return problem
    const {
      chainId = '',
      sellToken = '',
      buyToken = '',
      sellAmount = '',
      slippageBps = defaultSlippage,
      taker = '',
    } = query
    const sold = assetOf(chainId, sellToken.toLowerCase())
    const bought = assetOf(chainId, buyToken.toLowerCase())
    if (!sold || !bought) return refused(400, 'TOKEN_NOT_SUPPORTED', 'One of the tokens is not supported')
    const amount = BigInt(sellAmount)
    const tooMuch = amount * sold.cents > maxCents * 10n ** BigInt(sold.decimals)
    if (tooMuch)
      return { status: 200, body: { liquidityAvailable: false, zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2' } }
    const priced = { sellToken, buyToken, amount, bought: boughtFor(amount, sold, bought), slippageBps }
    if (!isQuote) return { status: 200, body: price(priced) }
    const market = marketOf(chainId)
    if (!market) return refused(500, 'INTERNAL_SERVER_ERROR', 'It trades nowhere on this chain')
    const route = routeOf({ ...priced, recipient: query.recipient ?? taker }, market)
    return { status: 200, body: { ...price(priced), transaction: transactionOf(reroute(route)) } }
  }
}

const defaultSlippage = '100'

/** Null for a query that 0x takes. */
function problemIn(query: Record<string, string>, isQuote: boolean): SwapAnswer | null {
  const { chainId = '', sellAmount = '', slippageBps = defaultSlippage } = query
  if (!/^[1-9]\d*$/.test(chainId)) return wrong('chainId', 'Invalid chain id')
  const addresses = [
    'sellToken',
    'buyToken',
    ...(isQuote ? ['taker'] : []),
    ...(query.recipient === undefined ? [] : ['recipient']),
  ]
  const odd = addresses.find((name) => !/^0x(?!0{40})[a-fA-F0-9]{40}$/.test(query[name] ?? ''))
  if (odd !== undefined) return wrong(odd, 'Invalid ethereum address')
  if (!/^[1-9]\d*$/.test(sellAmount)) return wrong('sellAmount', 'Invalid amount')
  if (!/^\d{1,5}$/.test(slippageBps) || Number(slippageBps) > 10_000)
    return wrong('slippageBps', 'Out of range')
  return null
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
