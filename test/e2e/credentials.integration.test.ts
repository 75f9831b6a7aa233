import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  loadContract,
  loadDashboardContract,
  minRoleOf,
  type Operation,
  operationsOf,
  permissionsOf,
} from '../../api/contract.ts'
import { revokeKey } from '../../src/apiKeys/changeKey.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { type KeyToStore, storeKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { newId } from '../../src/platform/ids.ts'
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
  isWrite,
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
  type Person,
  sessionOf,
  signIn,
  tokenOf,
} from '../support/dashboardSession.ts'
import { type Forged, forgeToken, unsignedToken } from '../support/forgedTokens.ts'
import { minInApi, minInDashboard } from '../support/minRoles.ts'
import { once } from '../support/once.ts'
import {
  type ListedOperation,
  makeRecords,
  nameOf,
  namesARecord,
  type SampleRecords,
  sampleOf,
} from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'

const contract = loadContract()
const guarded = operationsOf(contract).filter(({ operation }) => operation['x-scope'] !== 'public')
const issuer = 'http://cowry.test'

let stack: Stack
let ours: SampleRecords
let owner: Person

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', 'base'],
    bridge: true,
    processes: ['api'],
    env: { BASE_URL: issuer, RPC_TIMEOUT_MS: '5000' },
  })
  owner = await addMember(stack, stack.businessId, 'owner')
  ours = await makeRecords(stack)
})
afterAll(() => stack?.close())

test.each([
  ['the public contract', contract],
  ["the dashboard's contract", loadDashboardContract()],
])(
  'every operation of %s has a sample request, and names its permission, its scope, its role and its refusals',
  (_name, of) => {
    for (const listed of operationsOf(of)) {
      expect(sampleOf(listed).path).not.toContain('{')
      const {
        'x-permission': permission,
        'x-scope': scope,
        'x-role': role = null,
        security,
        responses,
      } = listed.operation
      const isPublic = scope === 'public'
      expect({
        operation: nameOf(listed),
        permission,
        scope,
        role,
        security: isPublic ? security : null,
        responses: Object.keys(responses),
      }).toEqual({
        operation: nameOf(listed),
        permission: expect.stringMatching(/^[a-z]+(-[a-z]+)*:[a-z]+$/),
        scope: expect.stringMatching(/^(public|read|write)$/),
        role:
          role === null ? null : expect.stringMatching(/^(cashier|viewer|developer|owner|account|operator)$/),
        security: isPublic ? [] : null,
        responses: expect.arrayContaining(isPublic ? [] : ['401', '403', '429']),
      })
      if (!isPublic) expect([nameOf(listed), security]).toEqual([nameOf(listed), undefined])
    }
  },
)

test.each([
  ['the public contract', contract, minInApi],
  ["the dashboard's contract", loadDashboardContract(), minInDashboard],
])('%s grants each permission to exactly the intended callers', (_name, of, may) => {
  const minRoles = operationsOf(of).map(({ operation }) => {
    const role = operation['x-role']
    const named = role === 'account' || role === 'operator' ? role : minRoleOf(operation)
    return [operation.operationId, operation['x-scope'] === 'public' ? 'anonymous' : named]
  })
  expect(Object.fromEntries(minRoles)).toEqual(may)
})

/** A caller, and how each operation refuses it; null: it does not. */
type Row = [
  who: string,
  headers: () => Promise<Ask['headers']>,
  refusal: (operation: Operation) => Refusal | null,
]

const noCredential = (
  message = 'Send an API key as X-API-Key, or an access token as Authorization: Bearer',
) => always({ status: 401, error: 'Missing or invalid Authorization header', message })
const notOurs = noCredential('The access token was not issued by this deployment')
const revoked = noCredential('The access token was revoked; log in again')
const invalidKey = always({
  status: 401,
  error: 'Invalid API key',
  message: 'The API key is unknown, revoked or expired',
})
const mistypedKey = always({
  status: 401,
  error: 'Invalid API key',
  message: 'The API key is mistyped or not complete: copy it again',
})
const noSuchBusiness = always({ status: 404, error: 'Not found', message: 'Business not found' })
const beforeApproval = (refusal: Refusal) => (operation: Operation) =>
  operation['x-about-caller'] ? null : refusal
