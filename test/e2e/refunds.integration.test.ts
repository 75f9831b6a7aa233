import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { pauseSending, resumeSending } from '../../src/txmgr/pause.ts'
import { rpc } from '../devnets/evm.ts'
import { someAddress } from '../support/madeRefunds.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Refunds through a whole Cowry: they arrive on the chain, exactly, and are reported once.

interface Refund {
  id: string
  status: string
  reason: string | null
  amount: string
  txHash: string | null
  networkCost: { amount: string; token: string } | null
  claimUrl?: string
}
type Session = SessionBody & { amountRefunded: string; refunds: Refund[] }

let stack: Stack
const within = 60_000

beforeAll(async () => {
  stack = await createStack({ confirmations: 2 })
  // The treasury pays in USDC that it has, and its own gas.
  const [treasury] = await waitFor('the address of the treasury', async () => {
    const rows = await stack.db.query<{ address: `0x${string}` }>(
      "select address from treasury_addresses where family = 'evm'",
    )
    return rows.length > 0 && rows
  })
  if (!treasury) throw new Error('no treasury')
  await stack.sendNative(treasury.address, 10n ** 18n)
  await stack.send(treasury.address, 100_000_000n)
  await stack.mine(3)
})
afterAll(() => stack?.close())

async function paidSession(amount: string): Promise<SessionBody> {
  const session = await stack.createSession({ amount: '10' })
  await stack.pay(session, amount)
  await stack.mine(3)
  return stack.sessionIs(session.id, 'paid', amount === '10' ? 'none' : 'overpaid')
}

const usdcOf = async (address: string) =>
  stack.client().readContract({
    address: stack.devnet.usdc,
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ name: 'a', type: 'address' }],
        outputs: [{ type: 'uint256' }],
      },
    ] as const,
    functionName: 'balanceOf',
    args: [address as `0x${string}`],
  })

/** Mines until the refund has arrived and its session has reported it. */
async function arrived(sessionId: string, refundId: string): Promise<Refund> {
  const at = `/pos/sessions/${sessionId}/refunds/${refundId}`
  const refund = await waitFor(
    'the refund',
    async () => {
      await stack.mine()
      const { body } = await stack.api<Refund>('GET', at)
      return body.status === 'completed' && body
    },
    within,
  )
  await stack.idle()
  return refund
}

const reportsOf = (sessionId: string) =>
  stack.db.query<{ refund: { id: string; txHash: string }; amountRefunded: string }>(
    `select data->'refund' as refund, data->>'amountRefunded' as "amountRefunded" from events
     where type = 'session.refunded' and data->>'id' = $1 order by sequence`,
    [sessionId],
  )
const held = () =>
  balanceOf(stack.db, {
    name: 'payouts_held',
    businessId: stack.businessId,
    asset: tokenAsset('ethereum', 'USDC'),
  })

test('the excess goes to the address of the request, once, and the session reports it', async () => {
  const session = await paidSession('12.5')
  const to = someAddress()
  const { status, body } = await stack.api<Refund>('POST', `/pos/sessions/${session.id}/refunds`, {
    kind: 'excess',
    toAddress: to,
  })
  expect([status, body.amount]).toEqual([201, '2.5'])
  const refund = await arrived(session.id, body.id)
  expect(refund).toMatchObject({
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    networkCost: { token: 'ETH' },
  })
  expect(await usdcOf(to)).toBe(2_500_000n)
  expect((await stack.api<Session>('GET', `/pos/sessions/${session.id}`)).body).toMatchObject({
    ...{ status: 'paid', amountRefunded: '2.5' },
    refunds: [{ id: body.id, status: 'completed', txHash: refund.txHash }],
  })
  expect(await reportsOf(session.id)).toMatchObject([
    { refund: { id: body.id, txHash: refund.txHash }, amountRefunded: '2.5' },
  ])
  expect(await held()).toBe(0n)
})

test('a customer names the address with the link: the refund arrives there', async () => {
  const session = await paidSession('10')
  const { body } = await stack.api<Refund>('POST', `/pos/sessions/${session.id}/refunds`, {
    kind: 'whole',
    claim: true,
  })
  const token = body.claimUrl?.split('#')[1]
  expect((await stack.api('POST', '/refund-claims/look', { token })).body).toMatchObject({
    amount: '10',
    token: 'USDC',
    chain: 'ethereum',
  })
  const to = someAddress()
  expect((await stack.api('POST', '/refund-claims', { token, toAddress: to })).status).toBe(200)
  await arrived(session.id, body.id)
  expect(await usdcOf(to)).toBe(10_000_000n)
  expect((await reportsOf(session.id)).map(({ amountRefunded }) => amountRefunded)).toEqual(['10'])
})

test('of a payment that a fork takes away, a refund that waits is cancelled, and a link gives the reason; nothing leaves, and nothing is owed', async () => {
  const owed = () =>
    balanceOf(stack.db, {
      name: 'receivable',
      businessId: stack.businessId,
      asset: tokenAsset('ethereum', 'USDC'),
    })
  const before = [await owed(), await held()]
  const session = await paidSession('10')
  await pauseSending(stack.db, 'ethereum', 'a test')
  const to = someAddress()
  const ask = async (body: object) =>
    (await stack.api<Refund>('POST', `/pos/sessions/${session.id}/refunds`, { amount: '4', ...body })).body
  const [sent, linked] = [await ask({ toAddress: to }), await ask({ claim: true })]
  const shown = async ({ id }: Refund) =>
    (await stack.api<Refund>('GET', `/pos/sessions/${session.id}/refunds/${id}`)).body
  await waitFor('the refund waits', async () => (await shown(sent)).reason === 'outgoing_paused')
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [4, []])
  await stack.mine()
  await stack.sessionIs(session.id, 'pending')
  for (const refund of [sent, linked])
    expect(await shown(refund)).toMatchObject({ status: 'cancelled', reason: 'payment_reversed' })
  await resumeSending(stack.db, 'ethereum')
  const answer = await stack.api('POST', '/refund-claims', {
    token: linked.claimUrl?.split('#')[1],
    toAddress: to,
  })
  expect([answer.status, answer.body]).toMatchObject([410, { error: 'payment_reversed' }])
  await stack.mine(3)
  await stack.idle()
  expect([await usdcOf(to), await owed(), await held()]).toEqual([0n, ...before])
})
