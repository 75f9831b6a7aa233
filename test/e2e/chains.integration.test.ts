import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, parseAbi, parseUnits } from 'viem'
import { balanceOf } from '../../src/ledger/balance.ts'
import { type EvmChainName, type EvmDevnet, evmChainNames } from '../devnets/evm.ts'
import { effectsOn } from '../support/outcome.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  // Every chain uses its own confirmation rule here, as in production.
  stack = await createStack({ chains: [...evmChainNames], processes: ['cowry'], finalizedTag: true })
})
afterAll(() => stack?.close())

/**
 * Blocks until a payment is confirmed, its own counted. anvil's finalized block is the eighth below the head.
 */
const depths: Record<EvmChainName, number> = {
  ethereum: 12,
  polygon: 9,
  bsc: 15,
  base: 12,
  arbitrum: 30,
  optimism: 30,
}
const decimals = (chain: EvmChainName) => (chain === 'bsc' ? 18 : 6)

const offered = evmChainNames.flatMap((chain) =>
  (chain === 'base' ? ['USDC'] : ['USDC', 'USDT']).map((token) => ({ chain, token })),
)

function devnetOf(chain: EvmChainName): EvmDevnet {
  const devnet = stack.devnets.get(chain)
  if (!devnet) throw new Error(`no ${chain}`)
  return devnet
}

/** The business's pending and available balance of an asset. */
async function held(asset: string): Promise<bigint> {
  const of = (name: 'pending' | 'available') =>
    balanceOf(stack.db, { name, businessId: stack.businessId, asset })
  return (await of('pending')) + (await of('available'))
}

/** The webhook of a type about this session. */
const webhookOf = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () =>
    stack.receiver.about(session.id).find((event) => event.type === type),
  )

// Blocks come faster than seconds pass, and each is a second later by its own clock.
const create = (body: object) => stack.createSession({ expirySeconds: 3600, ...body })

test('offers USDC on each of the six chains, USDT on five', async () => {
  expect(offered).toHaveLength(11)
  const refused = await stack.api('POST', '/pos/sessions', { chain: 'base', token: 'USDT', amount: '1' })
  expect(refused.status).toBe(400)
})

// The chains run at the same time.
const payments = createParallelTests()

describe('a session in each offered token on each of the six chains, paid with viem, becomes paid', () => {
  for (const { chain, token } of offered)
    payments.test(chain, `${token} on ${chain}`, async () => {
      const asset = `${chain}:${token}`
      const amount = decimals(chain) === 18 ? '7.000000000000000001' : '7.000001'
      const units = parseUnits(amount, decimals(chain))
      const { usdc, usdt, chainId } = devnetOf(chain)
      const contract = (token === 'USDC' ? usdc : usdt) as Address
      const before = await held(asset)
      const session = await create({ chain, token, amount })
      expect(session).toMatchObject({ chain, token, amountExpected: amount, status: 'pending' })
      expect(String(session.paymentUri).toLowerCase()).toBe(
        `ethereum:${contract}@${chainId}/transfer?address=${session.address.toLowerCase()}&uint256=${units}`,
      )

      const txId = await stack.send(session.address, units, { chain, token: contract })
      await stack.mine(depths[chain] - 1, chain)
      await stack.caughtUp(undefined, chain)
      await webhookOf(session, 'session.detected')
      await stack.idle()
      expect(await stack.session(session.id)).toMatchObject({
        status: 'pending',
        exception: 'none',
        amountReceived: amount,
        confirmations: depths[chain] - 1,
        payments: [{ status: 'seen' }],
      })
      expect(await held(asset)).toBe(before)

      await stack.mine(1, chain)
      const paid = await stack.sessionIs(session.id, 'paid')
      expect(paid.amountReceived).toBe(amount)
      expect(paid.payments).toMatchObject([
        { txId, chain, token, amount, status: 'confirmed', exception: 'none' },
      ])
      expect((await webhookOf(session, 'transaction.confirmed')).data).toMatchObject({
        chain,
        symbol: token,
        amount,
        txId,
      })
      await webhookOf(session, 'session.paid')
      await stack.idle()
      expect((await effectsOn(stack, [session.id])).get(session.id)).toEqual({
        detections: 1,
        credits: 1,
        status: 'paid',
        paidEvents: 1,
        paidDeliveries: 1,
      })
      expect(await held(asset)).toBe(before + units)
    })
})

