import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { newId } from '../../src/platform/ids.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { contentsOf, withoutRequestRecords } from '../support/credentialMatrix.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  type Person,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { someAccount } from '../support/sampleRequests.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Payout destinations, the cooling-off time and the legal profile, through the API and the dashboard's own.

interface Destination {
  id: string
  kind: string
  status: string
  name: string | null
  accountNumber: string | null
  accountName: string | null
  address: string | null
  usableFrom: string
  createdAt: string
  archivedAt: string | null
}

interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
}

interface Listed {
  destinations: Destination[]
  total: number
  totalPages: number
  nextCursor: string | null
}

const hourMs = 3_600_000
const accessBank = '31cfcc77-8904-4f86-879c-a0d18b4b9365'
const equityBank = '7ea6df5c-6bba-46b2-a7e6-f511959e7edb'
const wallet = () => ({ chain: 'ethereum', address: `0x${newId().replaceAll('-', '')}00000000` })

let stack: Stack
let owner: Person
let owns: Headers
let token: Headers
let businessId: string
/** Every answer of an error, for the search for canaries. */
const errors: string[] = []

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'], traced: true, env: { LOG_LEVEL: 'trace' } })
  owner = await addPerson(stack)
  businessId = await addBusiness(stack, owner)
  owns = (await sessionOf(stack, owner)).headers
  token = await tokenOf(stack, owner)
})
afterAll(() => stack?.close())

async function ask<T = Destination>(
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = token,
): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as T
  if (response.status >= 400) errors.push(JSON.stringify(answered))
  return { status: response.status, body: answered, headers: response.headers }
}
const save = <T = Destination>(wanted: object, headers?: Headers) =>
  ask<T>('POST', '/payout-destinations', wanted, headers)
const list = async (query: string, headers?: Headers) =>
  (await ask<Listed>('GET', `/payout-destinations?${query}`, undefined, headers)).body
const refusal = ({ status, body }: ApiAnswer<Refusal>) => [
  status,
  body.error,
  ...(body.fields ?? []).map(({ field }) => field).sort(),
]
const setting = <T = object>(method: string, path: string, body?: unknown, headers: Headers = owns) =>
  dashboard<T>(stack, method, `/businesses/${businessId}${path}`, body, headers)
const audited = (target: string) =>
  stack.db.query<{ action: string; before: object | null; after: object | null }>(
    'select action, before, after from audit_log where target = $1 order by id',
    [target],
  )

test('while the partner is down a bank account is not saved (503), and a wallet is', async () => {
  stack.partner.mode = 'down'
  const answer = await save<Refusal>(someAccount())
  expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([
    503,
    'banks_unavailable',
    '10',
  ])
  expect((await list('')).total).toBe(0)
  expect((await save(wallet())).status).toBe(201)
  stack.partner.mode = 'ok'
  await waitFor('the banks', async () => (await setting('GET', '/payout-banks')).status === 200)
  expect((await save(someAccount())).status).toBe(201)
})

