import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadDashboardContract, type Operation, operationsOf } from '../../api/contract.ts'
import { perAccount } from '../../api/middleware/limits.ts'
import { noteToken } from '../../src/accounts/signIns.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { openBusiness, setApproval } from '../../src/businesses/operateBusinesses.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import { newId } from '../../src/platform/ids.ts'
import { openImpatientRedis } from '../../src/platform/redis/redis.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { createRateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import {
  type Ask,
  always,
  ask,
  briefAnswer,
  contentsOf,
  expectNoChange,
  expectNothingOf,
  expectRefusals,
  expectRefused,
  fullAnswer,
  lists,
  namesAnyOf,
  notFoundAnswer,
  type Refusal,
  type Refused,
  requestEach,
  requestRefused,
  success,
  thirdOf,
  withoutRequestRecords,
} from '../support/credentialMatrix.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
  sessionOf,
  signIn,
  tokenOf,
} from '../support/dashboardSession.ts'
import { makeAdjustment } from '../support/madeAdjustment.ts'
import { bridgeRequest, fundBridge, makeBridgeRow } from '../support/madeBridge.ts'
import { makePendingCollection } from '../support/madeCollection.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { makePayouts } from '../support/madePayout.ts'
import { makeRefund } from '../support/madeRefunds.ts'
import { makeSession } from '../support/madeSessions.ts'
import { makeSuspense } from '../support/madeSuspense.ts'
import { makeVerificationKey, makeVerificationRow } from '../support/madeVerifications.ts'
import { inProductionOnly, minInDashboard } from '../support/minRoles.ts'
import { once } from '../support/once.ts'
import { makePaymentLink } from '../support/paymentLinkRow.ts'
import {
  type ListedOperation,
  nameOf,
  namesARecord,
  type SampleRecords,
  unknownRecords,
} from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { makeStakes } from '../support/stakeRow.ts'
import { makeSwapRow } from '../support/swapRow.ts'
import { makeWaitingTransfer } from '../support/waitingTransfer.ts'
import { makeWebhookRecords } from '../support/webhookRecords.ts'

const operations = operationsOf(loadDashboardContract())
const guarded = operations.filter(({ operation }) => operation['x-scope'] !== 'public')
const inBusiness = guarded.filter(
  ({ path, operation }) =>
    path.includes('{businessId}') && minInDashboard[operation.operationId] !== 'operator',
)
const forOperators = guarded.filter(({ operation }) => minInDashboard[operation.operationId] === 'operator')

let stack: Stack
let owner: Person
let ours: SampleRecords

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'base'], bridge: true, processes: ['api'] })
  await fundBridge(stack)
  owner = await addPerson(stack)
  ours = await makeRecords(owner)
})
afterAll(() => stack?.close())

/** A business with records for every operation; the person signs in. */
async function makeRecords(of: Person): Promise<SampleRecords> {
  const { db } = stack
  const [business, elsewhere] = [
    await addBusiness(stack, of),
    await addBusiness(stack, await addPerson(stack)),
  ]
  const invite = {
    purpose: 'member',
    businessId: business,
    role: 'viewer',
    email: `${newId()}@cowry.test`,
    invitedBy: null,
  } as const
  const [
    opened,
    key,
    member,
    invitation,
    joining,
    signIn,
    passkey,
    webhookRecords,
    waiting,
    adjustment,
    suspensePayment,
    destination,
    payouts,
    refund,
    collection,
    openCollection,
    swap,
    verificationKey,
    stakes,
  ] = await Promise.all([
    openBusiness(stack, systemActor('test'), { name: 'Opened', ownerEmail: `${newId()}@cowry.test` }),
    storeKey(stack, { businessId: business, name: 'till', scope: 'write', key: generateApiKey('test') }),
    addMember(stack, business, 'viewer'),
    makeInvitation(db, invite),
    makeInvitation(db, { ...invite, businessId: elsewhere, email: of.email }),
    noteToken(db, of.id, { address: '127.0.0.1', userAgent: null }),
    // Another person's passkey: the caller's own would be required at each confirmation.
    passkeyOf(await addPerson(stack)),
    makeWebhookRecords(db, business),
    makeWaitingTransfer(db, business),
    makeAdjustment(stack),
    makeSuspense(db, 70_000_000n),
    makeDestination(stack.db, business),
    makePayouts(db, business),
    makeRefund(db, business),
    makePendingCollection(db, business),
    makePendingCollection(db, business),
    makeSwapRow(db, business),
    makeVerificationKey(db, business, 'publishable'),
    makeStakes(db, business, `0x${'a'.repeat(40)}`),
  ])
  const [paid, open] = [await makeSession(db, business, 5n), await makeSession(db, business, 5n)]
  await db.query(
    `insert into till_sessions (session_id, business_id, account_id, created_at) values ($1, $2, $3, now())`,
    [open.id, business, of.id],
  )
  return {
    ...unknownRecords(),
    ...webhookRecords,
    ...waiting,
    walletTransfer: waiting.transfer,
    ...payouts,
    ...refund,
    ...stakes,
    business,
    ownerless: opened.business.id,
    key: key.id,
    member: member.id,
    invitation: invitation.id,
    invitationToken: joining.token.reveal(),
    signIn,
    passkey,
    adjustment,
    suspensePayment,
    destination,
    collection,
    openCollection,
    swap,
    verification: await makeVerificationRow(db, business),
    verificationKey: verificationKey.key.id,
    bridgeTransfer: await makeBridgeRow(db, business),
    bridgeWallet: bridgeRequest.sourceAddress,
    session: paid.id,
    tillSession: open.id,
    paymentLink: await makePaymentLink(db, business),
  }
}

