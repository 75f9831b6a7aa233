import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import { loadContract, loadDashboardContract, operationsOf } from '../../api/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import { type Browser, signedIn } from '../support/browser.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { makeAdjustment } from '../support/madeAdjustment.ts'
import { bridgeRequest, bridgeSource, fundBridge } from '../support/madeBridge.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { giveBalance, makePayout, makePayoutBatch } from '../support/madePayout.ts'
import { makePaidSession, someAddress } from '../support/madeRefunds.ts'
import { makeSuspense } from '../support/madeSuspense.ts'
import { makeVerificationKey } from '../support/madeVerifications.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'
import { makeWaitingTransfer, makeWallet } from '../support/waitingTransfer.ts'

// What moves money or gives rights needs a second factor from the last five minutes, of people who have one.

let stack: Stack
let owner: Person
let here: Browser
let next: () => Promise<string>
let businessId: string
let second: Person

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'base'], bridge: true, processes: ['api'] })
  await fundBridge(stack)
  owner = await addPerson(stack, { operator: true })
  businessId = await addBusiness(stack, owner)
  second = await addMember(stack, businessId, 'owner')
  await giveBalance(stack.db, businessId, { chain: 'ethereum', token: 'USDC' }, 100_000_000n)
  here = await enter(owner)
  next = await enrol(here, owner)
})
afterAll(() => stack?.close())

const enter = (person: Person) => signedIn(stack, { email: person.email, password: demoPassword })
const outcomeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { error?: string }).error,
]
const stale = [403, 'fresh_factor_required']
const at = (path = '') => `/businesses/${businessId}${path}`

async function enrol(browser: Browser, person: Person): Promise<() => Promise<string>> {
  const { body } = await browser.ask<{ secret: string }>('POST', '/me/totp', { password: demoPassword })
  const totp = new TOTP({ secret: body.secret, digits: 6, period: 30, algorithm: 'SHA1' })
  const next = async () => {
    await stack.db.query('update accounts set totp_last_step = 0 where id = $1', [person.id])
    return totp.generate()
  }
  expect((await browser.ask('POST', '/me/totp/enable', { totp: await next() })).status).toBe(200)
  return next
}

const age = (person: Person, minutes: number) =>
  stack.db.query(
    "update sign_ins set factor_at = now() - $2 * interval '1 minute' where account_id = $1 and factor is not null",
    [person.id, minutes],
  )

interface Asked {
  method: string
  path: string
  body?: object
  status?: number
}
const makeKey = async () => {
  await age(owner, 0)
  return (await here.ask<{ key: { id: string } }>('POST', at('/keys'), { name: 'till', scope: 'write' })).body
    .key.id
}
const onStellar = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
const noMore = { amounts: [], destinations: null }
const newDestination = () => ({ chain: 'ethereum', address: someAddress() })
const waitingApproval = async () => (await makeWaitingTransfer(stack.db, businessId)).approval

