import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/index.ts'
import { pause } from '../../src/platform/wait.ts'
import { closeAll, type OpenOptions, openQuotes } from '../support/quoteStreams.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { sendUpgrade } from '../support/upgrade.ts'
import { waitFor } from '../support/waitFor.ts'

/** Quotes of swaps over WebSocket: what is sent and when, and the turns at the provider. */

interface Quote {
  provider: string
  data: { price: string; buyAmount: string; minBuyAmount: string; sellAmount: string }
}

const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const path = '/api/v1/crypto/swaps/quote/stream'

let stack: Stack
let usdc: string
let usdt: string
let solanaUsdc: string
beforeAll(async () => {
  stack = await createStack({ processes: ['api'], chains: ['ethereum', 'solana'] })
  usdc = stack.devnet.usdc
  usdt = stack.devnet.usdt ?? ''
  solanaUsdc = stack.other('solana').usdc
  // On one process every request keeps the pace of Jupiter's free plan.
  await stack.start('api', { JUPITER_REQUESTS_PER_SECOND: '1' }, { as: 'paced' })
})
afterAll(() => stack?.close())
afterEach(() => {
  for (const each of [stack.zeroX, stack.jupiter]) {
    Object.assign(each, { mode: 'ok', throttled: 0, refusal: null, lie: null, rewrite: null, asked: [] })
  }
})

interface At {
  by?: 'api' | 'paced'
  scheme?: 'ws' | 'http'
}
const urlOf = (query: Record<string, string>, { by = 'api', scheme = 'ws' }: At = {}) =>
  `${scheme}://127.0.0.1:${stack.processes.get(by)?.port()}${path}?${new URLSearchParams(query)}`
const onEthereum = (more: object = {}) => ({
  chain: 'ethereum',
  sellToken: usdc,
  buyToken: usdt,
  amount: '100',
  ...more,
})
const onSolana = (more: object = {}) => ({
  chain: 'solana',
  sellToken: 'native',
  buyToken: solanaUsdc,
  amount: '1',
  ...more,
})
const open = (query: Record<string, string>, at?: At, options: OpenOptions = { apiKey: stack.apiKey }) =>
  openQuotes<Quote>(urlOf(query, at), options)
const priced = (buyAmount: string) => (answer: Record<string, unknown>) => ({
  ...answer,
  buyAmount,
  minBuyAmount: buyAmount,
})
const pricedOnSolana = (outAmount: string) => (answer: Record<string, unknown>) => ({
  ...answer,
  outAmount,
  otherAmountThreshold: outAmount,
})

