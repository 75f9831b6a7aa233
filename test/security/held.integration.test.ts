import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { newId } from '../../src/platform/ids.ts'
import {
  newPair,
  type Pair,
  sendFromWallet,
  settledAt,
  transactionsOf,
  transferOf,
  walletOf,
} from '../faults/sending.ts'
import { runCommand } from '../support/command.ts'
import { addBusiness, addPerson, dashboard, type Headers, sessionOf } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** A business is held by a command or in the dashboard, while all processes run. */

let stack: Stack
let operator: Headers

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api', 'worker'] })
  operator = (await sessionOf(stack, await addPerson(stack, { operator: true }))).headers
})
afterAll(() => stack?.close())

const business = (...command: string[]) => runCommand(stack, 'business', command)

/** The stack with requests by another business. */
async function asOtherBusiness(): Promise<Stack & { secret: string }> {
  const businessId = await addBusiness(stack, await addPerson(stack))
  const key = generateApiKey('test')
  const permissions = ['crypto:read', ...unnamedPermissions('write', null), 'wallets:send']
  await storeKey(stack, { businessId, name: 'till', scope: 'write', permissions, key })
  const secret = key.reveal()
  return {
    ...stack,
    businessId,
    secret,
    api: (method, path, body, headers = {}) =>
      stack.api(method, path, body, { 'x-api-key': secret, ...headers }),
  }
}

interface Held {
  heldTransfers: number
  approval: string
}
const operated = (id: string, action = '', body?: object) =>
  dashboard<Held>(
    stack,
    action === '' ? 'GET' : 'POST',
    `/operator/businesses/${id}${action}`,
    body,
    operator,
  )
const audited = async (id: string) =>
  (
    await stack.db.query<{ action: string }>(
      'select action from audit_log where business_id = $1 order by id',
      [id],
    )
  ).map(({ action }) => action)

/** A transfer that waits for the stopped treasury. */
async function queued(of: Stack, pair: Pair, walletId: string): Promise<string> {
  const { status, body } = await sendFromWallet(of, pair, walletId)
  expect(status).toBe(202)
  await waitFor('the signature request', async () => (await transactionsOf(stack, body.id)).length === 1)
  return body.id
}

/** Runs a transfer of the other business to its end: by then every process had time to act. */
async function otherBusinessSettles(): Promise<void> {
  const pair = await newPair(stack, 'ethereum')
  const { body } = await sendFromWallet(stack, pair, await walletOf(stack, pair))
  expect(await settledAt(stack, pair, body.id)).toMatchObject({ status: 'confirmed' })
}

test('one command holds transfers and keys of one business only; they proceed when it is approved in the dashboard', async () => {
  const held = await asOtherBusiness()
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(held, pair)
  await stack.stop('treasury')
  const id = await queued(held, pair, walletId)
  expect(await business('hold', held.businessId, 'papers,', 'case', '12')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/suspended {2}1 transfers held {2}papers, case 12\n$/),
  })
  for (const answer of [
    await sendFromWallet(held, pair, walletId),
    await held.api('GET', `/crypto/transfers/${id}`),
  ])
    expect([answer.status, answer.body]).toMatchObject([403, { error: 'business_suspended' }])
  expect((await operated(held.businessId)).body).toMatchObject({ approval: 'suspended', heldTransfers: 1 })
  expect((await business('show', held.businessId)).out).toContain(`\n${id}  `)
  await stack.start('treasury')
  await otherBusinessSettles()
  expect((await transactionsOf(stack, id)).filter(({ txId, sends }) => txId !== null || sends > 0)).toEqual(
    [],
  )
  const metrics = await (await fetch(stack.processes.get('worker')?.metricsUrl() ?? '')).text()
  expect(metrics).toMatch(/^cowry_intents_unsettled\{[^}]*status="held"[^}]*\} 1$/m)

  expect((await operated(held.businessId, '/approve')).body).toMatchObject({
    approval: 'approved',
    heldTransfers: 0,
  })
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect(await audited(held.businessId)).toEqual(
    expect.arrayContaining(['business.suspended', 'business.approved']),
  )
})

test('suspension in the dashboard holds them as well; waiting transfers can be given up, and the rest proceed when it is released', async () => {
  const held = await asOtherBusiness()
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(held, pair)
  await stack.stop('treasury')
  const [first, second] = [await queued(held, pair, walletId), await queued(held, pair, walletId)]
  expect((await operated(held.businessId, '/suspend', { reason: 'papers' })).body).toMatchObject({
    heldTransfers: 2,
  })
  await stack.start('treasury')
  expect((await business('give-up', held.businessId, newId())).code).toBe(2)
  expect(await business('give-up', held.businessId, first)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('1 transfers held'),
  })
  expect(await business('release', held.businessId)).toMatchObject({
    code: 0,
    out: expect.stringContaining('approved  0 transfers held'),
  })
  expect(await business('give-up', held.businessId)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('is not suspended'),
  })
  const message = 'The operator has suspended the business and given the transfer up: nothing of it was sent'
  expect(await transferOf(held, first)).toMatchObject({
    status: 'failed',
    reason: 'given_up',
    message,
    txHash: null,
  })
  expect(await settledAt(stack, pair, second)).toMatchObject({ status: 'confirmed' })
  const events = await stack.db.query(
    "select data->>'id' as id from events where business_id = $1 and type = 'transfer.failed'",
    [held.businessId],
  )
  expect(events).toEqual([{ id: first }])
  expect(await audited(held.businessId)).toEqual(
    expect.arrayContaining(['business.suspended', 'transfer.given_up', 'business.approved']),
  )
})

