import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, parseAbi } from 'viem'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { businessModel } from '../../src/businesses/model.ts'
import { newId } from '../../src/platform/ids.ts'
import { rpc } from '../devnets/evm.ts'
import { createStack, type Stack } from '../support/stack.ts'

// GET /chains/{chain}/transactions/{txId}/explain: where is my payment?

interface Explanation {
  outcome: string
  message: string
  otherChain: string | null
  block: { height: number; confirmations: number } | null
  movements: {
    outcome: string
    message: string
    internal: boolean
    token: string | null
    amount: string | null
    baseUnits: string
    requiredConfirmations: number | null
    session: { id: string; status: string } | null
  }[]
  movementsTotal: number
}

let stack: Stack
let otherBusiness: Record<string, string>
const unit = 1_000_000n

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'polygon'], processes: ['cowry'], confirmations: 3 })
  const businessId = newId()
  await businessModel(stack.db.sequelize).create({
    id: businessId,
    name: 'S',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  otherBusiness = {
    'x-api-key': (
      await createApiKey(stack, { businessId, name: 's', scope: 'read', environment: 'test' })
    ).reveal(),
  }
})
afterAll(() => stack?.close())

const ask = (
  txId: string,
  { chain = 'ethereum', headers = {} }: { chain?: string; headers?: Record<string, string> } = {},
) => stack.api<Explanation>('GET', `/chains/${chain}/transactions/${txId}/explain`, undefined, headers)
async function explain(txId: string, options: Parameters<typeof ask>[1] = {}): Promise<Explanation> {
  const answer = await ask(txId, options)
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return answer.body
}

test('not found: no node knows it, and the message names the possible reasons', async () => {
  expect(await explain(`0x${'ab'.repeat(32)}`)).toMatchObject({
    outcome: 'not_found',
    block: null,
    movements: [],
    otherChain: null,
  })
})

test('pending: sent, in no block yet, with the session that it is meant for', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n * unit)
  const pending = await explain(txId)
  expect(pending).toMatchObject({
    outcome: 'pending',
    block: null,
    movements: [{ token: 'USDC', amount: '10', session: { id: session.id } }],
  })
  await stack.mine()
})

test('not final, then credited: with confirmations counted up to those required', async () => {
  const session = await stack.createSession({ amount: '10', reference: 'order-7' })
  const txId = await stack.send(session.address, 10n * unit)
  await stack.mine()
  await stack.caughtUp()
  await stack.idle()
  expect(await explain(txId)).toMatchObject({
    outcome: 'not_final',
    message: expect.stringContaining('1 of 3 confirmations'),
    block: { confirmations: 1 },
    movements: [{ requiredConfirmations: 3, session: { id: session.id, status: 'pending' } }],
  })
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  const credited = await explain(txId)
  expect(credited).toMatchObject({
    outcome: 'credited',
    message: `It is credited to session ${session.id}.`,
    block: { confirmations: 3 },
    movementsTotal: 1,
  })
  expect(credited.movements[0]).toMatchObject({
    session: { id: session.id, status: 'paid', reference: 'order-7' },
  })
  // Case does not matter.
  expect((await explain(txId.toUpperCase().replace('0X', '0x'))).outcome).toBe('credited')
})

test('another business learns where it went on the chain, and nothing of the session that it paid', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n * unit)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  const seen = await explain(txId, { headers: otherBusiness })
  expect(seen).toMatchObject({
    outcome: 'not_watched',
    movements: [{ outcome: 'not_watched', session: null, requiredConfirmations: null }],
  })
  expect(JSON.stringify(seen)).not.toContain(session.id)
})

test('a transaction of another chain: names the chain', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n * unit, {
    chain: 'polygon',
    token: stack.devnets.get('polygon')?.usdc as Address,
  })
  await stack.mine(1, 'polygon')
  expect(await explain(txId)).toMatchObject({ outcome: 'other_chain', otherChain: 'polygon' })
})

test('wrong chain: the right token to the right address on another chain than the session expects', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n * unit, {
    chain: 'polygon',
    token: stack.devnets.get('polygon')?.usdc as Address,
  })
  await stack.mine(4, 'polygon')
  await stack.caughtUp(undefined, 'polygon')
  await stack.idle()
  expect(await explain(txId, { chain: 'polygon' })).toMatchObject({
    outcome: 'wrong_chain',
    message: expect.stringMatching(
      /expects its payment on ethereum, and this came on polygon.*credited to you all the same/,
    ),
    movements: [{ session: { id: session.id } }],
  })
})

