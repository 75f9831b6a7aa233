import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startSwapPartners } from '../../test/partners/swapPartners.ts'
import type { SwapStandIn } from '../../test/partners/swapServer.ts'
import { Secret } from '../platform/secrets.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { checkPrice } from '../swaps/checkPrice.ts'
import type { PriceAnswer, PriceQuestion, SwapProvider } from '../swaps/provider.ts'
import { createJupiter } from './jupiter/client.ts'
import { quoteTaker } from './jupiter/readPrice.ts'
import { swapProvidersFrom } from './swapProviders.ts'
import { createZeroX } from './zerox/client.ts'

const keys = { zeroX: 'key-of-0x', jupiter: 'key-of-jupiter' }
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const sol = 'So11111111111111111111111111111111111111112'
const usdcOnSolana = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

let standIns: { '0x': SwapStandIn; jupiter: SwapStandIn }
beforeEach(async () => {
  const { zeroX, jupiter } = await startSwapPartners(keys, [
    { chainId: 1, stablecoins: [usdc, usdt], decimals: 6 },
    { chainId: null, stablecoins: [usdcOnSolana], decimals: 6 },
  ])
  standIns = { '0x': zeroX, jupiter }
})
afterEach(() => Promise.all([standIns['0x'].close(), standIns.jupiter.close()]))

const account = (name: SwapProvider['name'], apiKey: string, timeoutMs?: number) => ({
  url: standIns[name].url,
  apiKey: new Secret(apiKey),
  perSecond: 1000,
  ...(timeoutMs !== undefined && { timeoutMs }),
})
const clients = {
  '0x': (timeoutMs?: number, key = keys.zeroX) => createZeroX(account('0x', key, timeoutMs)),
  jupiter: (timeoutMs?: number, key = keys.jupiter) => createJupiter(account('jupiter', key, timeoutMs)),
}
const questions: Record<SwapProvider['name'], PriceQuestion> = {
  '0x': { network: '1', sellToken: usdc, buyToken: usdt, sellAmount: 100_000_000n, slippageBps: 50 },
  jupiter: {
    network: 'mainnet',
    sellToken: sol,
    buyToken: usdcOnSolana,
    sellAmount: 10n ** 9n,
    slippageBps: 50,
  },
}
const names = ['0x', 'jupiter'] as const

/** Requests a quote of a provider, and checks its answer as a quote does. */
async function ask(name: SwapProvider['name'], timeoutMs?: number): Promise<PriceAnswer> {
  const answer = await clients[name](timeoutMs).price(questions[name])
  checkPrice(questions[name], answer)
  return answer
}
const problem = (name: SwapProvider['name'], timeoutMs?: number): Promise<unknown> =>
  ask(name, timeoutMs).then(
    () => 'taken',
    (error: { problem?: string }) => error.problem ?? error,
  )

// As in the examples of the providers' references.
describe('the request of the reference is sent', () => {
  test('to 0x', async () => {
    await ask('0x')
    const query = {
      chainId: '1',
      sellToken: usdc,
      buyToken: usdt,
      sellAmount: '100000000',
      slippageBps: '50',
    }
    expect(standIns['0x'].asked).toEqual([{ path: '/swap/allowance-holder/price', query }])
  })
  test('to Jupiter', async () => {
    await ask('jupiter')
    const query = {
      inputMint: sol,
      outputMint: usdcOnSolana,
      amount: '1000000000',
      slippageBps: '50',
      taker: quoteTaker,
    }
    expect(standIns.jupiter.asked).toEqual([{ path: '/swap/v2/build', query }])
  })
})