const suspended = {
  status: 403,
  error: 'business_suspended',
  message: 'The operator of this platform has suspended the business',
}

/** A key of the stack's business, unless `requested` names another one. */
async function makeKey(requested: Partial<KeyToStore> = {}): Promise<{ id: string; headers: Headers }> {
  const key = generateApiKey('test')
  const { id } = await storeKey(stack, {
    businessId: stack.businessId,
    name: 'matrix',
    scope: 'write',
    ...requested,
    key,
  })
  return { id, headers: { 'x-api-key': key.reveal() } }
}
const keyWith = async (requested: Partial<KeyToStore>): Promise<Headers> => (await makeKey(requested)).headers

const permissions = permissionsOf(contract).map(({ permission }) => permission)
/** Needed on top of the permission of an operation: it goes with that one. */
const onTop = operationsOf(contract).flatMap(({ operation }) => {
  const more = operation['x-key-permission']
  return more ? [{ permission: more.permission, of: operation['x-permission'] }] : []
})
const own = permissions.filter((each) => !onTop.some(({ permission }) => permission === each))
/** Two keys that have all permissions between them, and share no permission. */
const halves = [0, 1].map((half) => {
  const some = own.filter((_, index) => index % 2 === half)
  return [...some, ...onTop.filter(({ of }) => some.includes(of)).map(({ permission }) => permission)]
})
const holds = (half: number, operation: Operation) =>
  operation['x-about-caller'] === true || (halves[half]?.includes(operation['x-permission']) ?? false)
const roleFor = (operation: Operation) => minInApi[operation.operationId]
/** A key that names no permissions lacks those of owners. */
const unnamed = (operation: Operation): Refusal | null =>
  roleFor(operation) === 'owner'
    ? {
        status: 403,
        error: 'insufficient_permission',
        message: `This key does not have the permission ${operation['x-permission']}, which only an owner can give to a key`,
      }
    : null
async function limitedKeys(): Promise<Headers[]> {
  return Promise.all(halves.map(async (some) => keyWith({ permissions: some })))
}

const keyRows: Row[] = [
  ['no credential', async () => ({}), noCredential()],
  ["the dashboard's session", async () => (await sessionOf(stack, owner)).headers, noCredential()],
  ['a text that is no key', async () => ({ 'x-api-key': 'x' }), mistypedKey],
  ['a mistyped key', async () => ({ 'x-api-key': `${stack.apiKey.slice(0, -1)}!` }), mistypedKey],
  ['a key that was never issued', async () => ({ 'x-api-key': generateApiKey('test').reveal() }), invalidKey],
  [
    'a key of production',
    async () => ({ 'x-api-key': generateApiKey('live').reveal() }),
    always({
      status: 403,
      error: 'environment_mismatch',
      message: 'This key is for the live environment; this deployment is test',
    }),
  ],
  [
    'a revoked key',
    async () => {
      const { id, headers } = await makeKey()
      await revokeKey(stack, systemActor('test'), stack.businessId, id)
      return headers
    },
    invalidKey,
  ],
  ['an expired key', () => keyWith({ expiresAt: new Date(Date.now() - 1000) }), invalidKey],
  [
    'an unknown key with a valid token',
    async () => ({ 'x-api-key': generateApiKey('test').reveal(), ...(await forge({})) }),
    invalidKey,
  ],
  [
    'a read key',
    () => keyWith({ scope: 'read' }),
    (operation) =>
      isWrite(operation)
        ? {
            status: 403,
            error: 'insufficient_scope',
            message: `This needs a key with the scope write (permission ${operation['x-permission']})`,
          }
        : null,
  ],
  ...[0, 1].map(
    (half): Row => [
      `a key with every other permission, ${half}`,
      async () => (await limitedKeys())[half] ?? {},
      (operation) =>
        holds(half, operation)
          ? null
          : {
              status: 403,
              error: 'insufficient_permission',
              message: `This key does not have the permission ${operation['x-permission']}`,
            },
    ],
  ),
  [
    'a key for other addresses',
    () => keyWith({ allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] }),
    always({
      status: 403,
      error: 'address_not_allowed',
      message: 'This API key may not be used from 127.0.0.1',
    }),
  ],
  ['a key for our address', () => keyWith({ allowedAddresses: ['203.0.113.0/24', '127.0.0.1/32'] }), unnamed],
  [
    'a key of a suspended business',
    async () => keyWith({ businessId: await suspendedBusiness(await addPerson(stack)) }),
    beforeApproval(suspended),
  ],
]