test('wrong token: another accepted one, a bridged one, the native coin, and an unknown one', async () => {
  const session = await stack.createSession({ amount: '10' })
  const usdt = await stack.send(session.address, unit, { token: stack.devnet.usdt as Address })
  const fake = await stack.send(session.address, unit, { token: stack.devnet.fakeUsdc })
  const native = await stack.sendNative(session.address, 5n)
  await stack.mine(3)
  await stack.caughtUp()
  await stack.idle()
  expect(await explain(usdt)).toMatchObject({
    outcome: 'wrong_token',
    message: expect.stringContaining('expects USDC, and this is USDT'),
  })
  expect(await explain(native)).toMatchObject({
    outcome: 'wrong_token',
    movements: [{ token: 'ETH', baseUnits: '5', internal: false }],
  })
  expect(await explain(fake)).toMatchObject({
    outcome: 'wrong_token',
    message: expect.stringContaining('was not credited'),
    movements: [{ token: null, amount: null, baseUnits: '1000000' }],
  })
})

test('internal: native coin that a contract forwarded', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.wallet('ethereum').writeContract({
    address: stack.devnet.forwarder,
    abi: parseAbi(['function pay(address to) payable']),
    functionName: 'pay',
    args: [session.address],
    value: 7n,
    gas: 200_000n,
  })
  await stack.mine(3)
  await stack.caughtUp()
  await stack.idle()
  expect(await explain(txId)).toMatchObject({
    outcome: 'wrong_token',
    movements: [
      { internal: true, token: 'ETH', baseUnits: '7', session: { id: session.id } },
      { internal: false, outcome: 'not_watched' },
    ],
  })
})

test('zero value: it moves nothing', async () => {
  const session = await stack.createSession({ amount: '10' })
  const token = await stack.send(session.address, 0n)
  const native = await stack.sendNative(session.address, 0n)
  await stack.mine()
  for (const txId of [token, native])
    expect(await explain(txId)).toMatchObject({ outcome: 'zero_value', movements: [{ baseUnits: '0' }] })
})

test('failed: it reverted, with what it would have paid', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n ** 30n)
  await stack.mine()
  expect(await explain(txId)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('received nothing'),
    movements: [{ session: { id: session.id }, amount: `1${'0'.repeat(24)}` }],
  })
})

test('not watched: not an address of the business', async () => {
  const txId = await stack.send('0x00000000000000000000000000000000000000aa', unit)
  await stack.mine()
  expect(await explain(txId)).toMatchObject({ outcome: 'not_watched', movements: [{ session: null }] })
})

test('late: after the session had expired, and still credited', async () => {
  const session = await stack.createSession({ amount: '10', expirySeconds: 300 })
  await stack.mineAt(new Date(Date.parse(session.expiresAt) + 60_000))
  await stack.mine(3)
  await stack.sessionIs(session.id, 'expired')
  const txId = await stack.send(session.address, 10n * unit)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'expired', 'late')
  await stack.caughtUp()
  await stack.idle()
  expect(await explain(txId)).toMatchObject({
    outcome: 'late',
    message: expect.stringMatching(/had expired.*credited to you all the same/),
  })
})

test('reverted: a fork removed it and no node has it now', async () => {
  const session = await stack.createSession({ amount: '10' })
  const txId = await stack.send(session.address, 10n * unit)
  await stack.mine(2)
  await stack.caughtUp()
  await stack.idle()
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [2, []])
  await stack.mine()
  await stack.caughtUp()
  await stack.idle()
  expect(await explain(txId)).toMatchObject({
    outcome: 'reverted',
    message: expect.stringContaining('a fork'),
  })
})

describe('bad input', () => {
  test.each([
    ['an unknown chain', '/chains/dogecoin/transactions/0x00/explain', 'chain'],
    ['a chain that is not configured', `/chains/base/transactions/0x${'ab'.repeat(32)}/explain`, 'chain'],
    ['an invalid id', '/chains/ethereum/transactions/0x1234/explain', 'txId'],
    ['an address', `/chains/ethereum/transactions/0x${'ab'.repeat(20)}/explain`, 'txId'],
  ])('%s is a 400 that names the field', async (_what, path, field) => {
    expect(await stack.api('GET', path)).toMatchObject({
      status: 400,
      body: { fields: [{ field: expect.stringContaining(field) }] },
    })
  })
})

describe('without an indexer', () => {
  beforeAll(async () => {
    await stack.stop('cowry')
    await Promise.all([
      stack.start('api'),
      stack.start('api', { ETHEREUM_RPC_URLS: 'http://127.0.0.1:9' }, { as: 'api-without-nodes' }),
    ])
  })

  test('not read: the chain has the block and the indexer is down', async () => {
    const session = await stack.createSession({ amount: '10' })
    const txId = await stack.send(session.address, 10n * unit)
    await stack.mine()
    expect(await explain(txId)).toMatchObject({
      outcome: 'not_read',
      message: expect.stringContaining('has not read yet'),
    })
  })

  test('unreachable nodes are a 503 with Retry-After', async () => {
    const answer = await fetch(
      `http://127.0.0.1:${stack.processes.get('api-without-nodes')?.port()}/api/v1/chains/ethereum/transactions/0x${'ab'.repeat(32)}/explain`,
      { headers: { 'x-api-key': stack.apiKey } },
    )
    const { error } = (await answer.json()) as { error: string }
    expect([answer.status, answer.headers.get('retry-after'), error]).toEqual([503, '5', 'chain_unavailable'])
  })
})
