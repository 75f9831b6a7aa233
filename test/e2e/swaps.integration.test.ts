import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from '../../client/index.ts'
import type { SwapStandIn } from '../partners/swapServer.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { createStack, type Stack } from '../support/stack.ts'

/** Quotes of both providers by the API: prices, refusals by name, and providers that fail. */

interface Quote {
  provider: string
  data: Record<string, unknown> & {
    price: string
    sellAmount: string
    buyAmount: string
    minBuyAmount: string
  }
  error?: string
  fields?: { field: string; message: string }[]
}

const placeholder = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const wsol = 'So11111111111111111111111111111111111111112'

let stack: Stack
let usdc: string
let usdt: string
let usdcOnSolana: string
let usdtOnSolana: string
beforeAll(async () => {
  stack = await createStack({ processes: ['api'], chains: ['ethereum', 'solana'] })
  usdc = stack.devnet.usdc
  usdt = stack.devnet.usdt ?? ''
  usdcOnSolana = stack.other('solana').usdc
  usdtOnSolana = stack.other('solana').usdt
})
afterAll(() => stack?.close())
afterEach(() => {
  for (const each of [stack.zeroX, stack.jupiter]) {
    Object.assign(each, { mode: 'ok', throttled: 0, refusal: null, lie: null, rewrite: null, asked: [] })
  }
})

const post = (body: object, headers?: Record<string, string>) =>
  stack.api<Quote>('POST', '/crypto/swaps/quote', body, headers)
const onEthereum = (more: object = {}) =>
  post({ chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '100', ...more })
const onSolana = (more: object = {}) =>
  post({ chain: 'solana', sellToken: usdcOnSolana, buyToken: usdtOnSolana, amount: '100', ...more })
/** By a process of its own. */
async function by(process: string, body: object) {
  const answer = await fetch(
    `http://127.0.0.1:${stack.processes.get(process)?.port()}/api/v1/crypto/swaps/quote`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': stack.apiKey },
      body: JSON.stringify(body),
    },
  )
  const retryAfter = answer.headers.get('retry-after')
  return { status: answer.status, retryAfter, body: (await answer.json()) as Quote }
}

describe('a quote', () => {
  test('of token for token, of 0x', async () => {
    const { status, body } = await onEthereum()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      provider: '0x',
      data: {
        sellToken: usdc.toLowerCase(),
        buyToken: usdt.toLowerCase(),
        sellAmount: '100000000',
        buyAmount: '99700000',
        minBuyAmount: '99201500',
        price: '0.997',
        estimatedGas: '288079',
        liquidityAvailable: true,
        route: { fills: [{ source: 'Uniswap_V3' }] },
      },
    })
    const { query } = stack.zeroX.asked[0] ?? {}
    expect(query).toMatchObject({
      chainId: String(stack.devnet.chainId),
      sellAmount: '100000000',
      slippageBps: '50',
    })
  })

  test('of token for token, of Jupiter', async () => {
    const { status, body } = await onSolana({ slippageBps: 100 })
    expect(status).toBe(200)
    const { data } = body
    expect(body.provider).toBe('jupiter')
    expect(data).toMatchObject({
      sellToken: usdcOnSolana,
      buyToken: usdtOnSolana,
      price: '0.997',
      swapMode: 'ExactIn',
    })
    expect(data).toMatchObject({ sellAmount: '100000000', buyAmount: '99700000', minBuyAmount: '98703000' })
    expect(JSON.stringify(data)).not.toMatch(/nstruction|blockhash|estimatedGas/)
  })

  test.each(['native', placeholder])(
    'of the coin of an EVM chain, written %s, has its 18 decimals',
    async (sellToken) => {
      const { body } = await onEthereum({ sellToken, buyToken: usdc, amount: '0.000000001' })
      expect(body.data).toMatchObject({
        sellToken: placeholder.toLowerCase(),
        sellAmount: '1000000000',
        price: '2000',
      })
    },
  )

  test.each(['native', wsol])('of SOL, written %s, has its 9 decimals', async (sellToken) => {
    const { body } = await onSolana({ sellToken, amount: '2' })
    expect(body.data).toMatchObject({
      sellToken: wsol,
      sellAmount: '2000000000',
      buyAmount: '299100000',
      price: '149.55',
    })
  })

  test('of a token for the coin', async () => {
    const { body } = await onEthereum({ buyToken: 'native', amount: '3000' })
    expect(body.data).toMatchObject({ buyAmount: '997000000000000000', price: '0.000332333333333333333' })
  })

  test('stores nothing, and the typed client has it', async () => {
    await onEthereum()
    const before = await contentsOf(stack)
    const client = createClient({
      baseUrl: `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`,
      apiKey: stack.apiKey,
    })
    const body = { chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '1.5' } as const
    const { provider, data } = await client.call('quoteSwap', { body })
    expect([provider, data.price, data.sellAmount]).toEqual(['0x', '0.997', '1500000'])
    const { partner_turns: _, idempotency_keys: __, ...after } = await contentsOf(stack)
    expect(before).toMatchObject(after)
  })

  test('is the same again for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'quote-7' }
    const first = await onEthereum()
    expect(first.status).toBe(200)
    const [one, two] = [
      await post({ chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '7' }, headers),
      stack.zeroX.asked.length,
    ]
    stack.zeroX.mode = 'down'
    const again = await post({ chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '7' }, headers)
    expect([again.status, again.body, stack.zeroX.asked.length]).toEqual([200, one.body, two])
  })
})