describe('a bank account', () => {
  test('is saved with the country and currency of its bank, is shown masked, and waits for a day', async () => {
    const { status, body } = await save({
      networkId: equityBank,
      accountNumber: '0723-456 789',
      accountName: ' Ada Stores Ltd ',
      name: ' Rent ',
    })
    expect([status, body]).toEqual([
      201,
      {
        ...{
          id: body.id,
          kind: 'bank',
          status: 'cooling_off',
          name: 'Rent',
          networkId: equityBank,
          bankName: 'Equity Bank',
          country: 'KE',
        },
        ...{
          currency: 'KES',
          accountNumber: '****6789',
          accountName: 'Ada Stores Ltd',
          chain: null,
          address: null,
          memo: null,
          memoType: null,
        },
        ...{ usableFrom: expect.any(String), createdAt: expect.any(String), archivedAt: null },
      },
    ])
    expect(Date.parse(body.usableFrom) - Date.parse(body.createdAt)).toBe(24 * hourMs)
    expect((await ask('GET', `/payout-destinations/${body.id}`)).body).toEqual(body)
    const about = {
      kind: 'bank',
      name: 'Rent',
      bankName: 'Equity Bank',
      country: 'KE',
      currency: 'KES',
      usableFrom: body.usableFrom,
    }
    expect(await audited(body.id)).toEqual([{ action: 'destination.created', before: null, after: about }])
  })

  test('is saved once, however it is written: 409 names the first one; ten at a time save one', async () => {
    const account = someAccount()
    const spaced = {
      ...account,
      accountNumber: account.accountNumber.toUpperCase().replace(/(.{4})/g, '$1 '),
      name: 'the same',
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => save<Destination & Refusal>(i % 2 ? account : spaced)),
    )
    const [made] = answers.filter(({ status }) => status === 201)
    for (const answer of answers.filter((each) => each !== made)) {
      expect(refusal(answer)).toEqual([409, 'destination_exists'])
      expect(answer.body.message).toContain(made?.body.id)
    }
    // At another bank, and of another business, it is another account.
    expect((await save({ ...account, networkId: accessBank })).status).toBe(201)
    const other = await addPerson(stack)
    await addBusiness(stack, other)
    expect((await save(account, await tokenOf(stack, other))).status).toBe(201)
  })

  test('is archived once and for all, and can be saved again with a cooling-off time of its own', async () => {
    const account = someAccount()
    const { body: made } = await save(account)
    const archive = () => ask('POST', `/payout-destinations/${made.id}/archive`)
    const { status, body: archived } = await archive()
    expect([status, archived]).toEqual([200, { ...made, status: 'archived', archivedAt: expect.any(String) }])
    expect((await archive()).body).toEqual(archived)
    const again = await save(account)
    expect([again.status, again.body.id === made.id]).toEqual([201, false])
    expect((await audited(made.id)).map(({ action }) => action)).toEqual([
      'destination.created',
      'destination.archived',
      'destination.archived',
    ])
  })

  test('a repeated request with its Idempotency-Key gets the first answer', async () => {
    const [account, headers] = [someAccount(), { ...token, 'idempotency-key': newId() }]
    const first = await save(account, headers)
    expect(first.body.accountNumber).toMatch(/^\*{4}\w{4}$/)
    const archive = () =>
      ask('POST', `/payout-destinations/${first.body.id}/archive`, undefined, {
        ...token,
        'idempotency-key': first.body.id,
      })
    const archived = await archive()
    expect([first.status, (await save(account, headers)).body, (await archive()).body]).toEqual([
      201,
      first.body,
      archived.body,
    ])
  })
})

