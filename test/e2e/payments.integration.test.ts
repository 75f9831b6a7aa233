import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, parseAbi } from 'viem'
import { balanceOf } from '../../src/ledger/balance.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['cowry'], confirmations: 3 })
})
afterAll(() => stack?.close())

const unit = 1_000_000n
const usdt = () => stack.devnet.usdt as Address
const available = (token = 'USDC') =>
  balanceOf(stack.db, { name: 'available', businessId: stack.businessId, asset: `ethereum:${token}` })
const pending = (token = 'USDC') =>
  balanceOf(stack.db, { name: 'pending', businessId: stack.businessId, asset: `ethereum:${token}` })

/**
 * The webhooks of a session, once one of this type and those before it have arrived: several are under way at
 * once.
 */
async function eventTypes(session: SessionBody, type: string): Promise<string[]> {
  await waitFor(`webhook ${type}`, async () => stack.receiver.types(session.id).includes(type))
  await stack.idle()
  return stack.receiver.types(session.id)
}

test('the exact amount makes a session paid after the configured confirmations, not before', async () => {
  const before = await available()
  const session = await stack.createSession({
    amount: '25.5',
    label: 'Table 4',
    reference: 'order-1',
    metadata: { order: 1 },
  })
  expect(session).toMatchObject({
    status: 'pending',
    amountExpected: '25.5',
    requiredConfirmations: 3,
    label: 'Table 4',
    reference: 'order-1',
    metadata: { order: 1 },
  })
  expect(session.paymentUri).toBe(
    `ethereum:${await checksum(stack.devnet.usdc)}@31337/transfer?address=${session.address}&uint256=25500000`,
  )
  const txId = await stack.send(session.address, 25_500_000n)
  await stack.mine(2)
  const seen = await waitFor('two confirmations', async () => {
    const now = await stack.session(session.id)
    return now.confirmations === 2 && now
  })
  expect(seen).toMatchObject({
    status: 'pending',
    exception: 'none',
    amountReceived: '25.5',
    payments: [{ txId, amount: '25.5', status: 'seen' }],
  })
  await stack.idle()
  expect(stack.receiver.types(session.id)).toEqual(['transaction.detected', 'session.detected'])
  expect(await available()).toBe(before)

  await stack.mine()
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(paid).toMatchObject({ confirmations: 3, payments: [{ status: 'confirmed', exception: 'none' }] })
  expect(paid.paidAt).not.toBeNull()
  expect(await eventTypes(session, 'session.paid')).toEqual([
    'transaction.detected',
    'session.detected',
    'transaction.confirmed',
    'session.paid',
  ])
  expect(await available()).toBe(before + 25_500_000n)
})

test('a USDT payment counts though its transfer returns nothing', async () => {
  const session = await stack.createSession({ token: 'USDT', amount: '7' })
  await stack.send(session.address, 7n * unit, { token: usdt() })
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  expect(await available('USDT')).toBe(7n * unit)
})

test('one base unit short stays pending and underpaid; the missing unit makes it paid', async () => {
  const session = await stack.createSession({ amount: '10' })
  await stack.send(session.address, 10n * unit - 1n)
  await stack.mine(3)
  const short = await stack.sessionIs(session.id, 'pending', 'underpaid')
  expect(short.amountReceived).toBe('9.999999')
  await waitFor('the confirmed part to be held as pending', async () => (await pending()) === 10n * unit - 1n)
  await stack.send(session.address, 1n)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  expect(await pending()).toBe(0n)
})

test('two halves make a session paid', async () => {
  const session = await stack.createSession({ amount: '10' })
  await stack.send(session.address, 5n * unit)
  await stack.mine()
  await stack.send(session.address, 5n * unit)
  await stack.mine(3)
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(paid.payments.map((payment) => payment.amount)).toEqual(['5', '5'])
})

test('two transfers in one transaction both count', async () => {
  const session = await stack.createSession({ amount: '10' })
  await stack.wallet().writeContract({
    address: stack.devnet.batch,
    abi: parseAbi(['function send(address token, address[] to, uint256[] amounts)']),
    functionName: 'send',
    args: [stack.devnet.usdc, [session.address, session.address], [4n * unit, 6n * unit]],
    gas: 300_000n,
  })
  await stack.mine(3)
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(new Set(paid.payments.map((payment) => payment.txId)).size).toBe(1)
  expect(paid.payments.map((payment) => payment.amount).sort()).toEqual(['4', '6'])
})

test('more than the amount makes it paid and overpaid; what was requested is credited, the excess held', async () => {
  const before = await available()
  const session = await stack.createSession({ amount: '10' })
  await stack.send(session.address, 12n * unit)
  await stack.mine(3)
  const paid = await stack.sessionIs(session.id, 'paid', 'overpaid')
  expect(paid.amountReceived).toBe('12')
  expect(await eventTypes(session, 'session.overpaid')).toEqual([
    'transaction.detected',
    'session.detected',
    'transaction.confirmed',
    'session.paid',
    'session.overpaid',
  ])
  expect(await available()).toBe(before + 10n * unit)
  expect((await stack.api<SessionBody>('GET', `/pos/sessions/${session.id}`)).body.held).toMatchObject({
    amount: '2',
  })
})