/** A request of each operation that needs a fresh factor, which is done where it is fresh. */
const cases: Record<string, () => Promise<Asked>> = {
  changePassword: async () => ({
    method: 'POST',
    path: '/me/password',
    body: { currentPassword: demoPassword, newPassword: demoPassword },
  }),
  inviteMember: async () => ({
    method: 'POST',
    path: at('/invitations'),
    body: { email: `${newId()}@cowry.test`, role: 'developer', delivery: 'link' },
    status: 201,
  }),
  changeMember: async () => {
    const { id } = await addMember(stack, businessId, 'viewer')
    return { method: 'PATCH', path: at(`/members/${id}`), body: { role: 'developer' } }
  },
  inviteOwner: async () => {
    const without = newId()
    await stack.db.query("insert into businesses (id, name) values ($1, 'without an owner')", [without])
    const body = { ownerEmail: `${newId()}@cowry.test`, delivery: 'link' }
    return { method: 'POST', path: `/operator/businesses/${without}/owner-invitation`, body, status: 201 }
  },
  createKey: async () => ({
    method: 'POST',
    path: at('/keys'),
    body: { name: 'till', scope: 'write' },
    status: 201,
  }),
  changeKey: async () => ({
    method: 'PATCH',
    path: at(`/keys/${await makeKey()}`),
    body: { requestsPerMinute: 10 },
  }),
  rotateKey: async () => ({
    method: 'POST',
    path: at(`/keys/${await makeKey()}/rotate`),
    body: { overlapSeconds: 0 },
    status: 201,
  }),
  setAutopayout: async () => ({ method: 'PUT', path: at('/autopayout'), body: { payouts: [] } }),
  setPayoutSettings: async () => ({
    method: 'PUT',
    path: at('/payout-settings'),
    body: { coolingOffHours: 24 },
  }),
  setOwnersFactor: async () => ({
    method: 'PUT',
    path: at('/second-factor'),
    body: { ownersNeedSecondFactor: true },
  }),
  setKeyLimits: async () => ({
    method: 'PUT',
    path: at(`/keys/${await makeKey()}/send-limits`),
    body: noMore,
  }),
  setWalletLimits: async () => {
    const own = await addBusiness(stack, owner)
    return {
      method: 'PUT',
      path: `/businesses/${own}/wallets/${await makeWallet(stack.db, own)}/send-limits`,
      body: noMore,
    }
  },
  openBusiness: async () => ({
    method: 'POST',
    path: '/operator/businesses',
    body: { name: 'Opened', ownerEmail: `${newId()}@cowry.test`, delivery: 'link' },
    status: 201,
  }),
  decideAdjustment: async () => ({
    method: 'PUT',
    path: `/operator/adjustments/${await makeAdjustment(stack)}/decision`,
    body: { decision: 'refused' },
  }),
  proposeReturn: async () => ({
    method: 'POST',
    path: `/operator/suspense/${await makeSuspense(stack.db, 10_000_000n)}/return`,
    body: { toAddress: onStellar, reason: 'Its sender wrote to us' },
    status: 201,
  }),
  createVerificationKey: async () => ({
    method: 'POST',
    path: at('/verification-keys'),
    body: { name: 'site', kind: 'secret' },
    status: 201,
  }),
  rotateVerificationKey: async () => ({
    method: 'POST',
    path: at(`/verification-keys/${(await makeVerificationKey(stack.db, businessId)).key.id}/rotate`),
    body: { overlapSeconds: 60 },
    status: 201,
  }),
  setVerificationKeyOrigins: async () => ({
    method: 'POST',
    path: at(
      `/verification-keys/${(await makeVerificationKey(stack.db, businessId, 'publishable')).key.id}/origins`,
    ),
    body: { origins: ['https://shop.example'] },
  }),
  allowWalletSends: async () => ({
    method: 'PUT',
    path: at(`/keys/${await makeKey()}/wallet-sends`),
    body: { allowed: true },
  }),
  allowRefundAddresses: async () => ({
    method: 'PUT',
    path: at(`/keys/${await makeKey()}/refund-addresses`),
    body: { allowed: true },
  }),
  decideApproval: async () => ({
    method: 'PUT',
    path: at(`/approvals/${await waitingApproval()}/decision`),
    body: { decision: 'refused' },
  }),
  createBridgeTransferOfBusiness: async () => {
    await bridgeSource(stack.db, businessId)
    return { method: 'POST', path: at('/bridge/transfer'), body: bridgeRequest, status: 201 }
  },
  sendFromWalletOfBusiness: async () => ({
    method: 'POST',
    path: at(`/crypto/wallets/${await bridgeSource(stack.db, businessId)}/transfers`),
    body: { toAddress: someAddress(), amount: '0.01' },
    status: 202,
  }),
  createRefundOfBusiness: async () => {
    const { id } = await makePaidSession(stack.db, businessId)
    return {
      method: 'POST',
      path: at(`/pos/sessions/${id}/refunds`),
      body: { amount: '1', toAddress: someAddress() },
      status: 201,
    }
  },
  createPayoutOfBusiness: async () => ({
    method: 'POST',
    path: at('/payouts'),
    body: { amount: '1', source: { chain: 'ethereum', token: 'USDC' }, destination: newDestination() },
    status: 201,
  }),
  createPayoutDestinationOfBusiness: async () => ({
    method: 'POST',
    path: at('/payout-destinations'),
    body: newDestination(),
    status: 201,
  }),
  approvePayoutOfBusiness: async () => {
    const destination = await makeDestination(stack.db, businessId)
    const id = await makePayout(stack.db, businessId, destination, {
      status: 'awaiting_approval',
      askedByAccount: second.id,
    })
    return { method: 'POST', path: at(`/payouts/${id}/approve`), body: { revision: 1 } }
  },
  createPayoutBatchOfBusiness: async () => ({
    method: 'POST',
    path: at('/payout-batches'),
    body: newBatch(),
    status: 201,
  }),
  approvePayoutBatchOfBusiness: async () => ({
    method: 'POST',
    path: at(`/payout-batches/${await waitingBatch()}/approve`),
    body: { revision: 2 },
  }),
}

const newBatch = () => ({
  payouts: [{ amount: '1', source: { chain: 'ethereum', token: 'USDC' }, destination: newDestination() }],
})

async function waitingBatch(): Promise<string> {
  const destination = await makeDestination(stack.db, businessId)
  return makePayoutBatch(stack.db, businessId, destination, {
    status: 'awaiting_approval',
    askedByAccount: second.id,
  })
}

const fresh = operationsOf(loadDashboardContract()).flatMap(({ operation }) =>
  operation['x-fresh-factor'] ? [operation.operationId] : [],
)