describe('a wallet', () => {
  test('is saved in the form of its chain', async () => {
    const lower = '0x52908400098527886e0f7030069857d2e4169ee7'
    const { status, body } = await save({ chain: 'ethereum', address: lower, name: 'Cold' })
    expect([status, body]).toMatchObject([
      201,
      {
        kind: 'wallet',
        chain: 'ethereum',
        address: '0x52908400098527886E0F7030069857D2E4169EE7',
        memo: null,
      },
    ])
    expect(body.accountNumber).toBeNull()
    expect(
      refusal(
        await save<Refusal>({ chain: 'ethereum', address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
      ),
    ).toEqual([409, 'destination_exists'])
  })

  test('is not an address of this platform: deposit addresses, taken or free, and the treasury are a 422 that names the field', async () => {
    const session = await stack.createSession()
    const [free] = await stack.db.query<{ address: string }>(
      "select address from deposit_addresses where family = 'evm' and taken_at is null limit 1",
    )
    const treasury = await waitFor('the treasury', async () => {
      const [row] = await stack.db.query<{ address: string }>(
        "select address from treasury_addresses where family = 'evm'",
      )
      return row?.address
    })
    const before = withoutRequestRecords(await contentsOf(stack))
    for (const address of [session.address, free?.address, treasury])
      expect(refusal(await save<Refusal>({ chain: 'ethereum', address }))).toEqual([
        422,
        'own_address',
        'address',
      ])
    expect(withoutRequestRecords(await contentsOf(stack))).toEqual(before)
  })
})

describe('refused, with the wrong field named and nothing stored:', () => {
  const account = someAccount()
  const { networkId: _, ...unbanked } = account
  const evm = wallet()
  const cases: [string, object, unknown[]][] = [
    ['nothing', {}, [400, 'Invalid request body', 'chain', 'networkId']],
    [
      'an account and a wallet',
      { ...account, ...evm },
      [400, 'Invalid request body', 'accountName', 'accountNumber', 'address', 'chain', 'networkId'],
    ],
    [
      'an account with a memo',
      { ...account, memo: '1' },
      [400, 'Invalid request body', 'accountName', 'accountNumber', 'memo', 'networkId'],
    ],
    ['no bank', unbanked, [400, 'Invalid request body', 'networkId']],
    [
      'no number and no holder',
      { networkId: accessBank },
      [400, 'Invalid request body', 'accountName', 'accountNumber'],
    ],
    [
      'a bank that does not exist',
      { ...account, networkId: newId() },
      [400, 'Invalid request body', 'networkId'],
    ],
    [
      'a closed bank',
      { ...account, networkId: 'c0ffee00-0000-4e3a-8a43-2c2a4a3f1f13' },
      [400, 'Invalid request body', 'networkId'],
    ],
    [
      'a network of phones',
      { ...account, networkId: 'e4b1f5c2-0000-4e3a-8a43-2c2a4a3f1f12' },
      [400, 'Invalid request body', 'networkId'],
    ],
    [
      'a number that is too short',
      { ...account, accountNumber: '12-3' },
      [400, 'Invalid request body', 'accountNumber'],
    ],
    [
      'a number that is too long',
      { ...account, accountNumber: '1'.repeat(35) },
      [400, 'Invalid request body', 'accountNumber'],
    ],
    [
      'a number with other characters',
      { ...account, accountNumber: '12345_678' },
      [400, 'Invalid request body', 'accountNumber'],
    ],
    [
      'a number that is no text',
      { ...account, accountNumber: 123456789 },
      [400, 'Invalid request body', 'accountNumber'],
    ],
    ['a holder of spaces', { ...account, accountName: '  ' }, [400, 'Invalid request body', 'accountName']],
    [
      'a holder of two lines',
      { ...account, accountName: 'Ada\nStores' },
      [400, 'Invalid request body', 'accountName'],
    ],
    [
      'a currency that the bank does not take',
      { ...account, currency: 'KES' },
      [400, 'Invalid request body', 'currency'],
    ],
    [
      'a text that is no currency',
      { ...account, currency: 'naira' },
      [400, 'Invalid request body', 'currency'],
    ],
    ['a name that is too long', { ...account, name: 'x'.repeat(101) }, [400, 'Invalid request body', 'name']],
    ['an unknown field', { ...account, iban: 'x' }, [400, 'Invalid request body', 'iban']],
    ['no address', { chain: 'ethereum' }, [400, 'Invalid request body', 'address']],
    ['no chain', { address: evm.address }, [400, 'Invalid request body', 'chain']],
    ['a chain that is not here', { ...evm, chain: 'polygon' }, [400, 'Invalid request body', 'chain']],
    [
      'a chain that Cowry does not know',
      { ...evm, chain: 'bitcoin' },
      [400, 'Invalid request body', 'chain'],
    ],
    [
      'an address of another family',
      { ...evm, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
      [400, 'wrong_chain_address', 'address'],
    ],
    ['a text that is no address', { ...evm, address: 'ada.eth' }, [400, 'invalid_address', 'address']],
    ['a memo on a chain without memos', { ...evm, memo: '7' }, [400, 'Invalid request body', 'memo']],
    ['a kind of memo without a memo', { ...evm, memoType: 'id' }, [400, 'Invalid request body', 'memo']],
  ]
  test.each(cases)('%s', async (_name, wanted, expected) => {
    const before = withoutRequestRecords(await contentsOf(stack))
    const answer = await save<Refusal>(wanted)
    expect(refusal(answer)).toEqual(expected)
    expect(JSON.stringify(answer.body)).not.toContain(account.accountNumber)
    expect(withoutRequestRecords(await contentsOf(stack))).toEqual(before)
  })
})

describe('only owners save and archive, and a destination is of one business:', () => {
  let made: Destination
  beforeAll(async () => {
    made = (await save(someAccount())).body
  })
  const keyWith = async (scope: 'read' | 'write', permissions: string[] | null): Promise<Headers> => ({
    'x-api-key': (
      await createApiKey(stack, { businessId, name: 'key', scope, permissions, environment: 'test' })
    ).reveal(),
  })
  const tries = async (headers: Headers) => {
    const answers = [
      await ask<Refusal>('GET', '/payout-destinations', undefined, headers),
      await ask<Refusal>('GET', `/payout-destinations/${made.id}`, undefined, headers),
      await save<Refusal>(someAccount(), headers),
      await ask<Refusal>('POST', `/payout-destinations/${made.id}/archive`, undefined, headers),
    ]
    return answers.map(({ status }) => status)
  }

  test('without a credential 401', async () => {
    expect(await tries({})).toEqual([401, 401, 401, 401])
    expect(await tries({ 'x-api-key': 'x' })).toEqual([401, 401, 401, 401])
  })
  test('a key that names no permission reads', async () => {
    expect(await tries(await keyWith('write', null))).toEqual([200, 200, 403, 403])
    expect(await tries(await keyWith('read', null))).toEqual([200, 200, 403, 403])
  })
  test('a key of another permission does nothing here', async () =>
    expect(await tries(await keyWith('write', ['sessions:read']))).toEqual([403, 403, 403, 403]))
  test('a developer and a viewer read', async () => {
    for (const role of ['developer', 'viewer'] as const)
      expect(await tries(await tokenOf(stack, await addMember(stack, businessId, role)))).toEqual([
        200, 200, 403, 403,
      ])
  })
  test('a developer gives no key the permission', async () => {
    const developer = (await sessionOf(stack, await addMember(stack, businessId, 'developer'))).headers
    const wanted = { name: 'payer', scope: 'write', permissions: ['payouts:destinations'] }
    const make = (headers: Headers) => setting<Refusal>('POST', '/keys', wanted, headers)
    expect([(await make(developer)).status, (await make(owns)).status]).toEqual([403, 201])
  })
  test('another business finds nothing', async () => {
    const stranger = await addPerson(stack)
    await addBusiness(stack, stranger)
    expect(await tries(await tokenOf(stack, stranger))).toEqual([200, 404, 201, 404])
    expect((await list('', await tokenOf(stack, stranger))).destinations.map(({ id }) => id)).not.toContain(
      made.id,
    )
  })
  test('a key that an owner gave the permission saves and archives', async () =>
    expect(await tries(await keyWith('write', ['payouts:destinations', 'payouts:read']))).toEqual([
      200, 200, 201, 200,
    ]))
})

describe('the list', () => {
  let headers: Headers
  let made: Destination[]
  beforeAll(async () => {
    const person = await addPerson(stack)
    await addBusiness(stack, person)
    headers = await tokenOf(stack, person)
    made = []
    for (const wanted of [
      someAccount(),
      { ...someAccount(), networkId: equityBank },
      wallet(),
      someAccount(),
      wallet(),
    ])
      made.push((await save(wanted, headers)).body)
    await ask('POST', `/payout-destinations/${made[3]?.id}/archive`, undefined, headers)
    await stack.db.query('update payout_destinations set usable_from = now() where id = $1', [made[4]?.id])
  })
  const found = async (query: string) =>
    (await list(query, headers)).destinations.map(({ id }) => made.findIndex((each) => each.id === id))

  test.each([
    ['', [4, 3, 2, 1, 0]],
    ['sort=ASC', [0, 1, 2, 3, 4]],
    ['kind=wallet', [4, 2]],
    ['kind=bank', [3, 1, 0]],
    ['currency=KES', [1]],
    ['currency=NGN&kind=wallet', []],
    ['status=usable', [4]],
    ['status=archived', [3]],
    ['status=cooling_off&sort=ASC', [0, 1, 2]],
    ['limit=2&page=2', [2, 1]],
  ])('of %j', async (query, expected) => expect(await found(query)).toEqual(expected))

  test('goes on by its cursor', async () => {
    const first = await list('limit=2&kind=bank', headers)
    expect([first.total, first.totalPages, first.destinations.length]).toEqual([3, 2, 2])
    const second = await list(`limit=2&kind=bank&cursor=${first.nextCursor}`, headers)
    expect([second.destinations.map(({ id }) => id), second.nextCursor]).toEqual([[made[0]?.id], null])
  })

  test.each([
    ['kind=card', 'kind'],
    ['status=pending', 'status'],
    ['currency=naira', 'currency'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['chain=ethereum', 'chain'],
  ])('refuses %s', async (query, field) => {
    const answer = await ask<Refusal>('GET', `/payout-destinations?${query}`, undefined, headers)
    expect(refusal(answer)).toEqual([400, 'Invalid request parameters', field])
  })
})

describe('the cooling-off time', () => {
  const set = <T = object>(coolingOffHours: unknown, headers?: Headers) =>
    setting<T>('PUT', '/payout-settings', { coolingOffHours }, headers)
  const hoursOfNew = async () => {
    const { body } = await save(wallet())
    return (Date.parse(body.usableFrom) - Date.parse(body.createdAt)) / hourMs
  }

  test('a longer time applies at once; a shorter time only when the present one has passed', async () => {
    expect((await setting('GET', '/payout-settings')).body).toMatchObject({ coolingOffHours: 24, next: null })
    expect([(await set(36)).body, await hoursOfNew()]).toMatchObject([
      { coolingOffHours: 36, next: null },
      36,
    ])
    const asked = await set<{ next: { from: string } }>(0)
    expect(asked.body).toMatchObject({
      coolingOffHours: 36,
      next: { coolingOffHours: 0, from: expect.any(String) },
    })
    const wait = Date.parse(asked.body.next.from) - Date.now()
    expect([wait > 35.9 * hourMs, wait <= 36 * hourMs, await hoursOfNew()]).toEqual([true, true, 36])
    // Repeating it changes nothing, its moment neither.
    expect((await set(0)).body).toEqual(asked.body)
    await stack.db.query('update payout_settings set next_from = now() where business_id = $1', [businessId])
    expect((await setting('GET', '/payout-settings')).body).toMatchObject({ coolingOffHours: 0, next: null })
    const { body } = await save(wallet())
    expect([body.status, body.usableFrom]).toEqual(['usable', body.createdAt])
    expect(
      (await audited(businessId)).filter(({ action }) => action === 'payout_settings.changed'),
    ).toMatchObject([
      { before: { coolingOffHours: 24 }, after: { coolingOffHours: 36 } },
      { before: { coolingOffHours: 36 }, after: { coolingOffHours: 36, next: { coolingOffHours: 0 } } },
    ])
  })

  test.each([-1, 721, 1.5, '24', null])('%j hours are refused', async (hours) =>
    expect(refusal(await set<Refusal>(hours))).toEqual([400, 'Invalid request body', 'coolingOffHours']),
  )

  test('a developer reads it, and does not set it', async () => {
    const { headers } = await sessionOf(stack, await addMember(stack, businessId, 'developer'))
    expect([
      (await setting('GET', '/payout-settings', undefined, headers)).status,
      (await set(48, headers)).status,
    ]).toEqual([200, 403])
  })
})

const profile = {
  businessName: 'Ada Stores Limited',
  registrationNumber: 'RC 7654321',
  country: 'NG',
  address: '7 Canary Close, Lagos',
  phone: '+2348035551234',
  email: 'legal-desk@canary-stores.example',
}

describe('the legal profile', () => {
  const put = <T = { profile: object }>(wanted: object, headers?: Headers) =>
    setting<T>('PUT', '/legal-profile', wanted, headers)

  test('is null, is written by an owner, and is shown masked', async () => {
    expect((await setting('GET', '/legal-profile')).body).toEqual({ profile: null })
    const { status, body } = await put(profile)
    const shown = {
      ...profile,
      registrationNumber: '****4321',
      phone: '****1234',
      email: 'l****@canary-stores.example',
    }
    expect([status, body]).toEqual([200, { profile: { ...shown, updatedAt: expect.any(String) } }])
    expect((await setting('GET', '/legal-profile')).body).toEqual(body)
    // Repeating it changes nothing.
    expect((await put(profile)).body).toEqual(body)
    await put({ ...profile, phone: '+2348035559876' })
    await put(profile)
    const names = ['businessName', 'registrationNumber', 'country', 'address', 'phone', 'email']
    expect(
      (await audited(businessId))
        .filter(({ action }) => action === 'legal_profile.changed')
        .map(({ after }) => after),
    ).toEqual([{ fields: names }, { fields: ['phone'] }, { fields: ['phone'] }])
  })

  test.each([
    ['businessName', ' '],
    ['businessName', undefined],
    ['registrationNumber', '#1'],
    ['registrationNumber', 'x'.repeat(61)],
    ['country', 'Nigeria'],
    ['country', 'ZZ'],
    ['country', 'QX'],
    ['address', ''],
    ['phone', '08035551234'],
    ['phone', '+234803555123456789'],
    ['email', 'legal-desk'],
    ['dob', '01/01/1990'],
  ])('%s %j is refused by name, and nothing is stored', async (field, value) => {
    const before = await contentsOf(stack)
    const answer = await put<Refusal>({ ...profile, phone: '+2348030000000', [field]: value })
    errors.push(JSON.stringify(answer.body))
    expect(refusal(answer)).toEqual([400, 'Invalid request body', field])
    expect(await contentsOf(stack)).toEqual(before)
  })

  test('is of owners alone', async () => {
    for (const role of ['developer', 'viewer'] as const) {
      const { headers } = await sessionOf(stack, await addMember(stack, businessId, role))
      expect([
        (await setting('GET', '/legal-profile', undefined, headers)).status,
        (await put(profile, headers)).status,
      ]).toEqual([403, 403])
    }
    const stranger = (await sessionOf(stack, await addPerson(stack))).headers
    expect((await setting('GET', '/legal-profile', undefined, stranger)).status).toBe(404)
    expect((await setting('GET', '/legal-profile', undefined, {})).status).toBe(401)
  })
})

test('the dashboard lists the banks with country and currencies, and saves as the API does', async () => {
  const { body } = await setting<{ banks: object[] }>('GET', '/payout-banks')
  expect(body.banks).toEqual([
    { id: accessBank, name: 'Access Bank', code: '044', countryCode: 'NG', currencies: ['NGN'] },
    { id: equityBank, name: 'Equity Bank', code: '068', countryCode: 'KE', currencies: ['KES'] },
    {
      id: someAccount().networkId,
      name: 'Guaranty Trust Bank',
      code: '058',
      countryCode: 'NG',
      currencies: ['NGN'],
    },
  ])
  const saved = await setting<Destination>('POST', '/payout-destinations', someAccount())
  expect([saved.status, saved.body.kind]).toEqual([201, 'bank'])
})

test('account numbers and profiles are in no log, row, job, error or metric', async () => {
  const number = '7301946582'
  const account = { ...someAccount(), accountNumber: number, accountName: 'Canary Holder Seven' }
  const canaries = {
    'the account number': [
      number,
      Buffer.from(number).toString('hex'),
      Buffer.from(number).toString('base64').slice(0, 10),
    ],
    'the account holder': [account.accountName],
    ...Object.fromEntries(
      Object.entries(profile).map(([name, value]) => [name, value.length > 2 ? [value] : []]),
    ),
    'the second phone': ['+2348035559876'],
  }
  const { body: made } = await save(account, { ...token, 'idempotency-key': newId() })
  await save(account)
  for (const wrong of [
    { networkId: number },
    { accountNumber: `${number}_` },
    { accountName: '' },
    { currency: 'KES' },
    { memo: number },
  ])
    await save({ ...account, ...wrong })
  await ask('GET', `/payout-destinations/${number}`)
  await ask('POST', `/payout-destinations/${made.id}/archive`)
  const redis = new Redis(stack.redis.url)
  try {
    for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors))) {
      const text = await read()
      expect(text.length).toBeGreaterThan(sink === 'job' ? 0 : 100)
      expect([sink, foundIn(text, canaries)]).toEqual([sink, []])
    }
  } finally {
    redis.disconnect()
  }
  expect(foundIn(JSON.stringify(account), canaries)).toEqual(['the account number', 'the account holder'])
})