describe('a wrong field is refused by its name, and the provider is not queried:', () => {
  type Case = [what: string, change: () => object, status: number, error: string, field: string]
  const invalid = 'Invalid request body'
  const cases: Case[] = [
    ['no chain', () => ({ chain: undefined }), 400, invalid, 'chain'],
    ['an unknown chain', () => ({ chain: 'dogecoin' }), 400, invalid, 'chain'],
    ['a chain of another case', () => ({ chain: 'Ethereum' }), 400, invalid, 'chain'],
    ['a number for a chain', () => ({ chain: 1 }), 400, invalid, 'chain'],
    ['a chain that is not read here', () => ({ chain: 'base' }), 400, invalid, 'chain'],
    ['tron', () => ({ chain: 'tron' }), 400, 'swap_not_supported', 'chain'],
    ['stellar', () => ({ chain: 'stellar' }), 400, 'swap_not_supported', 'chain'],
    ...(['sellToken', 'buyToken'] as const).flatMap((field): Case[] => [
      [`no ${field}`, () => ({ [field]: undefined }), 400, invalid, field],
      [`an empty ${field}`, () => ({ [field]: '' }), 400, invalid, field],
      [`a long ${field}`, () => ({ [field]: 'a'.repeat(101) }), 400, invalid, field],
      [`a list for ${field}`, () => ({ [field]: [usdc] }), 400, invalid, field],
      [`a symbol for ${field}`, () => ({ [field]: 'USDC' }), 400, 'invalid_address', field],
      [`a torn ${field}`, () => ({ [field]: weth.slice(0, -1) }), 400, 'invalid_address', field],
      [
        `a wrong checksum of ${field}`,
        () => ({ [field]: weth.replace('C02aaA', 'c02aaA') }),
        400,
        'invalid_address',
        field,
      ],
      [`a mint for ${field}`, () => ({ [field]: usdcOnSolana }), 400, 'wrong_chain_address', field],
      [
        `a wallet for ${field}`,
        () => ({ [field]: `0x${'ab'.repeat(20)}` }),
        422,
        'token_not_supported',
        field,
      ],
      [
        `a contract that is no token for ${field}`,
        () => ({ [field]: stack.devnet.batch }),
        422,
        'token_not_supported',
        field,
      ],
      [
        `the zero address for ${field}`,
        () => ({ [field]: `0x${'0'.repeat(40)}` }),
        422,
        'token_not_supported',
        field,
      ],
    ]),
    ['equal tokens', () => ({ buyToken: usdc.toLowerCase() }), 400, invalid, 'buyToken'],
    ['the coin for itself', () => ({ sellToken: 'native', buyToken: placeholder }), 400, invalid, 'buyToken'],
    [
      'the coin for its wrapped token',
      () => ({ sellToken: 'native', buyToken: weth }),
      422,
      'token_not_supported',
      'buyToken',
    ],
    ['no amount', () => ({ amount: undefined }), 400, invalid, 'amount'],
    ['nothing', () => ({ amount: '0' }), 400, invalid, 'amount'],
    ['zeros', () => ({ amount: '0.000' }), 400, invalid, 'amount'],
    ['a negative amount', () => ({ amount: '-1' }), 400, invalid, 'amount'],
    ['a number', () => ({ amount: 1 }), 400, invalid, 'amount'],
    ['an exponent', () => ({ amount: '1e3' }), 400, invalid, 'amount'],
    ['groups', () => ({ amount: '1,000' }), 400, invalid, 'amount'],
    ['too many decimals', () => ({ amount: '0.0000001' }), 400, invalid, 'amount'],
    ...[0, -1, 5001, 0.5, '50', [50]].map(
      (slippageBps): Case => [
        `a slippage of ${JSON.stringify(slippageBps)}`,
        () => ({ slippageBps }),
        400,
        invalid,
        'slippageBps',
      ],
    ),
    ['an unknown field', () => ({ privateKey: 'x' }), 400, invalid, 'privateKey'],
  ]
  test.each(cases)('%s', async (_what, change, status, error, field) => {
    const answer = await onEthereum(change())
    expect(answer).toMatchObject({ status, body: { error } })
    expect(answer.body.fields?.map((each) => each.field)).toContain(field)
    expect(stack.zeroX.asked).toEqual([])
  })

  test('on solana', async () => {
    const refusals = [
      await onSolana({ sellToken: usdc }),
      await onSolana({ sellToken: 'native', buyToken: wsol }),
      await onSolana({ buyToken: stack.other('solana').senderProgram }),
      await onSolana({ amount: '18446744073709.551616' }),
      await onSolana({ sellToken: 'native', amount: '0.0000000001' }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.error, body.fields?.[0]?.field])).toEqual([
      [400, 'wrong_chain_address', 'sellToken'],
      [400, 'Invalid request body', 'buyToken'],
      [422, 'token_not_supported', 'buyToken'],
      [400, 'Invalid request body', 'amount'],
      [400, 'Invalid request body', 'amount'],
    ])
    expect(stack.jupiter.asked).toEqual([])
    expect((await onSolana({ amount: '18446744073709.551615' })).body.error).toBe('no_liquidity')
  })

  test('a deployment without keys has no swaps', async () => {
    await stack.start('api', { ZEROX_API_KEY: '', JUPITER_API_KEY: '' }, { as: 'keyless' })
    const body = { sellToken: 'native', amount: '1' }
    const answers = [
      await by('keyless', { ...body, chain: 'ethereum', buyToken: usdc }),
      await by('keyless', { ...body, chain: 'solana', buyToken: usdcOnSolana }),
    ]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'swap_not_supported'],
      [400, 'swap_not_supported'],
    ])
    await stack.stop('keyless')
  })
})