describe('the answer of the reference is read', () => {
  test('of 0x', async () => {
    standIns['0x'].lie = () => referencePrice
    const answer = await ask('0x')
    expect(answer).toMatchObject({
      buyAmount: 99_962_000n,
      minBuyAmount: 99_462_190n,
      estimatedGas: '288079',
    })
    expect(answer.data).toEqual(referencePrice)
  })
  test('of Jupiter, without its instructions', async () => {
    standIns.jupiter.lie = (answer) => ({ ...answer, ...referenceBuild })
    const answer = await ask('jupiter')
    expect(answer).toMatchObject({
      sellAmount: 10n ** 9n,
      buyAmount: 149_872_345n,
      minBuyAmount: 149_122_983n,
    })
    expect(answer.data).toEqual(referenceBuild)
  })
})

test('numbers that a JSON number cannot hold are strings', async () => {
  standIns['0x'].rewrite = (text) =>
    text.replace('"blockNumber":"20114676"', '"blockNumber":12345678901234567890')
  standIns.jupiter.rewrite = (text) =>
    text.replace('149.87234567890124', '0.12345678901234567890123,"slot":9007199254740993')
  expect((await ask('0x')).data.blockNumber).toBe('12345678901234567890')
  const [hop] = (await ask('jupiter')).data.routePlan as { usdValue: string; slot: string; bps: number }[]
  expect(hop).toMatchObject({ usdValue: '0.12345678901234567890123', slot: '9007199254740993', bps: 10_000 })
})

test('what could be executed is not passed on, also where it is not documented', async () => {
  const transaction = { to: usdc, data: '0xdeadbeef', value: '1' }
  standIns['0x'].lie = (answer) => ({ ...answer, transaction, permit2: {}, somethingNew: 1 })
  expect(Object.keys((await ask('0x')).data)).not.toEqual(expect.arrayContaining(['transaction']))
  expect(JSON.stringify((await ask('0x')).data)).not.toContain('0xdeadbeef')
  const data = JSON.stringify((await ask('jupiter')).data)
  expect(data).not.toMatch(/nstruction|JUP6|lookup|blockhash/i)
})

describe.each(names)('%s', (name) => {
  test.each([
    ['is down', 'down', 'unavailable'],
    ['answers a page', 'garbage', 'malformed'],
    ['closes the connection', 'cut', 'unavailable'],
    ['answers without an end', 'flood', 'unavailable'],
  ] as const)('that %s gives no price', async (_how, mode, expected) => {
    standIns[name].mode = mode
    expect(await problem(name)).toBe(expected)
    expect(standIns[name].asked).toHaveLength(1)
  })

  test('that answers without an end is read up to a megabyte', async () => {
    standIns[name].mode = 'flood'
    await expect(ask(name)).rejects.toThrow('the answer is too large')
  })

  test.each([401, 408])(
    'that answers %s is no report about the swap, with any name in the answer',
    async (status) => {
      standIns[name].refusal = {
        status,
        body: { name: 'TOKEN_NOT_SUPPORTED', error: '', errorCode: 'TOKEN_NOT_TRADABLE' },
      }
      expect(await problem(name)).toBe('unavailable')
    },
  )

  test('that is slow is not waited for', async () => {
    standIns[name].mode = 'slow'
    expect(await problem(name, 200)).toBe('unavailable')
  })

  test.each([
    ['7', 7],
    ['0', 1],
    ['86400', 60],
    ['soon', null],
    [null, null],
  ])('that throttles us with Retry-After %p', async (header, seconds) => {
    standIns[name].throttled = 1
    standIns[name].retryAfter = header
    const error = await ask(name).catch((thrown) => thrown)
    expect(error).toMatchObject({ problem: 'throttled', retryAfterSeconds: seconds })
  })

  test('with a rejected key is unavailable, and no error shows the key', async () => {
    const error = await clients[name](undefined, 'wrong-key')
      .price(questions[name])
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ problem: 'unavailable', message: 'It answered 401' })
    expect(JSON.stringify(error) + String(error)).not.toContain('wrong-key')
  })

  test.each([400, 403, 404, 418])('that answers %s with a page is unavailable', async (status) => {
    standIns[name].refusal = { status, body: '<html>' }
    expect(await problem(name)).toBe('unavailable')
  })
})