payments.test(
  'polygon',
  'Polygon waits for the finalized tag: the session is paid once the tag has reached its block, and not one block before',
  async () => {
    const tag = async () => Number((await stack.client('polygon').getBlock({ blockTag: 'finalized' })).number)
    const session = await create({ chain: 'polygon', amount: '3' })
    await stack.send(session.address, 3_000_000n, { chain: 'polygon' })
    await stack.mine(1, 'polygon')
    const height = await stack.height('polygon')
    while ((await tag()) < height) {
      await stack.mine(1, 'polygon')
      if ((await tag()) === height) break
      await stack.caughtUp(undefined, 'polygon')
      await stack.idle()
      expect((await stack.session(session.id)).status).toBe('pending')
    }
    await stack.sessionIs(session.id, 'paid')
    expect((await stack.height('polygon')) - height).toBe(8)
  },
)

describe('USDC sent to a session’s address on the wrong EVM chain is reported as wrong_chain', () => {
  const parallel = createParallelTests()
  // Two of them concern BNB Chain.
  for (const { track, asked, sent } of [
    { track: 'one', asked: 'ethereum', sent: 'bsc' },
    { track: 'one', asked: 'bsc', sent: 'polygon' },
    { track: 'other', asked: 'base', sent: 'optimism' },
  ] as const)
    parallel.test(track, `expected on ${asked}, sent on ${sent}`, async () => {
      const units = parseUnits('10', decimals(sent))
      const [before, beforeAsked] = [await held(`${sent}:USDC`), await held(`${asked}:USDC`)]
      const session = await create({ chain: asked, token: 'USDC', amount: '10' })
      const txId = await stack.send(session.address, units, { chain: sent })
      await stack.mine(depths[sent], sent)
      const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_chain')
      expect(wrong).toMatchObject({ chain: asked, amountReceived: '0', paidAt: null })
      const payment = { txId, chain: sent, token: 'USDC', amount: '10', exception: 'wrong_chain' }
      expect(wrong.payments).toMatchObject([payment])
      expect((await webhookOf(session, 'transaction.detected')).data).toMatchObject({
        chain: sent,
        symbol: 'USDC',
        amount: '10',
        txId,
        exception: 'wrong_chain',
        sessionId: session.id,
      })

      await waitFor('the credit', async () => (await held(`${sent}:USDC`)) === before + units)
      // Blocks of the session's own chain must not change this.
      await stack.mine(depths[asked], asked)
      await stack.caughtUp(undefined, asked)
      await stack.idle()
      expect(await stack.session(session.id)).toMatchObject({
        status: 'pending',
        exception: 'wrong_chain',
        payments: [{ ...payment, status: 'confirmed' }],
      })
      expect([await held(`${sent}:USDC`), await held(`${asked}:USDC`)]).toEqual([before + units, beforeAsked])
      expect(stack.receiver.types(session.id)).not.toContain('session.paid')

      // The right payment still counts, and alone.
      await stack.send(session.address, parseUnits('10', decimals(asked)), { chain: asked })
      await stack.mine(depths[asked], asked)
      const paid = await stack.sessionIs(session.id, 'paid', 'wrong_chain')
      expect(paid.amountReceived).toBe('10')
      await waitFor(
        'both credits',
        async () => (await held(`${asked}:USDC`)) === beforeAsked + parseUnits('10', decimals(asked)),
      )
      expect(await held(`${sent}:USDC`)).toBe(before + units)
    })
})

/**
 * Mines until the payment is confirmed, and expects the session and the webhook to show it as the wrong
 * asset.
 */
async function expectWrongToken(
  session: SessionBody,
  payment: { txId: string; token: string; amount: string },
): Promise<void> {
  const chain = session.chain as EvmChainName
  await stack.mine(depths[chain], chain)
  const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_token')
  expect(wrong).toMatchObject({ amountReceived: '0', paidAt: null })
  expect(wrong.payments).toMatchObject([{ ...payment, chain, exception: 'wrong_token' }])
  const { token: symbol, ...rest } = payment
  expect((await webhookOf(session, 'transaction.detected')).data).toMatchObject({
    ...rest,
    symbol,
    chain,
    exception: 'wrong_token',
    sessionId: session.id,
  })
  await waitFor(
    'its confirmation',
    async () => (await stack.session(session.id)).payments[0]?.status === 'confirmed',
  )
  expect(await stack.session(session.id)).toMatchObject({
    status: 'pending',
    exception: 'wrong_token',
    amountReceived: '0',
  })
}