interface Side {
  standIn(): SwapStandIn
  other(): SwapStandIn
  quote(): ReturnType<typeof onEthereum>
  quoteOther(): ReturnType<typeof onEthereum>
}
const sides: Record<string, Side> = {
  '0x': { standIn: () => stack.zeroX, other: () => stack.jupiter, quote: onEthereum, quoteOther: onSolana },
  jupiter: {
    standIn: () => stack.jupiter,
    other: () => stack.zeroX,
    quote: onSolana,
    quoteOther: onEthereum,
  },
}

describe.each(Object.entries(sides))('%s', (_name, { standIn, quote, quoteOther }) => {
  test.each(['down', 'garbage', 'cut', 'flood'] as const)(
    'that is %s: 503, queried once, and the other answers',
    async (mode) => {
      standIn().mode = mode
      const [failed, good] = await Promise.all([quote(), quoteOther()])
      expect(failed).toMatchObject({ status: 503, body: { error: 'partner_unavailable' } })
      expect(failed.headers.get('retry-after')).toBe('5')
      expect([good.status, standIn().asked.length]).toEqual([200, 1])
    },
  )

  test('that is slow does not hold up the other, and is a 503 in the end', async () => {
    standIn().mode = 'slow'
    const slow = quote()
    const begun = Date.now()
    expect((await quoteOther()).status).toBe(200)
    expect(Date.now() - begun).toBeLessThan(4000)
    expect(await slow).toMatchObject({ status: 503, body: { error: 'partner_unavailable' } })
  })

  test('that throttles us: 503 with its Retry-After', async () => {
    standIn().throttled = 1
    const answer = await quote()
    expect(answer).toMatchObject({ status: 503, body: { error: 'partner_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('2')
    expect((await quote()).status).toBe(200)
  })

  test('that answers falsely: 422 unsafe_answer', async () => {
    standIn().lie = (answer) => ({ ...answer, minBuyAmount: '1', otherAmountThreshold: '1' })
    expect(await quote()).toMatchObject({ status: 422, body: { error: 'unsafe_answer' } })
  })
})

test('refusals of the providers have names of the platform, and nothing of their texts', async () => {
  const forbidden = {
    name: 'BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE',
    message: 'secret words',
    data: { zid: '0x1' },
  }
  stack.zeroX.refusal = { status: 422, body: forbidden }
  const refused = await onEthereum()
  expect(refused).toMatchObject({ status: 422, body: { error: 'provider_refused' } })
  expect(JSON.stringify(refused.body)).not.toContain('secret words')
  stack.zeroX.refusal = null
  // The provider's stand-in does not know it.
  expect(await onEthereum({ sellToken: stack.devnet.fakeUsdc })).toMatchObject({
    status: 422,
    body: { error: 'token_not_supported' },
  })
  expect(await onEthereum({ amount: '99999999999999999' })).toMatchObject({
    status: 422,
    body: { error: 'no_liquidity' },
  })
})

test('two processes keep the pace of one key together, and answer when to come back', async () => {
  const paced = { JUPITER_REQUESTS_PER_SECOND: '1' }
  await Promise.all([stack.start('api', paced, { as: 'one' }), stack.start('api', paced, { as: 'two' })])
  const body = { chain: 'solana', sellToken: 'native', buyToken: usdcOnSolana, amount: '1' }
  const begun = Date.now()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => by(index % 2 === 0 ? 'one' : 'two', body)),
  )
  const seconds = Math.ceil((Date.now() - begun) / 1000)
  const [good, busy] = [200, 503].map((status) => answers.filter((each) => each.status === status))
  expect((good?.length ?? 0) + (busy?.length ?? 0)).toBe(12)
  expect(good?.length).toBeGreaterThan(0)
  expect(stack.jupiter.asked.length).toBeLessThanOrEqual(seconds + 1)
  expect(
    busy?.every(
      ({ retryAfter, body: { error } }) => error === 'partner_unavailable' && Number(retryAfter) >= 1,
    ),
  ).toBe(true)
  await Promise.all([stack.stop('one'), stack.stop('two')])
})

test('requests are counted by provider and outcome', async () => {
  const url = stack.processes.get('api')?.metricsUrl() ?? ''
  const text = await (await fetch(url)).text()
  const counted = [...text.matchAll(/^cowry_swap_requests_total\{(.*)\} \d+$/gm)].map(([, labels]) => labels)
  for (const provider of ['0x', 'jupiter'])
    for (const outcome of ['ok', 'unavailable', 'malformed', 'throttled', 'unsafe_answer', 'no_liquidity'])
      expect(counted).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `provider="${provider}".*outcome="${outcome}"|outcome="${outcome}".*provider="${provider}"`,
          ),
        ),
      )
  expect(text).toMatch(/cowry_swap_request_seconds_count\{.*provider="0x"/)
})

test('no key of a provider is in the log', () => {
  expect(stack.logs()).not.toMatch(/zerox-test-key|jupiter-test-key/)
})
