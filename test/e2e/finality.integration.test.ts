import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, parseUnits } from 'viem'
import { chooseFinality } from '../support/apiKeyHeaders.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'

// The finality of payments, by their amount.

let stack: Stack
const confirmations = 3

beforeAll(async () => {
  stack = await createStack({
    processes: ['cowry'],
    confirmations,
    env: { ETHEREUM_MIN_CONFIRMATIONS: '1', ETHEREUM_EARLY_UP_TO: '50', ETHEREUM_LARGE_FROM: '10000' },
  })
})
afterAll(() => stack?.close())

const choose = (rules: object[]) => chooseFinality(stack, rules)
const usdc = (amount: string) => parseUnits(amount, 6)

async function settled(): Promise<void> {
  await stack.caughtUp()
  await stack.idle()
}
async function pay(amount: string, to: Address): Promise<void> {
  await stack.send(to, usdc(amount))
  await stack.mine()
  await settled()
}
const statusOf = async ({ id }: SessionBody) => (await stack.session(id)).status

test('without rules each chain keeps its own', async () => {
  expect((await stack.api('GET', '/settings/finality')).body).toEqual({
    chains: [
      {
        chain: 'ethereum',
        finality: 'confirmations',
        confirmations,
        early: null,
        largeFrom: null,
        bounds: { leastConfirmations: 1, earlyUpTo: '50', largeFrom: '10000' },
      },
    ],
  })
  const session = await stack.createSession({ amount: '10' })
  expect(session).toMatchObject({ requiredConfirmations: confirmations, finality: 'confirmations' })
  await pay('10', session.address)
  expect(await statusOf(session)).toBe('pending')
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
})

describe('with rules', () => {
  beforeAll(async () => {
    expect(
      await choose([{ chain: 'ethereum', early: { upTo: '20', confirmations: 1 }, largeFrom: '1000' }]),
    ).toMatchObject({
      status: 200,
      body: { chains: [{ early: { upTo: '20', confirmations: 1 }, largeFrom: '1000' }] },
    })
  })

  test('a small amount is accepted in its first block', async () => {
    const session = await stack.createSession({ amount: '20' })
    expect(session).toMatchObject({ requiredConfirmations: 1, finality: 'confirmations' })
    await pay('20', session.address)
    await stack.sessionIs(session.id, 'paid')
  })

  test('a medium one keeps the rule of its chain', async () => {
    const session = await stack.createSession({ amount: '20.000001' })
    expect(session.requiredConfirmations).toBe(confirmations)
    await pay('20.000001', session.address)
    expect(await statusOf(session)).toBe('pending')
    await stack.mine(2)
    await stack.sessionIs(session.id, 'paid')
  })

  test('a large one waits until the chain calls its block finalized, and its session stays open past its expiry', async () => {
    const session = await stack.createSession({ amount: '1000', expirySeconds: 300 })
    expect(session).toMatchObject({ finality: 'finalized' })
    await pay('1000', session.address)
    // The chain's own rule is fulfilled, and the session's time over: the payment is seen, and the session
    // stays open.
    await stack.mineAt(new Date(Date.parse(session.expiresAt) + 60_000))
    await stack.mine(confirmations)
    await settled()
    expect(await stack.session(session.id)).toMatchObject({
      status: 'pending',
      payments: [{ status: 'seen', requiredConfirmations: null }],
    })
    // anvil calls a block finalized when it is eight deep.
    await stack.mine(6)
    await stack.sessionIs(session.id, 'paid')
  })

  test('many small payments cannot make a large session final early', async () => {
    const session = await stack.createSession({ amount: '100' })
    await pay('10', session.address)
    expect((await stack.session(session.id)).payments).toMatchObject([
      { status: 'seen', requiredConfirmations: confirmations },
    ])
  })

  test('many small payments to a small session are early only up to a limit', async () => {
    const session = await stack.createSession({ amount: '10' })
    await pay('15', session.address)
    await stack.sessionIs(session.id, 'paid', 'overpaid')
    await pay('15', session.address)
    expect((await stack.session(session.id)).payments).toMatchObject([
      { status: 'confirmed', requiredConfirmations: 1 },
      { status: 'seen', requiredConfirmations: confirmations },
    ])
  })

  test('a large payment to a small session waits like a large one', async () => {
    const session = await stack.createSession({ amount: '10' })
    await pay('5000', session.address)
    expect((await stack.session(session.id)).payments).toMatchObject([
      { status: 'seen', requiredConfirmations: null },
    ])
    await stack.mine(9)
    await stack.sessionIs(session.id, 'paid', 'overpaid')
  })

  test('a small payment that a fork removes is reversed', async () => {
    const session = await stack.createSession({ amount: '20' })
    await pay('20', session.address)
    await stack.sessionIs(session.id, 'paid')
    await fetch(stack.devnet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [1, []] }),
    })
    await stack.sessionIs(session.id, 'pending')
  })

  test('a session keeps the rule of its creation', async () => {
    const session = await stack.createSession({ amount: '20' })
    expect((await choose([])).status).toBe(200)
    await pay('20', session.address)
    await stack.sessionIs(session.id, 'paid')
    expect((await stack.createSession({ amount: '20' })).requiredConfirmations).toBe(confirmations)
  })
})

describe('rules out of bounds are refused, name the field and change nothing', () => {
  test.each([
    [
      'earlier than the operator allows',
      { chain: 'ethereum', early: { upTo: '50.01', confirmations: 1 } },
      'rules.0.early.upTo',
    ],
    [
      'fewer confirmations than one',
      { chain: 'ethereum', early: { upTo: '1', confirmations: 0 } },
      'confirmations',
    ],
    ['large above the limit', { chain: 'ethereum', largeFrom: '10000.01' }, 'rules.0.largeFrom'],
    [
      'large below early',
      { chain: 'ethereum', early: { upTo: '20', confirmations: 1 }, largeFrom: '20' },
      'rules.0.largeFrom',
    ],
    ['an unavailable chain', { chain: 'base', largeFrom: '20' }, 'rules.0.chain'],
    ['more decimals than a token has', { chain: 'ethereum', largeFrom: '20.0000001' }, 'rules.0.largeFrom'],
    ['a misspelt field', { chain: 'ethereum', larggeFrom: '20' }, 'larggeFrom'],
  ])('%s', async (_what, rule, field) => {
    const before = (await stack.api('GET', '/settings/finality')).body
    const answer = await choose([rule])
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: [{ field: expect.stringContaining(field) }] },
    })
    expect((await stack.api('GET', '/settings/finality')).body).toEqual(before)
  })

  test('two rules for one chain', async () => {
    expect(await choose([{ chain: 'ethereum' }, { chain: 'ethereum' }])).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'rules.1.chain' }] },
    })
  })
})
