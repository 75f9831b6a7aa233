import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import { type CheckoutBody, type CheckoutStream, openCheckoutStream } from '../support/checkoutStream.ts'
import { checkoutUrl } from '../support/checkoutUrl.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// The state of a session for its customer, who has the URL of its checkout page and no credential.

let stack: Stack
const streams: CheckoutStream[] = []

beforeAll(async () => {
  stack = await createStack({ processes: ['cowry'], confirmations: 3 })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => stack?.close())

const unit = 1_000_000n
const tokenOf = (session: SessionBody) => String(session.checkoutUrl).split('/').at(-1) ?? ''
const get = (token: string) =>
  stack.api<CheckoutBody & { error?: string }>('GET', `/checkout/${token}`, undefined, { 'x-api-key': '' })
const urlOf = (session: SessionBody) =>
  `http://127.0.0.1:${stack.processes.get('cowry')?.port()}/api/v1/checkout/${tokenOf(session)}`
async function open(session: SessionBody, lastId?: string): Promise<CheckoutStream> {
  const stream = await openCheckoutStream(urlOf(session), lastId)
  streams.push(stream)
  return stream
}

test('shows what the customer needs to pay, and of the business its name alone', async () => {
  const session = await stack.createSession({
    amount: '25.5',
    label: 'Table 4',
    reference: 'secret-reference',
    metadata: { margin: 'secret-metadata' },
  })
  expect(session.checkoutUrl).toMatch(/\/checkout\/[\w-]{38}$/)
  const { status, body } = await get(tokenOf(session))
  expect(status).toBe(200)
  const { now, ...shown } = body
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
  const [business] = await stack.db.query<{ name: string }>('select name from businesses where id = $1', [
    stack.businessId,
  ])
  expect(shown).toEqual({
    merchant: business?.name,
    label: 'Table 4',
    chain: 'ethereum',
    token: 'USDC',
    address: session.address,
    amountExpected: '25.5',
    amountReceived: '0',
    amountMissing: '25.5',
    localAmount: session.localAmount,
    localCurrency: session.localCurrency,
    paymentUri: session.paymentUri,
    status: 'pending',
    exception: 'none',
    isReversed: false,
    confirmations: 0,
    requiredConfirmations: 3,
    finality: 'confirmations',
    payments: [],
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
    paidAt: null,
  })
  const text = JSON.stringify(body)
  for (const secret of [session.id, stack.businessId, 'secret-reference', 'secret-metadata'])
    expect(text).not.toContain(secret)
})

test('no other session can be found: not by an id, a token without its proof, or one of another deployment', async () => {
  const [one, two] = [await stack.createSession(), await stack.createSession()]
  const mixed = tokenOf(one).slice(0, 22) + tokenOf(two).slice(22)
  for (const token of [one.id, mixed, tokenOf(one).slice(0, 22), 'x', `${tokenOf(one)}A`, '%00']) {
    const { status, body } = await get(token)
    expect([token, status]).toEqual([token, 404])
    expect(body.error).toBeDefined()
  }
  // A proof of this deployment's key, for a session that does not exist.
  expect((await get(checkoutUrl(randomUUID()).slice(-38))).status).toBe(404)
  expect((await openCheckoutStream(`${urlOf(one)}A`)).status).toBe(404)
})

describe('a stream', () => {
  test('follows a payment from seen over each confirmation to paid, each state once', async () => {
    const session = await stack.createSession({ amount: '10' })
    const stream = await open(session)
    await stream.until('the first state', ({ status }) => status === 'pending')
    await stack.send(session.address, 10n * unit)
    await stack.mine()
    await stream.until('one confirmation', ({ confirmations }) => confirmations === 1)
    await stack.mine()
    await stream.until('two confirmations', ({ confirmations }) => confirmations === 2)
    await stack.mine()
    const paid = await stream.until('paid', ({ status }) => status === 'paid')
    expect(paid).toMatchObject({
      amountReceived: '10',
      amountMissing: '0',
      confirmations: 3,
      payments: [{ amount: '10', token: 'USDC', status: 'confirmed', exception: 'none' }],
    })
    const ids = stream.states.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    // Later blocks change nothing that the customer sees.
    const count = ids.length
    await stack.mine(3)
    await stack.caughtUp()
    expect((await get(tokenOf(session))).body).toMatchObject({ status: 'paid', confirmations: 3 })
    expect(stream.states).toHaveLength(count)
  })

  test('asks for the rest of an underpaid session, with a URI of the rest, until it is topped up', async () => {
    const session = await stack.createSession({ amount: '10' })
    const stream = await open(session)
    await stack.send(session.address, 4n * unit)
    await stack.mine()
    const rest = await stream.until('the rest', ({ amountMissing }) => amountMissing === '6')
    expect(rest).toMatchObject({ amountReceived: '4', exception: 'underpaid', status: 'pending' })
    expect(rest.paymentUri).toContain('uint256=6000000')
    await stack.send(session.address, 6n * unit)
    await stack.mine(3)
    expect(await stream.until('paid', ({ status }) => status === 'paid')).toMatchObject({
      amountReceived: '10',
      amountMissing: '0',
      exception: 'none',
    })
  })

  test('of a page that connects again is silent where nothing changed, and otherwise goes on from what is now', async () => {
    const session = await stack.createSession({ amount: '10' })
    const first = await open(session)
    await first.until('the first state', () => true)
    const id = first.states[0]?.id ?? ''
    first.close()
    const again = await open(session, id)
    await stack.api('POST', `/pos/sessions/${session.id}/cancel`, {})
    await again.until('cancelled', ({ status }) => status === 'cancelled')
    expect(again.states).toHaveLength(1)
    const later = await open(session, id)
    await later.until('cancelled at once', ({ status }) => status === 'cancelled')
  })

  test('says that a fork took the payment back, and that it came again', async () => {
    const session = await stack.createSession({ amount: '10' })
    await stack.mine()
    const stream = await open(session)
    await stack.send(session.address, 10n * unit)
    await stack.mine(3)
    await stream.until('paid', ({ status }) => status === 'paid')
    await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [3, []])
    const back = await stream.until('reversed', ({ isReversed }) => isReversed)
    expect(back).toMatchObject({ status: 'pending', paidAt: null, amountMissing: '10' })
    await stack.send(session.address, 10n * unit)
    await stack.mine(4)
    await waitFor('paid again', async () => stream.states.at(-1)?.body.status === 'paid')
    expect(stream.states.at(-1)?.body).toMatchObject({ status: 'paid', isReversed: false })
  })

  test('says that a session is over: expired by the time of the chain, with late money named', async () => {
    const session = await stack.createSession({ amount: '10', expirySeconds: 60 })
    const stream = await open(session)
    await stack.mineAt(new Date(Date.parse(session.expiresAt) + 1000))
    await stack.mine(3)
    await stream.until('expired', ({ status }) => status === 'expired')
    await stack.send(session.address, 10n * unit)
    await stack.mine(3)
    const late = await stream.until('late', ({ exception }) => exception === 'late')
    expect(late).toMatchObject({ status: 'expired', amountMissing: '0', payments: [{ exception: 'late' }] })
  })
})