async function suspendedBusiness(of: Person): Promise<string> {
  const id = await addBusiness(stack, of)
  await setApproval(stack, systemActor('test'), id, 'suspended', 'A test')
  return id
}

const forge = (forged: Forged) => forgeToken(stack, issuer, owner, forged)

const tokenRows: Row[] = [
  [
    'another scheme',
    async () => ({ authorization: 'Basic YTpi' }),
    noCredential(
      'A password is not sent with each request: log in with POST /api/v1/auth/login, and send its accessToken as Authorization: Bearer',
    ),
  ],
  ['a text that is no token', async () => ({ authorization: 'Bearer nonsense' }), notOurs],
  ['a token without a signature', () => unsignedToken(stack, issuer, owner), notOurs],
  ['a token that another key signed under our key id', () => forge({ key: 'other' }), notOurs],
  ['a token that is an HMAC made with our public key', () => forge({ key: 'public' }), notOurs],
  ['a token for another service', () => forge({ audience: 'another-api' }), notOurs],
  ['a token of another deployment', () => forge({ issuer: 'http://another.test' }), notOurs],
  ['a token of another kind', () => forge({ type: 'JWT' }), notOurs],
  [
    'an expired token',
    () => forge({ expires: '-1s' }),
    noCredential('The access token has expired; log in again'),
  ],
  ['a token that was never issued', () => forge({ signInId: newId() }), revoked],
  [
    "a token with another account's sign-in",
    async () => forge({ signInOf: await addPerson(stack) }),
    revoked,
  ],
  ['a token as the deployment signs it', () => forge({}), () => null],
  [
    'a token of an account that signed out everywhere',
    async () => {
      const person = await addMember(stack, stack.businessId, 'owner')
      const token = await tokenOf(stack, person)
      const out = await dashboard(
        stack,
        'POST',
        '/sign-out-everywhere',
        undefined,
        await signIn(stack, person.email),
      )
      expect(out.status).toBe(200)
      return token
    },
    revoked,
  ],
  [
    'a cashier, who has the till of the dashboard alone',
    async () => forgeToken(stack, issuer, await addMember(stack, stack.businessId, 'cashier')),
    (operation) => ({
      status: 403,
      error: 'insufficient_role',
      message: `This needs the role ${roleFor(operation)} in the business; yours is cashier (permission ${operation['x-permission']})`,
    }),
  ],
  [
    'a viewer',
    async () => forgeToken(stack, issuer, await addMember(stack, stack.businessId, 'viewer')),
    (operation) =>
      isWrite(operation)
        ? {
            status: 403,
            error: 'insufficient_role',
            message: `This needs the role ${roleFor(operation)} in the business; yours is viewer (permission ${operation['x-permission']})`,
          }
        : null,
  ],
  [
    'a developer',
    async () => forgeToken(stack, issuer, await addMember(stack, stack.businessId, 'developer')),
    (operation) =>
      roleFor(operation) === 'owner'
        ? {
            status: 403,
            error: 'insufficient_role',
            message: `This needs the role owner in the business; yours is developer (permission ${operation['x-permission']})`,
          }
        : null,
  ],
  ['an owner', () => tokenOf(stack, owner), () => null],
  [
    'an account without a business',
    async () => tokenOf(stack, await addPerson(stack)),
    beforeApproval({
      status: 403,
      error: 'no_business',
      message:
        'The access token is for no business: choose one of yours with X-Business-Id, or open one in the dashboard',
    }),
  ],
  [
    'an owner who names a business of another owner',
    async () => ({ ...(await forge({})), 'x-business-id': await addBusiness(stack, await addPerson(stack)) }),
    noSuchBusiness,
  ],
  [
    'an owner who names a business that does not exist',
    async () => ({ ...(await forge({})), 'x-business-id': "' or 1=1 --" }),
    noSuchBusiness,
  ],
  [
    'an owner of a suspended business',
    async () => {
      const person = await addPerson(stack)
      await suspendedBusiness(person)
      return tokenOf(stack, person)
    },
    beforeApproval(suspended),
  ],
]