test('a stream sends the quote at once, then only other amounts; equal parameters are one request a second', async () => {
  // Two spellings of the same tokens, and the default slippage by its number.
  const streams = [
    ...Array.from({ length: 8 }, () => open(onEthereum())),
    ...Array.from({ length: 8 }, () =>
      open(onEthereum({ sellToken: usdc.toLowerCase(), amount: '100.0', slippageBps: '50' })),
    ),
  ]
  await Promise.all(streams.map((each) => each.has(1)))
  const { body } = await stack.api<Quote>('POST', '/crypto/swaps/quote', onEthereum())
  expect(streams[0]?.messages).toEqual([{ quote: body }])
  stack.zeroX.asked = []
  const begun = performance.now()
  await pause(3000)
  const seconds = (performance.now() - begun) / 1000
  expect(stack.zeroX.asked.length).toBeGreaterThan(0)
  expect(stack.zeroX.asked.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  expect(new Set(streams.map(({ messages }) => messages.length))).toEqual(new Set([1]))
  stack.zeroX.lie = priced('98000000')
  await Promise.all(streams.map((each) => each.has(2)))
  for (const { messages } of streams)
    expect(messages[1]?.quote?.data).toMatchObject({
      buyAmount: '98000000',
      price: '0.98',
      sellAmount: '100000000',
    })
  const other = open(onEthereum({ slippageBps: '100' }))
  await other.has(1)
  expect(stack.zeroX.asked.some(({ query }) => query.slippageBps === '100')).toBe(true)
  await closeAll([...streams, other])
  await pause(1500)
  stack.zeroX.asked = []
  await pause(1500)
  expect(stack.zeroX.asked).toEqual([])
})

describe('is refused before the 101:', () => {
  const invalid = 'Invalid request parameters'
  const cases: [
    what: string,
    query: () => Record<string, string>,
    status: number,
    error: string,
    field: string,
  ][] = [
    ['no chain', () => ({ ...onEthereum(), chain: '' }), 400, invalid, 'chain'],
    ['tron', () => onEthereum({ chain: 'tron' }), 400, 'swap_not_supported', 'chain'],
    ['a symbol', () => onEthereum({ sellToken: 'USDC' }), 400, 'invalid_address', 'sellToken'],
    ['a mint', () => onEthereum({ buyToken: solanaUsdc }), 400, 'wrong_chain_address', 'buyToken'],
    [
      'no token',
      () => onEthereum({ buyToken: `0x${'ab'.repeat(20)}` }),
      422,
      'token_not_supported',
      'buyToken',
    ],
    ['equal tokens', () => onEthereum({ buyToken: usdc }), 400, invalid, 'buyToken'],
    [
      'the coin for its wrapped token',
      () => onEthereum({ sellToken: 'native', buyToken: weth }),
      422,
      'token_not_supported',
      'buyToken',
    ],
    ['nothing', () => onEthereum({ amount: '0' }), 400, invalid, 'amount'],
    ['too many decimals', () => onEthereum({ amount: '0.0000001' }), 400, invalid, 'amount'],
    ['no slippage', () => onEthereum({ slippageBps: '0' }), 400, invalid, 'slippageBps'],
    ['half a basis point', () => onEthereum({ slippageBps: '0.5' }), 400, invalid, 'slippageBps'],
    ['an unknown parameter', () => onEthereum({ privateKey: 'x' }), 400, invalid, 'privateKey'],
  ]
  test('each parameter by its name, without a request to the provider', async () => {
    for (const [what, query, status, error, field] of cases) {
      const answer = await sendUpgrade(urlOf(query(), { scheme: 'http' }), { 'x-api-key': stack.apiKey })
      const body = JSON.parse(answer.text) as { error: string; fields?: { field: string }[] }
      expect([what, answer.status, body.error, body.fields?.map((each) => each.field)]).toEqual([
        what,
        status,
        error,
        expect.arrayContaining([field]),
      ])
    }
    expect(stack.zeroX.asked).toEqual([])
  })

  test('what the provider refuses, and a provider that is down; as close codes after a first message', async () => {
    const query = onEthereum({ amount: '999999999999999' })
    const none = await sendUpgrade(urlOf(query, { scheme: 'http' }), { 'x-api-key': stack.apiKey })
    expect([none.status, JSON.parse(none.text)]).toMatchObject([422, { error: 'no_liquidity' }])
    stack.zeroX.mode = 'down'
    const down = await sendUpgrade(urlOf(onEthereum(), { scheme: 'http' }), { 'x-api-key': stack.apiKey })
    expect([down.status, JSON.parse(down.text)]).toMatchObject([503, { error: 'partner_unavailable' }])
    const late = open(onEthereum(), {}, { first: [JSON.stringify({ apiKey: stack.apiKey })] })
    expect(await late.ended()).toEqual({ code: 4503, reason: 'partner_unavailable' })
  })
})

test('a provider that fails is an error once, and a quote follows when it is back; a false answer is never shown', async () => {
  const stream = open(onEthereum())
  await stream.has(1)
  stack.zeroX.lie = (answer) => ({ ...answer, minBuyAmount: '1' })
  await stream.has(2)
  expect(stream.messages[1]).toMatchObject({ error: { error: 'unsafe_answer' } })
  stack.zeroX.asked = []
  stack.zeroX.lie = null
  stack.zeroX.mode = 'down'
  await stream.has(3)
  expect(stream.messages[2]).toMatchObject({ error: { error: 'partner_unavailable' } })
  stack.zeroX.mode = 'ok'
  await stream.has(4)
  expect(stream.messages[3]).toEqual(stream.messages[0])
  // It was not queried each second while it failed.
  expect(stack.zeroX.asked.length).toBeLessThanOrEqual(3)
  expect(stream.isClosed()).toBe(false)
  await stream.close()
}, 40_000)

test('quotes go before streams: a stream without a turn keeps its last quote, and gets the newest when one is free', async () => {
  const stream = open(onSolana({ amount: '2' }), { by: 'paced' })
  await stream.has(1)
  const quote = () =>
    fetch(urlOf({}, { by: 'paced', scheme: 'http' }).replace(/\/stream.*/, ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': stack.apiKey },
      body: JSON.stringify(onSolana()),
    })
  // A turn that the stream has taken already passes first.
  expect((await quote()).status).toBe(200)
  stack.jupiter.asked = []
  stack.jupiter.lie = pricedOnSolana('290000000')
  const statuses: number[] = []
  for (let index = 0; index < 5; index++) statuses.push((await quote()).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(stack.jupiter.asked.filter(({ query }) => query.amount === '2000000000')).toEqual([])
  expect(stream.messages).toHaveLength(1)
  await stream.has(2)
  expect(stream.messages[1]?.quote?.data.buyAmount).toBe('290000000')
  await stream.close()
}, 30_000)

test('streams of a process share the turns', async () => {
  const amounts = ['3', '4', '5']
  const streams = []
  for (const amount of amounts) {
    const stream = open(onSolana({ amount }), { by: 'paced' })
    // Opening takes a turn of a quote, which may be a second away.
    await stream.has(1)
    streams.push(stream)
  }
  stack.jupiter.asked = []
  await waitFor('two requests of each', async () => {
    const counts = amounts.map(
      (each) => stack.jupiter.asked.filter(({ query }) => query.amount === `${each}000000000`).length,
    )
    return Math.min(...counts) >= 2
  })
  expect(stack.jupiter.asked.length).toBeLessThanOrEqual(9)
  await closeAll(streams)
}, 40_000)

test('the iterator of the client has the quotes', async () => {
  const client = createClient({
    baseUrl: urlOf({}, { scheme: 'http' }).replace(/\/crypto.*/, ''),
    apiKey: stack.apiKey,
  })
  const stop = new AbortController()
  const query = {
    chain: 'ethereum',
    sellToken: usdc,
    buyToken: usdt,
    amount: '100',
    slippageBps: 100,
  } as const
  const errors: string[] = []
  const quotes = client.quotes('streamSwapQuote', {
    query,
    signal: stop.signal,
    onError: ({ code }) => void errors.push(code),
  })
  expect((await quotes.next()).value).toMatchObject({ provider: '0x', data: { price: '0.997' } })
  stack.zeroX.lie = (answer) => ({ ...answer, liquidityAvailable: false })
  const next = quotes.next()
  await waitFor('the client to know that there is no price', async () => errors.includes('no_liquidity'))
  stack.zeroX.lie = priced('99000000')
  expect((await next).value).toMatchObject({ data: { price: '0.99' } })
  stop.abort(new Error('enough'))
  await expect(quotes.next()).rejects.toThrow('enough')
})