async function passkeyOf({ id }: Person): Promise<string> {
  const passkey = newId()
  await stack.db.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name) values ($1, $2, $3, '', 0, '{}', 'Laptop')`,
    [passkey, id, Buffer.from(passkey)],
  )
  return passkey
}

const notSignedIn = {
  status: 401,
  error: 'not_signed_in',
  message: 'Sign in first; a session ends after twelve hours without use',
}
const crossSite = {
  status: 403,
  error: 'cross_site_request',
  message: 'The header X-Cowry-Dashboard is missing, or the request comes from another site',
}
const noSuchBusiness = { status: 404, error: 'Not found', message: 'Business not found' }
const forOperatorsOnly = {
  status: 403,
  error: 'insufficient_role',
  message: 'This is for operators of the platform',
}

const refused = (all: readonly ListedOperation[], headers: Headers, refusal: Refusal, records = ours) =>
  expectRefused(stack, all, { headers, records }, always(refusal))

const session = async (person: Person = owner): Promise<Headers> => (await sessionOf(stack, person)).headers

/** A session whose row is aged. */
async function laterSession(column: 'expires_at' | 'last_seen_at', ago: string): Promise<Headers> {
  const { signInId, headers } = await sessionOf(stack, owner)
  await stack.db.query(`update sign_ins set ${column} = now() - $2::interval where id = $1`, [signInId, ago])
  return headers
}

async function afterSigningOut(path: string): Promise<Headers> {
  const person = await addMember(stack, ours.business, 'owner')
  const headers = await signIn(stack, person.email)
  expect((await dashboard(stack, 'GET', '/me', undefined, headers)).status).toBe(200)
  expect(
    (await dashboard(stack, 'POST', path, undefined, path === '/sign-out' ? headers : await session(person)))
      .status,
  ).toBe(200)
  return headers
}

const unauthenticated: [string, () => Promise<Headers>][] = [
  ['a caller without a session', async () => ownHeader],
  [
    'an invented cookie',
    async () => ({
      ...ownHeader,
      cookie: `__Host-cowry_session=${Buffer.alloc(32, 1).toString('base64url')}`,
    }),
  ],
  ['an empty cookie', async () => ({ ...ownHeader, cookie: '__Host-cowry_session=' })],
  [
    'the cookie under another name',
    async () => ({ ...ownHeader, cookie: (await session()).cookie?.replace('__Host-', '') ?? '' }),
  ],
  ['a session that was signed out', () => afterSigningOut('/sign-out')],
  ['a session that was signed out from elsewhere', () => afterSigningOut('/sign-out-everywhere')],
  ['an expired session', () => laterSession('expires_at', '1 second')],
  ['a session that was unused for 13 hours', () => laterSession('last_seen_at', '13 hours')],
  ['an API key', async () => ({ ...ownHeader, 'x-api-key': stack.apiKey })],
  ['an access token', async () => ({ ...ownHeader, ...(await tokenOf(stack, owner)) })],
]

const foreign: [string, (own: Headers) => Headers][] = [
  ['without the header of its own', ({ cookie = '' }) => ({ cookie })],
  ['with another value of that header', (own) => ({ ...own, 'x-cowry-dashboard': 'true' })],
  ['that a browser marks as of another site', (own) => ({ ...own, 'sec-fetch-site': 'cross-site' })],
  ['that a browser marks as of a sibling site', (own) => ({ ...own, 'sec-fetch-site': 'same-site' })],
  ['of a foreign origin', (own) => ({ ...own, origin: 'https://evil.example' })],
  ['of no origin', (own) => ({ ...own, origin: 'null' })],
]

describe('refused alike by every operation', () => {
  const changing = operations.filter(({ method }) => method !== 'get')
  /** All callers are made first: from then on no table changes. */
  const rows = once(async (): Promise<Refused[]> => {
    const made: Refused[] = []
    for (const [index, [who, make]] of unauthenticated.entries())
      made.push({
        who,
        all: index === 0 ? guarded : thirdOf(guarded, index),
        request: { headers: await make(), records: ours },
        refusal: always(notSignedIn),
      })
    const own = await session()
    for (const [index, [who, change]] of foreign.entries())
      made.push({
        who,
        all: thirdOf(changing, index),
        request: { headers: change(own), records: ours },
        refusal: always(crossSite),
      })
    return made
  })
  const answers = once(async () => requestRefused(stack, await rows()))

  async function expectRow(index: number): Promise<void> {
    const [row, received] = [(await rows())[index] as Refused, (await answers()).received[index] ?? []]
    expect(received.length).toBeGreaterThanOrEqual(row.all.length)
    expectRefusals(row, received)
  }

  test('no table changes', async () => {
    expectNoChange(await answers())
  })

  test.each(unauthenticated.map(([who], index) => [who, index] as const))(
    '%s is not signed in',
    (_who, index) => expectRow(index),
  )

  test.each(foreign.map(([what], index) => [what, unauthenticated.length + index] as const))(
    'a request %s changes nothing, also where no session is required',
    (_what, index) => expectRow(index),
  )
})

test('an account over its limit gets 429 and when to retry from every operation', async () => {
  const person = await addMember(stack, ours.business, 'owner')
  const [log, metrics] = [createLog('test', 'silent'), createMetrics('test')]
  const redis = openImpatientRedis({ REDIS_URL: stack.redis.url }, log)
  await new Promise((ready) => redis.once('ready', ready))
  const { over } = await createRateLimiter({ redis, log, metrics }, 'cowry').count(perAccount(person.id), 600)
  redis.disconnect()
  expect(over).toBe(false)
  const received = await refused(guarded, await session(person), {
    status: 429,
    error: 'Too many requests, please try again later.',
  })
  for (const { headers } of received) {
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(headers.get('ratelimit')).toBe(`"account";r=0;t=${seconds}`)
    expect(headers.get('ratelimit-policy')).toBe('"account";q=600;w=60')
  }
})

const ranks = ['cashier', 'viewer', 'developer', 'owner'] as const
type Rank = (typeof ranks)[number]
const minRole = (operation: Operation) => minInDashboard[operation.operationId] as Rank
const needsMore = (rank: Rank) =>
  inBusiness.filter(({ operation }) => ranks.indexOf(minRole(operation)) > ranks.indexOf(rank))

test.each(['cashier', 'viewer', 'developer'] as const)(
  'a %s is refused operations of higher roles, and they are not done',
  async (role) => {
    const headers = await session(await addMember(stack, ours.business, role))
    const message = (operation: Operation) =>
      `This needs the role ${minRole(operation)} in the business; yours is ${role} (permission ${operation['x-permission']})`
    await refused(needsMore(role), headers, { status: 403, error: 'insufficient_role', message })
  },
)

test('an account sees no business that it is not a member of, operators of the platform included', async () => {
  const outsider = await addPerson(stack)
  await addBusiness(stack, outsider)
  for (const person of [outsider, await addPerson(stack, { operator: true })]) {
    await refused(inBusiness, await session(person), noSuchBusiness)
    await refused(inBusiness, await session(person), noSuchBusiness, { ...ours, business: "' or 1=1 --" })
  }
})

test('operations of operators are refused to all others, owners included', async () => {
  for (const person of [owner, await addPerson(stack)])
    await refused(forOperators, await session(person), forOperatorsOnly)
})

test('records of another business and records that do not exist get the same answer', async () => {
  const ofMembers = guarded.filter((listed) => !forOperators.includes(listed))
  const about = ofMembers.filter(namesARecord)
  // A transaction is the chain's, and no record.
  const ownIds = ofMembers.filter(({ path }) => /\{(?!businessId\}|chain\}|txId\})\w*\}/.test(path))
  expect(ownIds.filter((listed) => !about.includes(listed)).map(nameOf)).toEqual([])
  const outsider = await addPerson(stack)
  const headers = await session(outsider)
  const business = await addBusiness(stack, outsider)
  const before = await contentsOf(stack)
  const existing = await requestEach(stack, about, { headers, records: { ...ours, business } })
  const missing = await requestEach(stack, about, { headers, records: { ...unknownRecords(), business } })
  expect(existing.map(briefAnswer)).toEqual(about.map(notFoundAnswer))
  expect(existing.map(fullAnswer)).toEqual(missing.map(fullAnswer))
  expect(withoutRequestRecords(await contentsOf(stack))).toEqual(withoutRequestRecords(before))
})

test('no list of another business, or of another account, contains our records', async () => {
  const outsider = await addPerson(stack)
  const business = await addBusiness(stack, outsider)
  const all = lists(guarded.filter((listed) => !forOperators.includes(listed)))
  expectNothingOf(
    ours,
    await requestEach(stack, all, { headers: await session(outsider), records: { ...ours, business } }),
  )
  const own = (await requestEach(stack, all, { headers: await session(), records: ours })).filter(
    (received) => namesAnyOf(ours, received),
  )
  expect(own.map(({ listed }) => listed.operation.operationId)).toEqual(
    expect.arrayContaining([
      'listMembers',
      'listInvitations',
      'listKeys',
      'listSignIns',
      'listAudit',
      'listMonitoringImportsOfBusiness',
    ]),
  )
})

describe('the minimum role of the contract is enough', () => {
  /** They need a state that no sample request makes; this refusal shows that the caller was let in. */
  const otherwise: Record<string, [number, string]> = {
    proveAddress: [409, 'no_mail'],
    enableTotp: [409, 'totp_not_begun'],
    confirmFactor: [409, 'totp_not_enabled'],
    disableTotp: [409, 'totp_not_enabled'],
    renewRecoveryCodes: [409, 'totp_not_enabled'],
    addPasskey: [400, 'Invalid request body'],
    beginPasskeyConfirmation: [409, 'no_passkey'],
    renamePasskey: [404, 'Not found'],
    removePasskey: [404, 'Not found'],
    replayDeadJob: [404, 'Not found'],
  }

  async function withMinRole(operation: Operation): Promise<Ask> {
    if (minInDashboard[operation.operationId] === 'operator') {
      const headers = await session(await addPerson(stack, { operator: true }))
      if (operation.operationId !== 'giveUpTransfer') return { headers, records: ours }
      const records = await makeRecords(await addPerson(stack))
      await setApproval(stack, systemActor('test'), records.business, 'suspended', 'papers')
      return { headers, records }
    }
    const person = await addPerson(stack)
    if (minInDashboard[operation.operationId] === 'account')
      return { headers: await session(person), records: await makeRecords(person) }
    const records = await makeRecords(await addPerson(stack))
    await addMember(stack, records.business, minRole(operation), person)
    return { headers: await session(person), records }
  }
  /** By minimum role: reading operations share one set of records. */
  const readers = new Map<string | undefined, Promise<Ask>>()
  function asReader(operation: Operation): Promise<Ask> {
    const min = minInDashboard[operation.operationId]
    const reader = readers.get(min) ?? withMinRole(operation)
    readers.set(min, reader)
    return reader
  }

  test.each(guarded.map((listed) => [nameOf(listed), listed] as const))('%s', async (_name, listed) => {
    const { status, body } = await ask(
      stack,
      listed,
      await (listed.method === 'get' ? asReader : withMinRole)(listed.operation),
    )
    const [expected, error] = otherwise[listed.operation.operationId] ?? [
      success(listed.operation),
      undefined,
    ]
    expect({ status, ...(status === expected ? { error: body.error } : body) }).toEqual({
      status: expected,
      error,
    })
  })
})

describe('on a deployment of mainnets', () => {
  const notApproved = {
    status: 403,
    error: 'business_not_approved',
    message: 'Production access requires an approved business',
  }
  const usesProduction = inBusiness.filter(({ operation }) => inProductionOnly.has(operation.operationId))
  let live: Stack

  beforeAll(async () => {
    const process = await stack.start('api', { ENVIRONMENT: 'live' }, { as: 'live' })
    live = { ...stack, processes: new Map([['api', process]]) }
  })

  test('a business can set up everything before it is approved, but cannot use it', async () => {
    const person = await addPerson(stack)
    const headers = await session(person)
    const records = await makeRecords(person)
    await expectRefused(live, usesProduction, { headers, records }, always(notApproved))
    // Limits of a wallet are ends of it, too: what is sent before them is within none.
    const isEnd = ({ operation }: ListedOperation) =>
      /^(revoke|remove|archive|setWalletLimits)/.test(operation.operationId)
    const possible = inBusiness.filter(
      (each) => !usesProduction.includes(each) && each.operation.operationId !== 'leaveBusiness',
    )
    for (const listed of possible.toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)))) {
      const { status } = await ask(live, listed, { headers, records })
      expect([nameOf(listed), status]).toEqual([nameOf(listed), success(listed.operation)])
    }
  })

  test('an approved business uses it', async () => {
    const person = await addPerson(stack)
    const headers = await session(person)
    for (const listed of usesProduction) {
      const records = await makeRecords(person)
      await setApproval(stack, systemActor('test'), records.business, 'approved', null)
      const { status } = await ask(live, listed, { headers, records })
      expect([nameOf(listed), status]).toEqual([nameOf(listed), success(listed.operation)])
    }
  })
})