describe('every operation refuses, or accepts,', () => {
  interface Caller {
    headers: Ask['headers']
    refused: Refused
    /** Operations that do not refuse it. */
    reads: readonly ListedOperation[]
  }
  const rows = [...keyRows, ...tokenRows]

  /** All callers are made first: from then on no table changes. */
  const callers = once(async () => {
    const made: Caller[] = []
    for (const [index, [who, make, refusal]] of rows.entries()) {
      const headers = await make()
      const refused = guarded.filter(({ operation }) => refusal(operation) !== null)
      const isUniform =
        refused.length === guarded.length &&
        new Set(refused.map(({ operation }) => JSON.stringify(refusal(operation)))).size === 1
      made.push({
        headers,
        refused: {
          who,
          all: isUniform && who !== 'no credential' ? thirdOf(refused, index) : refused,
          request: { headers, records: ours },
          refusal: (operation) => refusal(operation) ?? { status: 0, error: '' },
        },
        reads: guarded.filter((listed) => !refused.includes(listed) && !isWrite(listed.operation)),
      })
    }
    return made
  })
  const answers = once(async () =>
    requestRefused(
      stack,
      (await callers()).map(({ refused }) => refused),
    ),
  )

  test('and no table changes where it is', async () => {
    expectNoChange(await answers())
  })

  test.each(rows.map(([who], index) => [who, index] as const))('to %s', async (_who, index) => {
    const [{ headers, refused, reads }, received] = [
      (await callers())[index] as Caller,
      (await answers()).received[index] ?? [],
    ]
    expect(received.length).toBeGreaterThanOrEqual(refused.all.length)
    expectRefusals(refused, received)
    const read = await requestEach(stack, reads, { headers, records: ours })
    expect(read.map(({ listed, status }) => [nameOf(listed), status])).toEqual(
      reads.map((listed) => [nameOf(listed), success(listed.operation)]),
    )
  })
})

