import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { getAddress, type Hex, parseUnits } from 'viem'
import { rpc } from '../devnets/evm.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import { newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import {
  allowedOf,
  execute,
  heldOf,
  intentsOf,
  newSwapper,
  type Refusal,
  type SwapBody,
  swapBody,
  swapEnds,
  swapOf,
} from '../support/swaps.ts'

/**
 * Swaps with keys of requests: from the request to the recipient's balance, and every way in which no swap is
 * made.
 */

let stack: Stack
let usdc: string
let usdt: string
beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'solana'], processes: ['api', 'worker'] })
  usdc = stack.devnet.usdc
  usdt = stack.devnet.usdt ?? ''
})
afterAll(() => stack?.close())
afterEach(() => {
  Object.assign(stack.zeroX, {
    mode: 'ok',
    throttled: 0,
    refusal: null,
    lie: null,
    rewrite: null,
    asked: [],
    reroute: null,
  })
})

const refuse = (payer: Payer, more: object) => execute<Refusal>(stack, payer, more)

describe('a swap', () => {
  test('brings what was quoted, to the unit, and is shown by its id and by each hash', async () => {
    const [payer, to] = [await newSwapper(stack), newPayer('ethereum').address]
    const { status, body } = await execute(stack, payer, { toAddress: to }, 'swap-once')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      provider: '0x',
      chain: 'ethereum',
      status: 'pending',
      success: true,
      txHash: expect.any(String),
      approvalTxHash: expect.any(String),
      sellToken: getAddress(usdc),
      sellSymbol: 'USDC',
      sellAmount: '100',
      buySymbol: 'USDT',
      buyAmount: '99.7',
      minBuyAmount: '99.2015',
      slippageBps: 50,
      fromAddress: payer.address,
      toAddress: to,
      allowanceLeft: null,
      fee: null,
      rent: null,
      reason: null,
    })
    const done = await swapEnds(stack, body.id)
    expect(done).toMatchObject({
      id: body.id,
      status: 'confirmed',
      buyAmount: '99.7',
      amountReceived: '99.7',
      allowanceLeft: null,
    })
    expect([await heldOf(stack, usdt, to), await heldOf(stack, usdc, payer.address)]).toEqual([
      99_700_000n,
      900_000_000n,
    ])
    for (const name of [body.txHash, body.approvalTxHash, body.id])
      expect(await swapOf(stack, name ?? '')).toEqual(done)
    const other = await otherBusinessHeaders(stack)
    for (const name of [body.txHash, body.id])
      expect((await stack.api('GET', `/crypto/swaps/${name}`, undefined, other)).status).toBe(404)

    const again = await execute(stack, payer, { toAddress: to }, 'swap-once')
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      body.id,
      'true',
    ])
    expect((await intentsOf(stack, payer)).map(({ purpose }) => purpose)).toEqual(['swap-approval', 'swap'])

    const receipts = await Promise.all(
      [body.txHash, body.approvalTxHash].map((hash) =>
        stack.client().getTransactionReceipt({ hash: hash as Hex }),
      ),
    )
    expect(done.gasUsed).toBe(String(receipts.reduce((sum, each) => sum + each.gasUsed, 0n)))
    await stack.idle()
    const events = await stack.db.query<{ type: string; data: SwapBody }>(
      "select type, data from events where data->>'id' = $1",
      [body.id],
    )
    expect(events.map(({ type }) => type)).toEqual(['swap.confirmed'])
    expect(events[0]?.data).toMatchObject({ id: body.id, amountReceived: '99.7' })
  })

  test('of the coin needs no approval; for the coin, what arrived is not known', async () => {
    const payer = await newSwapper(stack)
    const sold = await execute(stack, payer, { sellToken: 'native', buyToken: usdc, amount: '0.1' })
    expect(await swapEnds(stack, sold.body.id)).toMatchObject({
      status: 'confirmed',
      sellToken: 'native',
      approvalTxHash: null,
      amountReceived: '299.1',
    })
    const bought = await execute(stack, payer, { buyToken: 'native' })
    const done = await swapEnds(stack, bought.body.id)
    expect(done).toMatchObject({
      status: 'confirmed',
      buyToken: 'native',
      buyAmount: expect.stringMatching(/^0\.033/),
    })
    expect(done).not.toHaveProperty('amountReceived')
  })

  test('that reverts leaves the exact allowance, which its next swap uses', async () => {
    const payer = await newSwapper(stack)
    const market = await rpc(stack.devnet.rpcUrl, 'eth_getCode', [stack.devnet.pool, 'latest'])
    const { body } = await execute(stack, payer)
    await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, '0xfe'])
    const failed = await swapEnds(stack, body.id)
    await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, market])
    expect(failed).toMatchObject({
      status: 'failed',
      success: true,
      reason: 'reverted',
      allowanceLeft: '100',
    })
    expect([await heldOf(stack, usdc, payer.address), await allowedOf(stack, usdc, payer.address)]).toEqual([
      1_000_000_000n,
      100_000_000n,
    ])
    const next = await execute(stack, payer)
    expect(await swapEnds(stack, next.body.id)).toMatchObject({ status: 'confirmed', approvalTxHash: null })
    expect(await allowedOf(stack, usdc, payer.address)).toBe(0n)
    const { body: list } = await stack.api<{ swaps: SwapBody[] }>(
      'GET',
      '/crypto/swaps?status=failed&chain=ethereum',
    )
    expect(list.swaps).toEqual([failed])
  })

  test('of a token that changes allowances only from zero takes three transactions in a row', async () => {
    const payer = await newSwapper(stack, { native: '10', USDT: '1000' })
    const turned = { sellToken: usdt, buyToken: usdc }
    const market = await rpc(stack.devnet.rpcUrl, 'eth_getCode', [stack.devnet.pool, 'latest'])
    const first = await execute(stack, payer, { ...turned, amount: '10' })
    await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, '0xfe'])
    await swapEnds(stack, first.body.id)
    await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, market])
    const { body } = await execute(stack, payer, turned)
    const done = await swapEnds(stack, body.id)
    expect(done).toMatchObject({ status: 'confirmed', amountReceived: '99.7' })
    expect(done.steps.map(({ type, status }) => [type, status])).toEqual([
      ['reset_allowance', 'confirmed'],
      ['approve', 'confirmed'],
      ['swap', 'confirmed'],
    ])
    expect(done.steps.slice(1).map(({ txHash }) => txHash)).toEqual([done.approvalTxHash, done.txHash])
    const inBlocks = await Promise.all(
      done.steps.map(({ txHash }) => stack.client().getTransactionReceipt({ hash: txHash as Hex })),
    )
    expect(inBlocks.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    const intents = await intentsOf(stack, payer)
    expect(intents.slice(2).map(({ purpose, status }) => [purpose, status])).toEqual([
      ['swap-approval', 'confirmed'],
      ['swap-approval', 'confirmed'],
      ['swap', 'confirmed'],
    ])
    expect(await heldOf(stack, usdc, payer.address)).toBe(parseUnits('99.7', 6))
  })
})