test('the table has each operation of the dashboard that requests a fresh factor', () => {
  expect(Object.keys(cases).toSorted()).toEqual(fresh.toSorted())
})

describe.each(Object.entries(cases))('%s', (_operation, make) => {
  test('is refused with a factor that was given six minutes ago, and done with a fresh one', async () => {
    const { method, path, body, status = 200 } = await make()
    await age(owner, 6)
    expect(outcomeOf(await here.ask(method, path, body))).toEqual(stale)
    expect((await here.ask('POST', '/me/factor', { totp: await next() })).status).toBe(200)
    const done = await here.ask(method, path, body)
    expect([done.status, (done.body as { error?: string }).error]).toEqual([status, undefined])
  })
})

test('the link of a refund, which can name any address, needs a fresh factor', async () => {
  const { id } = await makePaidSession(stack.db, businessId)
  await age(owner, 6)
  const claim = (more = {}) =>
    here.ask('POST', at(`/pos/sessions/${id}/refunds`), { kind: 'whole', claim: true, ...more })
  expect(outcomeOf(await claim())).toEqual(stale)
  expect(await stack.db.query('select 1 from outflows where session_id = $1', [id])).toEqual([])
  await age(owner, 0)
  expect((await claim()).status).toBe(201)
})

test('what only reads, or gives a key no money needs no factor', async () => {
  await age(owner, 60)
  const asked = [
    await here.ask('POST', at('/keys'), { name: 'reader', scope: 'read' }),
    await here.ask('GET', at('/members')),
  ]
  expect(asked.map(({ status }) => status)).toEqual([201, 200])
})

test('people without a second factor, where it is not required, need nothing more', async () => {
  const person = await addPerson(stack)
  const own = await addBusiness(stack, person)
  const browser = await enter(person)
  expect(
    (await browser.ask('POST', `/businesses/${own}/keys`, { name: 'till', scope: 'write' })).status,
  ).toBe(201)
})

test('a wrong code makes nothing fresh', async () => {
  await age(owner, 6)
  expect((await here.ask('POST', '/me/factor', { totp: '000000' })).status).toBe(400)
  expect(outcomeOf(await here.ask('POST', at('/keys'), { name: 'till', scope: 'write' }))).toEqual(stale)
})

describe('an access token', () => {
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, init)
    return { status: answer.status, body: (await answer.json()) as { error?: string; accessToken: string } }
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('does the same for five minutes, then the person logs in again', async () => {
    const login = await post('/auth/login', {
      email: owner.email,
      password: demoPassword,
      totp: await next(),
    })
    const headers = { authorization: `Bearer ${login.body.accessToken}`, 'x-business-id': businessId }
    const { id } = await makePaidSession(stack.db, businessId)
    const [wallet] = await stack.db.query<{ id: string }>('select id from wallets where business_id = $1', [
      businessId,
    ])
    const destination = await makeDestination(stack.db, businessId)
    const payout = await makePayout(stack.db, businessId, destination, {
      status: 'awaiting_approval',
      askedByAccount: second.id,
    })
    const asked: Record<string, [string, object]> = {
      createRefund: [`/pos/sessions/${id}/refunds`, { amount: '1', claim: true }],
      createPayout: [
        '/payouts',
        { amount: '1', source: { chain: 'ethereum', token: 'USDC' }, destination: newDestination() },
      ],
      createPayoutDestination: ['/payout-destinations', newDestination()],
      approvePayout: [`/payouts/${payout}/approve`, { revision: 1 }],
      createPayoutBatch: ['/payout-batches', newBatch()],
      approvePayoutBatch: [`/payout-batches/${await waitingBatch()}/approve`, { revision: 2 }],
      createBridgeTransfer: ['/bridge/transfer', bridgeRequest],
      sendFromWallet: [`/crypto/wallets/${wallet?.id}/transfers`, { toAddress: someAddress(), amount: '1' }],
    }
    const listed = operationsOf(loadContract()).flatMap(({ operation }) =>
      operation['x-fresh-factor'] ? [operation.operationId] : [],
    )
    expect(Object.keys(asked).toSorted()).toEqual(listed.toSorted())
    await age(owner, 6)
    for (const [name, [path, body]] of Object.entries(asked))
      expect([name, ...outcomeOf(await post(path, body, headers))]).toEqual([name, ...stale])
    await age(owner, 4)
    for (const [name, [path, body]] of Object.entries(asked))
      expect([name, (await post(path, body, headers)).body.error]).not.toEqual([
        name,
        'fresh_factor_required',
      ])
  })
})

describe('the first second factor', () => {
  test('ends the other sessions and tokens of the account, which started without it; another one ends no session', async () => {
    const person = await addPerson(stack)
    const [own, other] = [await enter(person), await enter(person)]
    await enrol(own, person)
    expect([(await own.ask('GET', '/me')).status, (await other.ask('GET', '/me')).status]).toEqual([200, 401])
  })
})