test('a key over its limit gets 429 and when to retry from every operation', async () => {
  const headers = await keyWith({ requestsPerMinute: 1 })
  expect((await stack.api('GET', '/auth/me', undefined, headers)).status).toBe(200)
  const refusal = always({ status: 429, error: 'Too many requests, please try again later.' })
  for (const { headers: answered } of await expectRefused(
    stack,
    guarded,
    { headers, records: ours },
    refusal,
  )) {
    const seconds = Number(answered.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(answered.get('ratelimit')).toBe(`"key";r=0;t=${seconds}`)
    expect(answered.get('ratelimit-policy')).toBe('"key";q=1;w=60, "business";q=1000000;w=60')
  }
})

test.each(['torn', 'long'] as const)(
  'a %s body is not read before the credential is checked',
  async (broken) => {
    await expectRefused(stack, guarded, { headers: { 'x-api-key': 'x' } }, mistypedKey, broken)
  },
)

test('records of others and records that do not exist get the same answer', async () => {
  const about = guarded.filter(namesARecord)
  const named = guarded.filter(({ path }) => /\{\w*[iI]d\}/.test(path.replace('{txId}', '')))
  expect(named.filter((listed) => !about.includes(listed)).map(nameOf)).toEqual([])
  const elsewhere = await addBusiness(stack, await addPerson(stack))
  const other = await addPerson(stack)
  await addBusiness(stack, other)
  const token = await tokenOf(stack, other)
  const ofOwner = await keyWith({ businessId: elsewhere, permissions })
  const before = await contentsOf(stack)
  for (const headers of [ofOwner, token]) {
    const [existing, missing] = [
      await requestEach(stack, about, { headers, records: ours }),
      await requestEach(stack, about, { headers }),
    ]
    expect(existing.map(briefAnswer)).toEqual(about.map(notFoundAnswer))
    expect(existing.map(fullAnswer)).toEqual(missing.map(fullAnswer))
  }
  expect(withoutRequestRecords(await contentsOf(stack))).toEqual(withoutRequestRecords(before))
})

test('no list of another business contains our records', async () => {
  const person = await addPerson(stack)
  const business = await addBusiness(stack, person)
  for (const headers of [await keyWith({ businessId: business }), await tokenOf(stack, person)])
    expectNothingOf(
      ours,
      await requestEach(stack, lists(guarded), { headers, records: { ...ours, business } }),
    )
  const own = await requestEach(stack, lists(guarded), {
    headers: { 'x-api-key': stack.apiKey },
    records: ours,
  })
  expect(
    own.filter((received) => namesAnyOf(ours, received)).map(({ listed }) => listed.operation.operationId),
  ).toEqual(
    expect.arrayContaining([
      'listSessions',
      'listMonitoredAddresses',
      'listWebhookEndpoints',
      'listWebhooks',
      'listEvents',
      'listWallets',
      'listTransfers',
    ]),
  )
})

describe('operations that change something are carried out', () => {
  const writes = guarded.filter(({ operation }) => isWrite(operation))
  /** A key can do the rest of its permission. */
  const byPeople = ['approvePayout', 'approvePayoutBatch']
  const credentials: [string, () => Promise<Ask['headers']>, leftOut: string[]][] = [
    [
      'for a key with the permission',
      async () => {
        const [one, other] = await limitedKeys()
        return (operation) => ({ 'x-api-key': (holds(0, operation) ? one : other)?.['x-api-key'] ?? '' })
      },
      byPeople,
    ],
    [
      'for a developer, or the owner where the operation requires one',
      async () => {
        const developer = await forgeToken(
          stack,
          issuer,
          await addMember(stack, stack.businessId, 'developer'),
        )
        const ofOwner = await forge({})
        return (operation) => (roleFor(operation) === 'owner' ? ofOwner : developer)
      },
      [],
    ],
  ]
  test.each(credentials)('%s', async (_who, make, leftOut) => {
    const headers = await make()
    const done = writes.filter(({ operation }) => !leftOut.includes(operation.operationId))
    const carriedOut = async (listed: ListedOperation) => {
      const { status, body } = await ask(stack, listed, { headers, records: await makeRecords(stack) })
      return [nameOf(listed), status, status < 300 ? {} : body]
    }
    // Each has records of its own, so that they do not affect each other.
    for (let i = 0; i < done.length; i += 5) {
      const some = done.slice(i, i + 5)
      expect(await Promise.all(some.map(carriedOut))).toEqual(
        some.map((listed) => [nameOf(listed), success(listed.operation), {}]),
      )
      // A business has few of them.
      await stack.db.query(
        "update webhook_endpoints set removed_at = now() where url = 'http://127.0.0.1:9/hooks' and removed_at is null",
      )
    }
  })
})

describe('a deployment of mainnets', () => {
  let live: Stack
  const inProduction = guarded.filter(({ operation }) => !operation['x-about-caller'])
  const notApproved = always({
    status: 403,
    error: 'business_not_approved',
    message: 'Production access requires an approved business',
  })

  beforeAll(async () => {
    const process = await stack.start('api', { ENVIRONMENT: 'live' }, { as: 'live' })
    live = { ...stack, processes: new Map([['api', process]]) }
  })

  test('refuses a key of a deployment of test networks', async () => {
    const mismatch = {
      status: 403,
      error: 'environment_mismatch',
      message: 'This key is for the test environment; this deployment is live',
    }
    await expectRefused(live, guarded, { headers: await keyWith({}) }, always(mismatch))
  })

  test('a business can only read who it is until it is approved', async () => {
    const person = await addPerson(stack)
    const businessId = await addBusiness(stack, person)
    const key = generateApiKey('live')
    await storeKey(stack, { businessId, name: 'live', scope: 'write', key })
    const me = guarded.filter((listed) => !inProduction.includes(listed))
    for (const headers of [{ 'x-api-key': key.reveal() }, await tokenOf(stack, person)]) {
      await expectRefused(live, inProduction, { headers }, notApproved)
      expect(
        (await requestEach(live, me, { headers })).map(({ status, body }) => [status, body.business]),
      ).toEqual([[200, expect.objectContaining({ id: businessId, approval: 'pending' })]])
    }
    await setApproval(stack, systemActor('test'), businessId, 'approved', null)
    const lists = inProduction.filter(({ operation: { operationId } }) => operationId === 'listSessions')
    expect(
      (await requestEach(live, lists, { headers: { 'x-api-key': key.reveal() } })).map(
        ({ status }) => status,
      ),
    ).toEqual([200])
  })
})