describe('no swap is made, and nothing is stored', () => {
  let payer: Payer
  beforeAll(async () => {
    payer = await newSwapper(stack)
  })
  afterEach(async () => expect(await intentsOf(stack, payer)).toEqual([]))

  const solana = () => ({
    chain: 'solana',
    sellToken: stack.other('solana').usdc,
    buyToken: stack.other('solana').usdt,
  })
  const keyOn = (chain: 'solana' | 'tron') => newPayer(chain).privateKey

  type Wrong = [what: string, more: () => object, error: string, field: string]
  /** With the case of its first letter changed. */
  const wrongChecksum = (address: string) =>
    address.replace(/(?<=0x.*)[a-fA-F]/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
  test.each<Wrong>([
    ['a chain without swaps', () => ({ chain: 'tron' }), 'swap_not_supported', 'chain'],
    ['an unknown chain', () => ({ chain: 'dogecoin' }), 'Invalid request body', 'chain'],
    ['an invalid key', () => ({ privateKey: 'nonsense' }), 'invalid_private_key', 'privateKey'],
    ['a key of zeros', () => ({ privateKey: '0'.repeat(64) }), 'invalid_private_key', 'privateKey'],
    ['a key of another chain', () => ({ privateKey: keyOn('solana') }), 'invalid_private_key', 'privateKey'],
    ['no key', () => ({ privateKey: undefined }), 'Invalid request body', 'privateKey'],
    [
      'equal tokens',
      () => ({ buyToken: usdc.toUpperCase().replace('0X', '0x') }),
      'Invalid request body',
      'buyToken',
    ],
    [
      'a token of another chain',
      () => ({ buyToken: stack.other('solana').usdc }),
      'wrong_chain_address',
      'buyToken',
    ],
    ['a token that is no address', () => ({ sellToken: 'usdc' }), 'invalid_address', 'sellToken'],
    ['too many decimals', () => ({ amount: '0.0000001' }), 'Invalid request body', 'amount'],
    ['an amount of zero', () => ({ amount: '0' }), 'Invalid request body', 'amount'],
    ['an amount below zero', () => ({ amount: '-1' }), 'Invalid request body', 'amount'],
    ['more than 256 bits', () => ({ amount: `1${'0'.repeat(77)}` }), 'Invalid request body', 'amount'],
    ['no slippage', () => ({ slippageBps: 0 }), 'Invalid request body', 'slippageBps'],
    ['too much slippage', () => ({ slippageBps: 5001 }), 'Invalid request body', 'slippageBps'],
    ['slippage as text', () => ({ slippageBps: '50' }), 'Invalid request body', 'slippageBps'],
    ['a recipient that is no address', () => ({ toAddress: 'me' }), 'invalid_address', 'toAddress'],
    [
      'a recipient of another chain',
      () => ({ toAddress: newPayer('solana').address }),
      'wrong_chain_address',
      'toAddress',
    ],
    [
      'no recipient on solana',
      () => ({ ...solana(), privateKey: keyOn('solana') }),
      'Invalid request body',
      'toAddress',
    ],
    [
      'a recipient of EVM on solana',
      () => ({ ...solana(), privateKey: keyOn('solana'), toAddress: payer.address }),
      'wrong_chain_address',
      'toAddress',
    ],
    ['an unknown field', () => ({ recipient: payer.address }), 'Invalid request body', 'recipient'],
    ...(['chain', 'sellToken', 'buyToken', 'amount'] as const).flatMap((field): Wrong[] => [
      [`no ${field}`, () => ({ [field]: undefined }), 'Invalid request body', field],
      [`a list for ${field}`, () => ({ [field]: ['1'] }), 'Invalid request body', field],
      [`an empty ${field}`, () => ({ [field]: '' }), 'Invalid request body', field],
    ]),
    ['a key that is a number', () => ({ privateKey: 1 }), 'Invalid request body', 'privateKey'],
    [
      'a key with a digit too much',
      () => ({ privateKey: `${payer.privateKey}0` }),
      'invalid_private_key',
      'privateKey',
    ],
    ['a fraction of a slippage', () => ({ slippageBps: 0.5 }), 'Invalid request body', 'slippageBps'],
    ['slippage below zero', () => ({ slippageBps: -1 }), 'Invalid request body', 'slippageBps'],
    ['an empty recipient', () => ({ toAddress: '' }), 'Invalid request body', 'toAddress'],
    [
      'a recipient with a wrong checksum',
      () => ({ toAddress: wrongChecksum(payer.address) }),
      'invalid_address',
      'toAddress',
    ],
    ['an exponent', () => ({ amount: '1e2' }), 'Invalid request body', 'amount'],
    ...['0', '-1', '0.0000001', '1e2', '', 1, ['1']].map(
      (minBuyAmount): Wrong => [
        `a minimum of ${JSON.stringify(minBuyAmount)}`,
        () => ({ minBuyAmount }),
        'Invalid request body',
        'minBuyAmount',
      ],
    ),
  ])('400: %s', async (_, more, error, field) => {
    const { status, body } = await refuse(payer, more())
    expect([status, body.error, body.fields?.map((each) => each.field)]).toEqual([400, error, [field]])
    expect(stack.zeroX.asked).toEqual([])
  })

  test.each<[string, () => object, string, string | undefined]>([
    [
      'a sold token that does not exist',
      () => ({ sellToken: newPayer('ethereum').address }),
      'token_not_supported',
      'sellToken',
    ],
    [
      'a bought token that does not exist',
      () => ({ buyToken: newPayer('ethereum').address }),
      'token_not_supported',
      'buyToken',
    ],
    ['more than the sender holds', () => ({ amount: '1000.000001' }), 'insufficient_balance', undefined],
    [
      'more coin than the sender holds',
      () => ({ sellToken: 'native', amount: '11' }),
      'insufficient_native_balance',
      undefined,
    ],
    ['a token as the recipient', () => ({ toAddress: usdt }), 'recipient_is_token', 'toAddress'],
    [
      'a recipient without a key',
      () => ({ toAddress: `0x${'0'.repeat(40)}` }),
      'recipient_without_key',
      'toAddress',
    ],
  ])('422: %s', async (_, more, error, field) => {
    const { status, body } = await refuse(payer, more())
    expect([status, body.error, body.fields?.[0]?.field]).toEqual([422, error, field])
    expect(stack.zeroX.asked).toEqual([])
  })

  test.each<[string, object, number, string]>([
    ['is down', { mode: 'down' }, 503, 'partner_unavailable'],
    ['is slow', { mode: 'slow' }, 503, 'partner_unavailable'],
    ['answers no JSON', { mode: 'garbage' }, 503, 'partner_unavailable'],
    ['closes the connection', { mode: 'cut' }, 503, 'partner_unavailable'],
    ['answers without an end', { mode: 'flood' }, 503, 'partner_unavailable'],
    ['limits requests', { throttled: 1 }, 503, 'partner_unavailable'],
    [
      'has no liquidity',
      { refusal: { status: 200, body: { liquidityAvailable: false } } },
      422,
      'no_liquidity',
    ],
    [
      'refuses the taker',
      { refusal: { status: 422, body: { name: 'TAKER_NOT_AUTHORIZED_FOR_TRADE', message: 'x' } } },
      422,
      'provider_refused',
    ],
    [
      'swaps less than was requested',
      { lie: (answer: object) => ({ ...answer, sellAmount: '1' }) },
      422,
      'unsafe_answer',
    ],
  ])('the provider %s', async (_, mode, status, error) => {
    Object.assign(stack.zeroX, mode)
    const refused = await refuse(payer, {})
    expect([refused.status, refused.body.error]).toEqual([status, error])
    if (status === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('coin for the swap, but not for its fee', async () => {
    const poor = await newSwapper(stack, { USDC: '1000' })
    const { status, body } = await refuse(poor, {})
    expect([status, body.error]).toEqual([422, 'insufficient_native_balance'])
    expect(await intentsOf(stack, poor)).toEqual([])
  })

  test('quotes of a provider do not wait for the other one', async () => {
    Object.assign(stack.zeroX, { mode: 'slow' })
    const waiting = refuse(payer, {})
    const begun = Date.now()
    const { amount, sellToken, buyToken, chain } = { ...swapBody(stack, payer), ...solana() }
    expect(
      (await stack.api('POST', '/crypto/swaps/quote', { amount, sellToken, buyToken, chain })).status,
    ).toBe(200)
    expect(Date.now() - begun).toBeLessThan(2000)
    expect((await waiting).status).toBe(503)
  })
})

test('the key is in no row, no log and no answer', async () => {
  const payer = await newSwapper(stack)
  const { body } = await execute(stack, payer, {}, 'swap-canary')
  await swapEnds(stack, body.id)
  const key = payer.privateKey.slice(2)
  const tables = await stack.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  for (const { name } of tables) {
    const [found] = await stack.db.query(
      `select 1 from "${name}" t where t::text ilike '%' || $1 || '%' limit 1`,
      [key],
    )
    expect([name, found]).toEqual([name, undefined])
  }
  expect(stack.logs()).not.toContain(key)
  expect(JSON.stringify(stack.receiver.received)).not.toContain(key)
})