const otherTokens = createParallelTests()

describe('a bridged token is not accepted: wrong_token', () => {
  for (const { chain, token } of [
    { chain: 'polygon', token: 'USDC.e' },
    { chain: 'arbitrum', token: 'USDC.e' },
    { chain: 'optimism', token: 'USDT.e' },
  ] as const)
    otherTokens.test(chain, `${token} on ${chain}`, async () => {
      const { bridgedUsdc, bridgedUsdt } = devnetOf(chain)
      const session = await create({ chain, token: token.slice(0, 4), amount: '10' })
      const txId = await stack.send(session.address, 10_000_000n, {
        chain,
        token: (token === 'USDC.e' ? bridgedUsdc : bridgedUsdt) as Address,
      })
      await expectWrongToken(session, { txId, token, amount: '10' })
    })
})

describe('the native coin is not a payment: wrong_token', () => {
  const half = parseUnits('0.5', 18)
  const forwarder = parseAbi([
    'function pay(address to) payable',
    'function payMany(address[] to, uint256[] amounts) payable',
    'function payOrFail(address to) payable',
    'function vanish(address to) payable',
  ])
  const byForwarder = (session: SessionBody, functionName: 'pay' | 'payOrFail' | 'vanish') => {
    const chain = session.chain as EvmChainName
    return stack.wallet(chain).writeContract({
      address: devnetOf(chain).forwarder,
      abi: forwarder,
      functionName,
      args: [session.address],
      value: half,
      gas: 500_000n,
    })
  }
  const coins = [
    { chain: 'ethereum', coin: 'ETH' },
    { chain: 'polygon', coin: 'POL' },
    { chain: 'bsc', coin: 'BNB' },
  ] as const

  for (const { chain, coin } of coins)
    otherTokens.test(chain, `${coin} on ${chain} by a transaction of its own`, async () => {
      const session = await create({ chain, amount: '10' })
      const txId = await stack.sendNative(session.address, half, { chain })
      await expectWrongToken(session, { txId, token: coin, amount: '0.5' })
    })

  for (const { chain, coin } of coins)
    otherTokens.test(chain, `${coin} on ${chain} by a contract’s internal call`, async () => {
      const session = await create({ chain, amount: '10' })
      const txId = await byForwarder(session, 'pay')
      await expectWrongToken(session, { txId, token: coin, amount: '0.5' })
    })

  otherTokens.test('ethereum', 'a contract that destroys itself in favour of the address', async () => {
    const session = await create({ amount: '10' })
    const txId = await byForwarder(session, 'vanish')
    await expectWrongToken(session, { txId, token: 'ETH', amount: '0.5' })
  })

  otherTokens.test('ethereum', 'two internal calls of one transaction are two payments', async () => {
    const sessions = [await create({ amount: '10' }), await create({ amount: '10' })]
    await stack.wallet().writeContract({
      address: stack.devnet.forwarder,
      abi: forwarder,
      functionName: 'payMany',
      args: [
        [...sessions, ...sessions].map((session) => session.address),
        [half, half, half / 2n, half / 2n],
      ],
      value: half * 3n,
      gas: 500_000n,
    })
    await stack.mine(depths.ethereum)
    for (const { id } of sessions) {
      const wrong = await waitFor('both', async () => {
        const session = await stack.session(id)
        return session.payments.length === 2 && session
      })
      expect(wrong.payments.map((payment) => payment.amount).sort()).toEqual(['0.25', '0.5'])
    }
  })

  otherTokens.test(
    'ethereum',
    'a reverted internal call leaves nothing, though its transaction succeeded',
    async () => {
      const session = await create({ amount: '10' })
      const hash = await byForwarder(session, 'payOrFail')
      await stack.mine(depths.ethereum)
      expect((await stack.client().getTransactionReceipt({ hash })).status).toBe('success')
      await stack.caughtUp()
      await stack.idle()
      expect(await stack.session(session.id)).toMatchObject({
        status: 'pending',
        exception: 'none',
        amountReceived: '0',
        payments: [],
      })
      expect(stack.receiver.types(session.id)).toEqual([])
    },
  )
})
