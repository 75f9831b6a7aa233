import { PublicKey } from '@solana/web3.js'
import { routeInstructions } from './jupiterRoute.ts'
import {
  type AnswerSwap,
  boughtFor,
  lessSlippage,
  type PricedAsset,
  type SwapStandIn,
  serveSwaps,
} from './swapServer.ts'

const amm = 'BVRbyLjjfSBcoyiYFuxbgKYnWuiFaF9CSXEa5vdSZ9Hh'

export interface JupiterOptions {
  apiKey: string
  port?: number
  /** Wrapped SOL is the coin. */
  assetOf(mint: string): PricedAsset | null
  /** Swaps worth more, in cents, find no route. */
  maxCents?: bigint
}

/**
 * A stand-in for Jupiter's Swap API v2, `GET /swap/v2/build`, in the form of their reference
 * (developers.jup.ag/docs/api-reference/swap/build). Shares no code with our client.
 */
export const startJupiter = (options: JupiterOptions): Promise<SwapStandIn> =>
  serveSwaps(answerOf(options), options.port ?? 0)

const refused = (errorCode: string, error: string) => ({ status: 400, body: { error, errorCode } })

const answerOf =
  ({ apiKey, assetOf, maxCents = 10n ** 12n }: JupiterOptions): AnswerSwap =>
  ({ path, query, headers }) => {
    if (headers['x-api-key'] !== apiKey) return { status: 401, body: { code: 401, message: 'Unauthorized' } }
    if (path !== '/swap/v2/build') return { status: 404, body: { code: 404, message: 'Route not found' } }
    const { inputMint = '', outputMint = '', amount = '', slippageBps = '50', taker = '' } = query
    const key = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
    const { destinationTokenAccount, nativeDestinationAccount } = query
    if (destinationTokenAccount && nativeDestinationAccount)
      return refused('INVALID_REQUEST', 'destinationTokenAccount and nativeDestinationAccount')
    const to = { destinationTokenAccount, nativeDestinationAccount }
    for (const [name, value] of Object.entries({ inputMint, outputMint, taker }))
      if (!key.test(value))
        return refused('INVALID_REQUEST', `Query parameter ${name} cannot be parsed: Invalid`)
    if (!/^[1-9]\d{0,19}$/.test(amount))
      return refused('INVALID_REQUEST', 'Query parameter amount cannot be parsed')
    if (inputMint === outputMint)
      return refused('CIRCULAR_ARBITRAGE_IS_DISABLED', 'Circular arbitrage is disabled')
    const [sold, bought] = [assetOf(inputMint), assetOf(outputMint)]
    if (!sold) return refused('TOKEN_NOT_TRADABLE', `The token ${inputMint} is not tradable`)
    if (!bought) return refused('TOKEN_NOT_TRADABLE', `The token ${outputMint} is not tradable`)
    const units = BigInt(amount)
    const tooMuch = units * sold.cents > maxCents * 10n ** BigInt(sold.decimals)
    if (tooMuch) return refused('NO_ROUTES_FOUND', 'No routes found')
    return {
      status: 200,
      body: build({
        inputMint,
        outputMint,
        taker,
        units,
        out: boughtFor(units, sold, bought),
        slippageBps,
        ...to,
      }),
    }
  }

interface Built {
  inputMint: string
  outputMint: string
  taker: string
  units: bigint
  out: bigint
  slippageBps: string
  destinationTokenAccount: string | undefined
  nativeDestinationAccount: string | undefined
}

const keyOf = (text: string | undefined): PublicKey | null =>
  text === undefined ? null : new PublicKey(text)

function build({ inputMint, outputMint, taker, units, out, slippageBps, ...to }: Built): object {
  const { destinationTokenAccount, nativeDestinationAccount } = to
  const amounts = { inAmount: String(units), outAmount: String(out) }
  return {
    inputMint,
    outputMint,
    ...amounts,
    otherAmountThreshold: String(lessSlippage(out, BigInt(slippageBps))),
    swapMode: 'ExactIn',
    slippageBps: Number(slippageBps),
    priceImpactPct: '0.0001',
    routePlan: [
      {
        swapInfo: { ammKey: amm, label: 'Whirlpool', inputMint, outputMint, ...amounts },
        percent: 100,
        bps: 10_000,
        usdValue: 149.87234567890124,
      },
    ],
    ...routeInstructions({
      sold: new PublicKey(inputMint),
      bought: new PublicKey(outputMint),
      taker: new PublicKey(taker),
      amount: units,
      quoted: out,
      slippageBps: Number(slippageBps),
      destinationTokenAccount: keyOf(destinationTokenAccount),
      nativeDestinationAccount: keyOf(nativeDestinationAccount),
    }),
    blockhashWithMetadata: {
      blockhash: Array.from({ length: 32 }, (_, index) => index),
      lastValidBlockHeight: 279_632_475,
    },
  }
}
