import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { lessSlippage } from './swapServer.ts'

/** Transactions of 0x's stand-in, in the protocol of AllowanceHolder and its Settlers. */

export const allowanceHolder = '0x0000000000001ff3684f28c67538d4d072c22734'
export const coin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

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

/** What a route trades. */
interface Wanted {
  sellToken: string
  buyToken: string
  amount: bigint
  bought: bigint
  slippageBps: string
  recipient: string
}

export function routeOf(
  { sellToken, buyToken, amount, bought, slippageBps, recipient }: Wanted,
  { settler, pool }: ZeroXMarket,
): ZeroXRoute {
  const isCoin = sellToken.toLowerCase() === coin
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const token = sellToken as Address
  const permit = { permitted: { token, amount }, nonce: 0n, deadline }
  const first = isCoin
    ? encodeFunctionData({ abi, functionName: 'NATIVE_CHECK', args: [deadline, amount] })
    : encodeFunctionData({ abi, functionName: 'TRANSFER_FROM', args: [settler, permit, '0x'] })
  const trade = encodeFunctionData({
    abi,
    functionName: 'trade',
    args: [token, amount, buyToken as Address, bought],
  })
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
export function transactionOf(route: ZeroXRoute): {
  to: string
  data: string
  gas: string
  gasPrice: string
  value: string
} {
  const slippage = {
    recipient: route.recipient as Address,
    buyToken: route.buyToken as Address,
    minAmountOut: route.minAmountOut,
  }
  const zid = `0x${'2ab1b1ef4d9d9c1a6a3ae0a2'.padStart(64, '0')}` as const
  const execute = encodeFunctionData({ abi, functionName: 'execute', args: [slippage, route.actions, zid] })
  const args = [route.operator, route.token, route.amount, route.target, execute] as [
    Address,
    Address,
    bigint,
    Address,
    Hex,
  ]
  const data =
    route.to === allowanceHolder ? encodeFunctionData({ abi, functionName: 'exec', args }) : execute
  return { to: route.to, data, gas: '288079', gasPrice: '3906000000', value: String(route.value) }
}