describe('0x refuses with', () => {
  test.each([
    [400, 'INPUT_INVALID', 'provider_refused'],
    [400, 'SWAP_VALIDATION_FAILED', 'provider_refused'],
    [422, 'BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE', 'provider_refused'],
    [403, 'SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE', 'provider_refused'],
    [400, 'TOKEN_NOT_SUPPORTED', 'token_not_supported'],
    [400, 'INSUFFICIENT_ASSET_LIQUIDITY', 'no_liquidity'],
    [500, 'INTERNAL_SERVER_ERROR', 'unavailable'],
  ])('%s %s: %s', async (status, name, expected) => {
    standIns['0x'].refusal = { status, body: { name, message: 'words', data: { zid: '0x1' } } }
    expect(await problem('0x')).toBe(expected)
  })
  test('no liquidity', async () => {
    standIns['0x'].lie = () => ({ liquidityAvailable: false, zid: '0x1' })
    expect(await problem('0x')).toBe('no_liquidity')
  })
})

describe('Jupiter refuses with', () => {
  test.each([
    ['NO_ROUTES_FOUND', 'no_liquidity'],
    ['COULD_NOT_FIND_ANY_ROUTE', 'no_liquidity'],
    ['ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT', 'no_liquidity'],
    ['TOKEN_NOT_TRADABLE', 'token_not_supported'],
    ['CIRCULAR_ARBITRAGE_IS_DISABLED', 'provider_refused'],
    ['INVALID_REQUEST', 'provider_refused'],
  ])('%s: %s', async (errorCode, expected) => {
    standIns.jupiter.refusal = { status: 400, body: { error: 'words', errorCode } }
    expect(await problem('jupiter')).toBe(expected)
  })

  test.each([
    [400, 'No routes found', 'no_liquidity'],
    [400, 'The token X is not tradable', 'token_not_supported'],
    [400, 'anything else', 'provider_refused'],
    [404, 'Not found', 'unavailable'],
  ])('%s and the text %p alone: %s', async (status, error, expected) => {
    standIns.jupiter.refusal = { status, body: { error } }
    expect(await problem('jupiter')).toBe(expected)
  })
})

describe('an answer of 0x that cannot be right:', () => {
  test.each<[string, object, string]>([
    ['another token to sell', { sellToken: usdt }, 'unsafe_answer'],
    ['another token to buy', { buyToken: usdc }, 'unsafe_answer'],
    ['another amount', { sellAmount: '99999999' }, 'unsafe_answer'],
    ['a low minimum', { minBuyAmount: '1' }, 'unsafe_answer'],
    ['a minimum above the price', { minBuyAmount: '999999999' }, 'unsafe_answer'],
    ['nothing', { buyAmount: '0', minBuyAmount: '0' }, 'no_liquidity'],
    ['a negative amount', { buyAmount: '-1' }, 'malformed'],
    ['a fraction', { buyAmount: '99.5' }, 'malformed'],
    ['an exponent', { buyAmount: '1e20' }, 'malformed'],
    ['a number', { buyAmount: 99_700_000 }, 'malformed'],
    ['more than a word', { buyAmount: String(2n ** 256n) }, 'malformed'],
    ['a text', { buyAmount: 'plenty' }, 'malformed'],
    ['no amount', { buyAmount: undefined }, 'malformed'],
    ['no address', { buyToken: 'USDT' }, 'malformed'],
    ['gas that is not one', { gas: 'much' }, 'malformed'],
    ['nothing about liquidity', { liquidityAvailable: undefined }, 'malformed'],
    ['NUL', { zid: 'a\u0000b' }, 'malformed'],
  ])('%s', async (_what, wrong, expected) => {
    standIns['0x'].lie = (answer) => ({ ...answer, ...wrong })
    expect(await problem('0x')).toBe(expected)
  })
})

