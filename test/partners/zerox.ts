import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type AnswerSwap, boughtFor, lessSlippage, type PricedAsset, type SwapStandIn, serveSwaps } from './swapServer.ts'

/** 0x's AllowanceHolder on chains with the Cancun fork. */
const allowanceHolder = '0x0000000000001ff3684f28c67538d4d072c22734'
const coin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

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

/** Contracts of a devnet. */
export interface ZeroXMarket {
  settler: Address
  pool: Address
}

/** ISettlerTakerSubmitted and ISettlerActions of 0xProject/0x-settler, and the pool of the devnets. */
const abi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)',
  'function execute((address recipient, address buyToken, uint256 minAmountOut) slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
  'function TRANSFER_FROM(address recipient, ((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, bytes sig)',
  'function NATIVE_CHECK(uint256 deadline, uint256 msgValue)',
  'function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)',
  'function trade(address sellToken, uint256 sellAmount, address buyToken, uint256 buyAmount) payable',
])
const noToken = '0x0000000000000000000000000000000000000000'

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

const wrong = (field: string, reason: string) => refused(400, 'INPUT_INVALID', 'The input is invalid', [{ field, reason }])

const answerOf =
  ({ apiKey, assetOf, marketOf = () => null, maxCents = 10n ** 12n }: ZeroXOptions, reroute: (route: ZeroXRoute) => ZeroXRoute): AnswerSwap =>
  ({ path, query, headers }) => {
    if (headers['0x-api-key'] !== apiKey) return { status: 401, body: { message: 'Unauthorized' } }
    const isQuote = path === '/swap/allowance-holder/quote'
    if (!isQuote && path !== '/swap/allowance-holder/price') return { status: 404, body: { message: 'no Route matched with those values' } }
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
    if (isQuote && !address.test(query.taker ?? '')) return wrong('taker', 'Invalid ethereum address')
    if (isQuote && query.recipient !== undefined && !address.test(query.recipient)) return wrong('recipient', 'Invalid ethereum address')
    const amount = BigInt(sellAmount)
    const tooMuch = amount * sold.cents > maxCents * 10n ** BigInt(sold.decimals)
    if (tooMuch) return { status: 200, body: { liquidityAvailable: false, zid: '0x2ab1b1ef4d9d9c1a6a3ae0a2' } }
    const priced = { sellToken, buyToken, amount, bought: boughtFor(amount, sold, bought), slippageBps }
    const market = marketOf(chainId)
    if (isQuote && !market) return refused(500, 'INTERNAL_SERVER_ERROR', 'No market')
    const recipient = query.recipient ?? query.taker ?? ''
    const more = isQuote && market ? { transaction: transactionOf(reroute(routeOf({ ...priced, recipient }, market))) } : {}
    return { status: 200, body: { ...price(priced), ...more } }
  }

/** What a transaction of 0x is made of: tests change a part, and encode it again. */
export interface ZeroXRoute {
  to: string
  value: bigint
  operator: string
  token: string
  amount: bigint
  target: string
  recipient: string
  buyToken: string
  minAmountOut: bigint
  actions: Hex[]
}

function routeOf(
  { sellToken, buyToken, amount, bought, slippageBps, recipient }: Priced & { recipient: string },
  { settler, pool }: ZeroXMarket,
): ZeroXRoute {
  const isCoin = sellToken.toLowerCase() === coin
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const token = sellToken as Address
  const permit = { permitted: { token, amount }, nonce: 0n, deadline }
  const first = isCoin
    ? encodeFunctionData({ abi, functionName: 'NATIVE_CHECK', args: [deadline, amount] })
    : encodeFunctionData({ abi, functionName: 'TRANSFER_FROM', args: [settler, permit, '0x'] })
  const trade = encodeFunctionData({ abi, functionName: 'trade', args: [token, amount, buyToken as Address, bought] })
  const second = encodeFunctionData({ abi, functionName: 'BASIC', args: [token, 10_000n, pool, 0n, trade] })
  return {
    to: allowanceHolder,
    value: isCoin ? amount : 0n,
    operator: settler,
    token: isCoin ? noToken : token,
    amount,
    target: settler,
    recipient,
    buyToken,
    minAmountOut: lessSlippage(bought, BigInt(slippageBps)),
    actions: [first, second],
  }
}

/** A route as the API answers it: behind AllowanceHolder, or the call of a Settler itself. */
function transactionOf(route: ZeroXRoute): { to: string; data: string; gas: string; gasPrice: string; value: string } {
  const slippage = { recipient: route.recipient as Address, buyToken: route.buyToken as Address, minAmountOut: route.minAmountOut }
  const zid = `0x${'2ab1b1ef4d9d9c1a6a3ae0a2'.padStart(64, '0')}` as const
  const execute = encodeFunctionData({ abi, functionName: 'execute', args: [slippage, route.actions, zid] })
  const args = [route.operator, route.token, route.amount, route.target, execute] as [Address, Address, bigint, Address, Hex]
  const data = route.to === allowanceHolder ? encodeFunctionData({ abi, functionName: 'exec', args }) : execute
  return { to: route.to, data, gas: '288079', gasPrice: '3906000000', value: String(route.value) }
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