test('another token of the registry is shown as wrong_token, does not pay, and is credited when the session ends', async () => {
  const before = await available('USDT')
  const session = await stack.createSession({ amount: '10', token: 'USDC' })
  await stack.send(session.address, 10n * unit, { token: usdt() })
  await stack.mine(3)
  const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_token')
  expect(wrong).toMatchObject({
    amountReceived: '0',
    payments: [{ token: 'USDT', exception: 'wrong_token' }],
  })
  await stack.send(session.address, 10n * unit)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid', 'wrong_token')
  expect(await available('USDT')).toBe(before + 10n * unit)
})

test('a fake USDC, a zero transfer and a reverted one leave nothing', async () => {
  const session = await stack.createSession({ amount: '10' })
  await stack.send(session.address, 10n * unit, { token: stack.devnet.fakeUsdc })
  await stack.send(session.address, 0n)
  await stack.send(session.address, 10n ** 30n) // More than the balance: reverts.
  await stack.mine(4)
  await stack.caughtUp()
  await stack.idle()
  expect(await stack.session(session.id)).toMatchObject({
    status: 'pending',
    exception: 'none',
    amountReceived: '0',
    payments: [],
  })
  expect(stack.receiver.types(session.id)).toEqual([])
})

test('money mined after the deadline is late: the session is expired, the business is credited', async () => {
  const before = await available()
  const late = await stack.createSession({ amount: '10', expirySeconds: 30 })
  const inTime = await stack.createSession({ amount: '10', expirySeconds: 40 })
  const deadline = new Date(inTime.expiresAt)
  // Mined in time, confirmed only after the deadline by the chain's clock.
  await stack.send(inTime.address, 10n * unit)
  await stack.mineAt(new Date(deadline.getTime() - 2000))
  await stack.send(late.address, 10n * unit)
  await stack.mineAt(new Date(deadline.getTime() + 60_000))
  await stack.caughtUp()
  expect((await stack.session(inTime.id)).status).toBe('pending')
  await stack.mine(4)
  await stack.sessionIs(inTime.id, 'paid')
  await stack.sessionIs(late.id, 'expired', 'late')
  expect(await eventTypes(late, 'session.late')).toEqual(
    expect.arrayContaining(['session.expired', 'session.late']),
  )
  await waitFor('both credited', async () => (await available()) === before + 20n * unit)
})

test('an unpaid session expires by the chain’s own time', async () => {
  const session = await stack.createSession({ amount: '10', expirySeconds: 600 })
  const head = (await (
    await fetch(stack.devnet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}',
    })
  ).json()) as { result: { timestamp: string } }
  const chainNow = Number(head.result.timestamp) * 1000
  await stack.mineAt(new Date(Math.max(chainNow, Date.parse(session.expiresAt)) + 5000))
  await stack.caughtUp()
  expect((await stack.session(session.id)).status).toBe('pending')
  await stack.mine(2)
  await stack.sessionIs(session.id, 'expired')
  expect(await eventTypes(session, 'session.expired')).toEqual(['session.expired'])
})

test('each session is shown alone as in the list', async () => {
  await stack.idle()
  const { body } = await stack.api<{ sessions: SessionBody[] }>('GET', '/pos/sessions?limit=100')
  expect(body.sessions.flatMap(({ payments }) => payments).length).toBeGreaterThan(0)
  for (const session of body.sessions) expect(await stack.session(session.id)).toEqual(session)
})

test('every delivery was verified and came once, and the sequence has no gap', async () => {
  await stack.idle()
  expect(stack.receiver.forged).toEqual([])
  const sequences = stack.receiver.received.map((event) => event.sequence).sort((a, b) => a - b)
  expect(sequences).toEqual(sequences.map((_, i) => i + 1))
  const listed = await stack.api<{ total: number; webhooks: { status: string; type: string }[] }>(
    'GET',
    '/webhooks?limit=100',
  )
  expect(
    listed.body.webhooks.every(
      (webhook) => webhook.status === 'delivered' && webhook.type === 'transaction.detected',
    ),
  ).toBe(true)
  expect(listed.body.total).toBe(
    stack.receiver.received.filter((event) => event.type === 'transaction.detected').length,
  )
  const more = await stack.api<{ total: number }>('GET', '/webhooks?limit=1&type=transaction.*')
  expect(more.body.total).toBe(
    stack.receiver.received.filter((event) => event.type.startsWith('transaction.')).length,
  )
})

async function checksum(address: string): Promise<Address> {
  const { getAddress } = await import('viem')
  return getAddress(address)
}