describe('an answer of Jupiter that cannot be right:', () => {
  test.each<[string, object, string]>([
    ['another mint to sell', { inputMint: usdcOnSolana }, 'unsafe_answer'],
    ['another mint to buy', { outputMint: sol }, 'unsafe_answer'],
    ['another amount', { inAmount: '1000000001' }, 'unsafe_answer'],
    ['a low minimum', { otherAmountThreshold: '1' }, 'unsafe_answer'],
    ['another slippage', { slippageBps: 500 }, 'unsafe_answer'],
    ['another mode', { swapMode: 'ExactOut' }, 'unsafe_answer'],
    ['nothing', { outAmount: '0', otherAmountThreshold: '0' }, 'no_liquidity'],
    ['more than a u64', { outAmount: String(2n ** 64n) }, 'malformed'],
    ['a negative amount', { outAmount: '-5' }, 'malformed'],
    ['a number', { outAmount: 5 }, 'malformed'],
    ['no mint', { inputMint: '0x00' }, 'malformed'],
    ['no mode', { swapMode: undefined }, 'malformed'],
  ])('%s', async (_what, wrong, expected) => {
    standIns.jupiter.lie = (answer) => ({ ...answer, ...wrong })
    expect(await problem('jupiter')).toBe(expected)
  })
})

test('a provider without a key is absent', () => {
  const none = { ZEROX_API_KEY: undefined, JUPITER_API_KEY: undefined }
  const urls = { ZEROX_URL: 'http://localhost', JUPITER_URL: 'http://localhost' }
  const paces = { ZEROX_REQUESTS_PER_SECOND: 5, JUPITER_REQUESTS_PER_SECOND: 1 }
  const metrics = createMetrics('test')
  expect(swapProvidersFrom({ ...none, ...urls, ...paces }, metrics)).toMatchObject({
    evm: null,
    solana: null,
  })
  const one = swapProvidersFrom({ ...none, ...urls, ...paces, JUPITER_API_KEY: new Secret('key') }, metrics)
  expect([one.evm, one.solana?.name, one.solana?.perSecond]).toEqual([null, 'jupiter', 1])
})

/** 0x's example of 100 USDC for USDT, at 50 basis points. */
const referencePrice = {
  allowanceTarget: '0x0000000000001ff3684f28c67538d4d072c22734',
  blockNumber: '20114676',
  buyAmount: '99962000',
  buyToken: usdt,
  fees: { integratorFee: null, zeroExFee: null, gasFee: null },
  gas: '288079',
  gasPrice: '7062490000',
  issues: {
    allowance: { actual: '0', spender: '0x0000000000001ff3684f28c67538d4d072c22734' },
    balance: null,
    simulationIncomplete: false,
    invalidSourcesPassed: [],
  },
  liquidityAvailable: true,
  minBuyAmount: '99462190',
  route: {
    fills: [{ from: usdc, to: usdt, source: 'SolidlyV3', proportionBps: '10000' }],
    tokens: [
      { address: usdc, symbol: 'USDC' },
      { address: usdt, symbol: 'USDT' },
    ],
  },
  sellAmount: '100000000',
  sellToken: usdc,
  tokenMetadata: {
    buyToken: { buyTaxBps: '0', sellTaxBps: '0' },
    sellToken: { buyTaxBps: '0', sellTaxBps: '0' },
  },
  totalNetworkFee: '2034555056710000',
  zid: '0x111111111111111111111111',
}

/** The quote's part of Jupiter's answer to one SOL for USDC. */
const referenceBuild = {
  inputMint: sol,
  outputMint: usdcOnSolana,
  inAmount: '1000000000',
  outAmount: '149872345',
  otherAmountThreshold: '149122983',
  swapMode: 'ExactIn',
  slippageBps: 50,
  priceImpactPct: '0',
  routePlan: [
    {
      swapInfo: {
        ammKey: 'BVRbyLjjfSBcoyiYFuxbgKYnWuiFaF9CSXEa5vdSZ9Hh',
        label: 'Whirlpool',
        inputMint: sol,
        outputMint: usdcOnSolana,
        inAmount: '1000000000',
        outAmount: '149872345',
      },
      percent: 100,
      bps: 10_000,
      usdValue: 149.87,
    },
  ],
}