interface HeldPage {
  transfers: { id: string; amount: string; signer: string; status: string; reason: string }[]
  total: number
  nextCursor: string | null
}

test('operators list held transfers by page, and give them up singly, with the same answer each time', async () => {
  const held = await asOtherBusiness()
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(held, pair)
  const path = `/operator/businesses/${held.businessId}/held-transfers`
  const listed = (query = '') =>
    dashboard<HeldPage>(stack, 'GET', `${path}?sort=ASC${query}`, undefined, operator)
  const giveUp = (id: string, of = path) =>
    dashboard<Record<string, unknown>>(stack, 'POST', `${of}/${id}/give-up`, undefined, operator)
  await stack.stop('treasury')
  const ids = [
    await queued(held, pair, walletId),
    await queued(held, pair, walletId),
    await queued(held, pair, walletId),
  ]
  const [first = '', second = '', third = ''] = ids
  expect((await listed()).body).toMatchObject({ transfers: [], total: 0 })
  expect(await giveUp(first)).toMatchObject({ status: 409, body: { error: 'transfer_not_held' } })
  await operated(held.businessId, '/suspend', { reason: 'papers' })
  await stack.start('treasury')

  const one = (await listed('&limit=2')).body
  const two = (await listed(`&limit=2&cursor=${one.nextCursor}`)).body
  expect([one.total, two.total, two.nextCursor]).toEqual([3, 3, null])
  expect([...one.transfers, ...two.transfers].map(({ id }) => id)).toEqual(ids)
  expect(one.transfers[0]).toMatchObject({
    amount: '2.5',
    signer: 'wallet',
    status: 'pending',
    reason: 'held',
    chain: 'ethereum',
  })
  expect((await listed('&cursor=x')).status).toBe(400)

  const ended = await giveUp(first)
  expect(ended).toMatchObject({ status: 200, body: { id: first, status: 'failed', reason: 'given_up' } })
  expect([(await giveUp(first)).body, (await giveUp(first)).status]).toEqual([ended.body, 200])
  expect((await audited(held.businessId)).filter((action) => action === 'transfer.given_up')).toHaveLength(1)
  expect((await listed()).body.transfers.map(({ id }) => id)).toEqual([second, third])

  const others = `/operator/businesses/${stack.businessId}/held-transfers`
  for (const answer of [await giveUp(second, others), await giveUp(newId()), await giveUp('x')])
    expect(answer.status).toBe(404)
  for (const business of [newId(), 'x'])
    expect(
      (await dashboard(stack, 'GET', `/operator/businesses/${business}/held-transfers`, undefined, operator))
        .status,
    ).toBe(404)
  expect((await listed()).body.total).toBe(2)

  await operated(held.businessId, '/approve')
  expect(await giveUp(first)).toMatchObject({ status: 200, body: ended.body })
  for (const id of [second, third])
    expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect(await giveUp(third)).toMatchObject({ status: 409, body: { error: 'transfer_not_held' } })
  expect(await transferOf(held, first)).toMatchObject({ status: 'failed', reason: 'given_up', txHash: null })
})

test('a business that takes payments from 16 clients is suspended at once: nothing is stored after the answer', async () => {
  const held = await asOtherBusiness()
  const taken = async () =>
    (
      await stack.db.query<{ count: number }>(
        'select count(*)::int as count from pos_sessions where business_id = $1',
        [held.businessId],
      )
    )[0]?.count ?? 0
  const create = () =>
    held.api<{ error?: string }>('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1' })
  const clients = Array.from({ length: 16 }, async () => {
    let answer = await create()
    while (answer.status === 201) answer = await create()
    return [answer.status, answer.body.error]
  })
  await waitFor('a busy business', async () => (await taken()) > 32)
  const before = await taken()
  expect((await operated(held.businessId, '/suspend', { reason: 'papers' })).body).toMatchObject({
    approval: 'suspended',
  })
  const after = await taken()
  // Requests in progress, and those that came before the suspension was seen.
  expect(after - before).toBeLessThan(32)
  for (const last of await Promise.all(clients)) expect(last).toEqual([403, 'business_suspended'])
  expect(await taken()).toBe(after)
})
