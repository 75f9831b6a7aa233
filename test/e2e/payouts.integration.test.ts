import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { newId } from '../../src/platform/ids.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { addBusiness, addMember, addPerson, dashboard, type Headers, type Person, sessionOf, tokenOf } from '../support/dashboardSession.ts'
import { giveBalance, makePayout, makeWalletDestination } from '../support/madePayout.ts'
import { someAccount } from '../support/sampleRequests.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'

// Payouts through the API and the dashboard's own: what is stored and held, what is refused, who approves, and what the limits let through.

interface Payout {
  id: string
  status: string
  revision: number
  destination: { id: string; accountNumber: string | null; accountName: string | null }
  approval: { id: string; state: string } | null
  reason: string | null
  paidElsewhere: string | null
  [field: string]: unknown
}

interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
  missing?: object
}

const [gtBank, equityBank] = ['5f1af11b-305f-4420-8fce-65ed2725a409', '7ea6df5c-6bba-46b2-a7e6-f511959e7edb']
const usdc = { chain: 'ethereum', token: 'USDC' }
const million = 1_000_000n
const someAddress = () => `0x${newId().replaceAll('-', '')}000000ab`

let stack: Stack
let redis: Redis
/** A business with two owners, a fee of 1 %, a margin of 2 %, and a balance. */
let at: Awaited<ReturnType<typeof openBusiness>>
/** Every answer of an error, for the search for canaries. */
const errors: string[] = []

async function openBusiness(balance = 0n) {
  const [first, second] = [await addPerson(stack), await addPerson(stack)]
  const businessId = await addBusiness(stack, first)
  await addMember(stack, businessId, 'owner', second)
  await stack.db.query('update businesses set fee_percent = 1, fx_margin_percent = 2 where id = $1', [businessId])
  if (balance > 0n) await giveBalance(stack.db, businessId, usdc, balance)
  const wallet = await makeWalletDestination(stack.db, businessId, { address: someAddress() })
  const keyWith = async (permissions: string[] | null, createdBy: Person | null = null): Promise<Headers> => {
    const key = generateApiKey('test')
    await storeKey(stack, { businessId, name: 'pays', scope: 'write', permissions, key, ...(createdBy && { createdBy: createdBy.id }) })
    return { 'x-api-key': key.reveal() }
  }
  return {
    businessId,
    first,
    second,
    wallet,
    keyWith,
    token: await tokenOf(stack, first),
    other: await tokenOf(stack, second),
    key: await keyWith(null),
  }
}

beforeAll(async () => {
  stack = await createStack({ processes: ['api'], env: { LOG_LEVEL: 'trace' } })
  redis = new Redis(stack.redis.url)
  at = await openBusiness(10_000n * million)
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

async function ask<T = Payout>(method: string, path: string, body?: unknown, headers: Headers = at.token): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as T
  if (response.status >= 400) errors.push(JSON.stringify(answered))
  return { status: response.status, body: answered, headers: response.headers }
}
const create = <T = Payout>(wanted: object = {}, headers?: Headers) =>
  ask<T>('POST', '/payouts', { amount: '100', source: usdc, destination: { id: at.wallet }, ...wanted }, headers)
const refusal = ({ status, body }: ApiAnswer<Refusal>) => [status, body.error, ...(body.fields ?? []).map(({ field }) => field).sort()]
const inDashboard = async <T = object>(person: Person, method: string, path: string, body?: unknown, businessId = at.businessId) =>
  dashboard<T>(stack, method, `/businesses/${businessId}${path}`, body, (await sessionOf(stack, person)).headers)

/** `available` and `payouts_held` in millionths. */
async function balances(businessId: string): Promise<[bigint, bigint]> {
  const rows = await stack.db.query<{ name: string; amount: string }>(
    `select a.name, (-sum(p.amount))::text as amount from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.business_id = $1 and a.asset = 'ethereum:USDC' group by a.name`,
    [businessId],
  )
  const of = (name: string) => BigInt(rows.find((row) => row.name === name)?.amount ?? 0)
  return [of('available'), of('payouts_held')]
}

/** What a payout stores. */
const stored = async () =>
  (
    await stack.db.query<{ n: string }>(
      `select (select count(*) from outflows) || ' ' || (select count(*) from ledger_postings) || ' ' || (select count(*) from payout_destinations) || ' '
         || (select count(*) from approvals) || ' ' || (select count(*) from events) as n`,
    )
  )[0]?.n

const eventsOf = (businessId: string, id: string) =>
  stack.db.query<{ type: string; data: Payout }>("select type, data from events where business_id = $1 and data->>'id' = $2 order by sequence", [
    businessId,
    id,
  ])

describe('a payout to a wallet', () => {
  test('holds its money, says what arrives, and is reported', async () => {
    const [available, held] = await balances(at.businessId)
    const metadata = { invoice: 7 }
    const { status, body } = await create({ amount: '100.5', reference: 'supplier-77', metadata })
    const [{ address } = { address: '' }] = await stack.db.query<{ address: string }>('select address from payout_destinations where id = $1', [
      at.wallet,
    ])
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: expect.any(String), status: 'pending', revision: 1, amount: '100.5', source: usdc, automatic: false, sessionId: null },
        destination: {
          ...{ id: at.wallet, kind: 'wallet', name: null, networkId: null, bankName: null, country: null, currency: null },
          ...{
            accountNumber: null,
            accountName: null,
            chain: 'ethereum',
            address: expect.stringMatching(new RegExp(address, 'i')),
            memo: null,
            memoType: null,
          },
        },
        ...{ fee: '1.005', feeCurrency: 'USDC', rate: null, receiveAmount: '99.495', receiveCurrency: 'USDC', networkCost: null, txHash: null },
        ...{
          partnerPaymentId: null,
          partnerPaymentStatus: null,
          paidElsewhere: null,
          reason: null,
          reference: 'supplier-77',
          metadata,
          approval: null,
        },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String), completedAt: null },
      },
    ])
    expect(await balances(at.businessId)).toEqual([available - 100_500_000n, held + 100_500_000n])
    expect((await ask('GET', `/payouts/${body.id}`)).body).toEqual(body)
    expect((await ask('GET', `/payouts/${body.id}`, undefined, at.key)).body).toEqual(body)
    expect((await inDashboard(at.second, 'GET', `/payouts/${body.id}`)).body).toEqual(body)
    expect(await eventsOf(at.businessId, body.id)).toEqual([{ type: 'payout.created', data: body }])
  })

  test('the same Idempotency-Key answers the first one again, and holds once', async () => {
    const headers = { ...at.token, 'idempotency-key': newId() }
    const [available] = await balances(at.businessId)
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ amount: '3' }, headers)))
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(Array(5 - made.length).fill(409))
    expect((await create({ amount: '3' }, headers)).body).toEqual(made[0]?.body)
    expect((await create({ amount: '4' }, headers)).status).toBe(422)
    expect((await balances(at.businessId))[0]).toBe(available - 3n * million)
  })

  test('in the dashboard, too: two presses at once, and one after a lost answer, make one payout', async () => {
    const headers = { ...(await sessionOf(stack, at.first)).headers, 'idempotency-key': newId() }
    const [available] = await balances(at.businessId)
    const press = (amount = '3') =>
      dashboard<Payout>(stack, 'POST', `/businesses/${at.businessId}/payouts`, { amount, source: usdc, destination: { id: at.wallet } }, headers)
    const both = await Promise.all([press(), press()])
    const made = both.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    for (const { status, body } of both) if (status !== 201) expect([status, body]).toMatchObject([409, { error: 'request_in_progress' }])
    const again = await press()
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', made[0]?.body])
    expect(again.body.destination.id).toBe(at.wallet)
    expect((await press('4')).body).toMatchObject({ error: 'idempotency_key_reused' })
    expect((await balances(at.businessId))[0]).toBe(available - 3n * million)
  })

  test('a new address is saved by the same call, waits for its cooling-off time, and is found again', async () => {
    const destination = { chain: 'ethereum', address: someAddress() }
    const { body: made } = await create({ amount: '2', destination })
    const { body: saved } = await ask<{ status: string }>('GET', `/payout-destinations/${made.destination.id}`)
    expect(saved.status).toBe('cooling_off')
    const actions = await stack.db.query('select action from audit_log where target = any($1) order by id', [[made.destination.id, made.id]])
    expect(actions).toEqual([{ action: 'destination.created' }, { action: 'payout.created' }])
    // A key that may not save destinations may pay to one that is saved.
    const { status, body } = await create({ amount: '2', destination }, at.key)
    expect([status, body.destination.id]).toEqual([201, made.destination.id])
  })

  test('ten at a time save a new address once', async () => {
    const destination = { chain: 'ethereum', address: someAddress() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ amount: '1', destination })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(answers.map(({ body }) => body.destination.id)).size).toBe(1)
  })
})

describe('a payout to a bank', () => {
  test('needs the legal profile; is priced now; shows and stores nothing of the account but a mask', async () => {
    const number = '4417203958'
    const destination = { networkId: gtBank, accountNumber: number, accountName: 'Canary Holder Nine' }
    const before = await stored()
    expect(refusal(await create<Refusal>({ destination }))).toEqual([422, 'legal_profile_missing'])
    expect(await stored()).toBe(before)
    const profile = {
      businessName: 'Canary Stores',
      registrationNumber: 'RC7654321',
      country: 'NG',
      address: '9 Canary Road',
      phone: '+2348035551234',
    }
    expect((await inDashboard(at.first, 'PUT', '/legal-profile', { ...profile, email: 'desk@canary.example' })).status).toBe(200)
    const headers = { ...at.token, 'idempotency-key': newId() }
    const { status, body } = await create({ destination }, headers)
    // 100 × 1610 less 2 % is 157,780; its fee 1,577.80; the bank takes whole units of what is left.
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ amount: '100', fee: '1577.8', feeCurrency: 'NGN', rate: '1610', receiveAmount: '156202', receiveCurrency: 'NGN', networkCost: null },
        destination: { kind: 'bank', bankName: 'Guaranty Trust Bank', accountNumber: '****3958', accountName: 'Canary Holder Nine', currency: 'NGN' },
      },
    ])
    expect((await create({ destination }, headers)).body).toEqual(body)
    expect((await eventsOf(at.businessId, body.id))[0]?.data.destination).toEqual({ ...body.destination, accountName: null })
    for (const wrong of [{ accountNumber: `${number}_` }, { networkId: number }, { currency: 'KES' }, { memo: number }])
      expect((await create({ destination: { ...destination, ...wrong } })).status).toBe(400)
    await ask('GET', `/payouts/${number}`)
    await ask('POST', `/payouts/${body.id}/cancel`)
    const canaries = {
      'the account number': [number, Buffer.from(number).toString('hex'), Buffer.from(number).toString('base64').slice(0, 10)],
      'the account holder': [destination.accountName],
      'the profile': [profile.registrationNumber, profile.address, profile.phone, 'desk@canary.example'],
    }
    for (const [sink, read] of Object.entries(sinksOf(stack, redis, errors))) expect([sink, foundIn(await read(), canaries)]).toEqual([sink, []])
    expect(foundIn(JSON.stringify(destination), canaries)).toEqual(['the account number', 'the account holder'])
  })

  test('with a rate that is too old it is 503, and nothing is stored', async () => {
    const before = await stored()
    // No rate was asked for this currency yet, but one answer has all of them.
    stack.partner.mode = 'stale'
    try {
      const process = await stack.start('api', { RATE_MAX_AGE_SECONDS: '60' }, { as: 'stale' })
      const response = await fetch(`http://127.0.0.1:${process.port()}/api/v1/payouts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...at.token },
        body: JSON.stringify({
          amount: '100',
          source: usdc,
          destination: { networkId: equityBank, accountNumber: '0723456789', accountName: 'Ada' },
        }),
      })
      expect([response.status, ((await response.json()) as Refusal).error, response.headers.get('retry-after')]).toEqual([
        503,
        'rates_unavailable',
        '10',
      ])
    } finally {
      stack.partner.mode = 'ok'
      await stack.stop('stale')
    }
    expect(await stored()).toBe(before)
  })
})

describe('refused by name, and nothing is stored', () => {
  const inline = (more: object) => ({ destination: { chain: 'ethereum', address: someAddress(), ...more } })
  const bank = (more: object) => ({ destination: { ...someAccount(), ...more } })
  const cases: [what: string, wanted: () => object | Promise<object>, ...expected: unknown[]][] = [
    ['no amount', () => ({ amount: undefined }), 400, 'Invalid request body', 'amount'],
    ['an amount of zero', () => ({ amount: '0' }), 400, 'Invalid request body', 'amount'],
    ['a negative amount', () => ({ amount: '-1' }), 400, 'Invalid request body', 'amount'],
    ['a number as the amount', () => ({ amount: 5 }), 400, 'Invalid request body', 'amount'],
    ['more decimals than the token has', () => ({ amount: '1.0000001' }), 400, 'Invalid request body', 'amount'],
    ['an amount that the fee takes', () => ({ amount: '0.000001' }), 422, 'amount_too_small', 'amount'],
    ['less than a unit of the currency', () => bank({ networkId: gtBank }), 422, 'amount_too_small', 'amount'],
    ['no source', () => ({ source: undefined }), 400, 'Invalid request body', 'source'],
    ['a chain that is not configured', () => ({ source: { chain: 'base', token: 'USDC' } }), 400, 'Invalid request body', 'source.chain'],
    ['an unknown chain', () => ({ source: { chain: 'moon', token: 'USDC' } }), 400, 'Invalid request body', 'source.chain'],
    ['an unknown token', () => ({ source: { chain: 'ethereum', token: 'DAI' } }), 400, 'Invalid request body', 'source.token'],
    ['no destination', () => ({ destination: undefined }), 400, 'Invalid request body', 'destination'],
    ['an empty destination', () => ({ destination: {} }), 400, 'Invalid request body', 'destination.chain', 'destination.networkId'],
    ['two destinations', () => inline({ id: at.wallet }), 400, 'Invalid request body', 'destination.address', 'destination.chain', 'destination.id'],
    [
      'a bank and a wallet',
      () => inline({ networkId: gtBank }),
      ...[400, 'Invalid request body', 'destination.address', 'destination.chain', 'destination.networkId'],
    ],
    ['an unknown field', () => inline({ iban: 'x' }), 400, 'Invalid request body', 'destination.iban'],
    ['an unknown networkId', () => bank({ networkId: newId() }), 400, 'Invalid request body', 'destination.networkId'],
    ['a currency that the bank does not take', () => bank({ currency: 'KES' }), 400, 'Invalid request body', 'destination.currency'],
    ['an account number that is too short', () => bank({ accountNumber: '1-2' }), 400, 'Invalid request body', 'destination.accountNumber'],
    ['an account without a name', () => bank({ accountName: undefined }), 400, 'Invalid request body', 'destination.accountName'],
    ['no address', () => inline({ address: undefined }), 400, 'Invalid request body', 'destination.address'],
    ['an address of nothing', () => inline({ address: 'nowhere' }), 400, 'invalid_address', 'destination.address'],
    ['an address of another chain', () => inline({ address: 'T'.padEnd(34, '1') }), 400, 'invalid_address', 'destination.address'],
    ['a memo on ethereum', () => inline({ memo: '7' }), 400, 'Invalid request body', 'destination.memo'],
    ['the address of a token', async () => inline({ address: stack.devnet.usdc }), 422, 'recipient_is_token', 'destination.address'],
    [
      'a deposit address of this platform',
      async () => inline((await stack.db.query("select address from deposit_addresses where family = 'evm' limit 1"))[0] ?? {}),
      ...[422, 'own_address', 'destination.address'],
    ],
    ['an id that does not exist', () => ({ destination: { id: newId() } }), 404, 'Not found'],
    ['an id that is none', () => ({ destination: { id: 'x' } }), 404, 'Not found'],
    ['the destination of a stranger', async () => ({ destination: { id: (await openBusiness()).wallet } }), 404, 'Not found'],
    ['an archived destination', archived, 422, 'destination_archived', 'destination.id'],
    ['a saved wallet on a chain that is not configured', onBase, 422, 'token_unavailable', 'destination'],
    ['more than there is', () => ({ amount: '1000000' }), 422, 'insufficient_funds', 'amount'],
    ['a reference that is too long', () => ({ reference: 'x'.repeat(201) }), 400, 'Invalid request body', 'reference'],
    ['metadata that is too large', () => ({ metadata: { note: 'x'.repeat(4100) } }), 400, 'Invalid request body', 'metadata'],
    ['metadata that is a list', () => ({ metadata: [] }), 400, 'Invalid request body', 'metadata'],
  ]

  async function archived() {
    const id = await makeWalletDestination(stack.db, at.businessId)
    await stack.db.query('update payout_destinations set archived_at = now() where id = $1', [id])
    return { destination: { id } }
  }
  async function onBase() {
    const id = await makeWalletDestination(stack.db, at.businessId)
    await stack.db.query("update payout_destinations set chain = 'base' where id = $1", [id])
    return { destination: { id } }
  }

  test.each(cases)('%s', async (what, wanted, ...expected) => {
    const body = await wanted()
    const before = await stored()
    expect(refusal(await create<Refusal>({ ...(what.startsWith('less than') ? { amount: '0.0005' } : {}), ...body }))).toEqual(expected)
    expect(await stored()).toBe(before)
  })

  test('what is missing is named', async () => {
    const poor = await openBusiness(5n * million)
    const { body } = await create<Refusal>({ amount: '7.5', destination: { id: poor.wallet } }, poor.token)
    expect(body).toMatchObject({ error: 'insufficient_funds', missing: { symbol: 'USDC', missing: '2.5', required: '7.5', available: '5' } })
  })

  test('a new destination by a key without the permission, or by a developer', async () => {
    const developer = await tokenOf(stack, await addMember(stack, at.businessId, 'developer'))
    const before = await stored()
    const key = await create<Refusal>(inline({}), await at.keyWith(['payouts:create']))
    expect([...refusal(key), key.body.message]).toEqual([403, 'insufficient_permission', expect.stringContaining('payouts:destinations')])
    const member = await create<Refusal>(inline({}), developer)
    expect([...refusal(member), member.body.message]).toEqual([403, 'insufficient_role', expect.stringContaining('payouts:destinations')])
    expect(await stored()).toBe(before)
    expect((await create({ ...inline({}), amount: '1' }, await at.keyWith(['payouts:create', 'payouts:destinations']))).status).toBe(201)
  })
})

test('200 at a time against a balance for 100: exactly 100 are stored and held', async () => {
  const all = 200
  const rich = await openBusiness(BigInt(all / 2) * million)
  const answers = await Promise.all(
    Array.from({ length: all }, () => create<Payout & Refusal>({ amount: '1', destination: { id: rich.wallet } }, rich.token)),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect([made.length, new Set(made.map(({ body }) => body.id)).size]).toEqual([all / 2, all / 2])
  expect(new Set(answers.filter(({ status }) => status !== 201).map((each) => refusal(each).join(' ')))).toEqual(
    new Set(['422 insufficient_funds amount']),
  )
  expect(await balances(rich.businessId)).toEqual([0n, BigInt(all / 2) * million])
  const [row] = await stack.db.query<{ n: number }>('select count(*)::int as n from outflows where business_id = $1', [rich.businessId])
  expect(row?.n).toBe(all / 2)
}, 60_000)

test('lists are filtered and sorted, and have pages', async () => {
  const own = await openBusiness(100n * million)
  const other = await makeWalletDestination(stack.db, own.businessId)
  const made: Payout[] = []
  for (const [index, destination] of [own.wallet, other, other].entries())
    made.push((await create({ amount: '1', destination: { id: destination }, reference: `r-${index}` }, own.token)).body)
  await ask('POST', `/payouts/${made[1]?.id}/cancel`, undefined, own.token)
  const ids = async (query: string) =>
    (await ask<{ payouts: Payout[] }>('GET', `/payouts?${query}`, undefined, own.token)).body.payouts.map(({ id }) =>
      made.findIndex((each) => each.id === id),
    )
  expect(await ids('')).toEqual([2, 1, 0])
  expect(await ids('sort=ASC')).toEqual([0, 1, 2])
  expect(await ids('status=cancelled')).toEqual([1])
  expect(await ids(`destinationId=${other}`)).toEqual([2, 1])
  expect(await ids('reference=r-0')).toEqual([0])
  expect([await ids('chain=ethereum&token=USDC'), await ids('token=USDT'), await ids('currency=NGN')]).toEqual([[2, 1, 0], [], []])
  expect(await ids(`sessionId=${newId()}`)).toEqual([])
  const at1 = made[1]?.createdAt as string
  expect([await ids(`since=${at1}`), await ids(`until=${at1}`)]).toEqual([[2, 1], [0]])
  const first = (await ask<{ nextCursor: string; total: number; totalPages: number }>('GET', '/payouts?limit=2', undefined, own.token)).body
  expect([first.total, first.totalPages, await ids(`limit=2&cursor=${first.nextCursor}`), await ids('limit=2&page=2')]).toEqual([3, 2, [0], [0]])
  for (const query of ['status=paid', 'chain=moon', 'since=yesterday', `since=${at1}&until=${at1}`, 'destinationId=x', 'cursor=x', 'paid=1'])
    expect((await ask('GET', `/payouts?${query}`, undefined, own.token)).status).toBe(400)
})

describe('cancelling', () => {
  test('gives the money back, once; a payout that may have left is not cancelled', async () => {
    const [available, held] = await balances(at.businessId)
    const { body: payout } = await create({ amount: '5' })
    const done = await Promise.all(Array.from({ length: 3 }, () => ask('POST', `/payouts/${payout.id}/cancel`)))
    expect(done.map(({ status, body }) => [status, body.status, body.revision])).toEqual(Array(3).fill([200, 'cancelled', 2]))
    expect(await balances(at.businessId)).toEqual([available, held])
    expect((await eventsOf(at.businessId, payout.id)).map(({ type }) => type)).toEqual(['payout.created', 'payout.cancelled'])
    for (const status of ['processing', 'unknown', 'completed', 'failed']) {
      const id = await makePayout(stack.db, at.businessId, at.wallet)
      const completed = status === 'completed' ? 'now()' : 'null'
      await stack.db.query(`update outflows set status = $2, next_at = null, completed_at = ${completed} where id = $1`, [id, status])
      const answer = await ask<Refusal>('POST', `/payouts/${id}/cancel`)
      expect([...refusal(answer), answer.body.message]).toEqual([409, 'payout_not_open', expect.stringContaining(status)])
      const marked = await ask<Refusal>('POST', `/payouts/${id}/mark-paid`, { revision: 1, proof: 'x' })
      expect([...refusal(marked), marked.body.message]).toEqual([409, 'payout_not_open', expect.stringContaining(status)])
    }
  })

  test("a stranger's payout is 404 for everything", async () => {
    const { body: payout } = await create({ amount: '1' })
    const stranger = await openBusiness()
    const before = await stored()
    for (const [path, body] of [
      ['cancel', undefined],
      ['approve', { revision: 1 }],
      ['mark-paid', { revision: 1, proof: 'x' }],
    ] as const)
      expect((await ask('POST', `/payouts/${payout.id}/${path}`, body, stranger.token)).status).toBe(404)
    expect((await ask('GET', `/payouts/${payout.id}`, undefined, stranger.token)).status).toBe(404)
    expect([await stored(), (await ask('GET', `/payouts/${payout.id}`)).body.status]).toEqual([before, 'pending'])
  })
})

describe('marking as paid elsewhere', () => {
  test('completes it with its proof, at the revision that was seen, and nothing is held for it', async () => {
    const [available, held] = await balances(at.businessId)
    const { body: payout } = await create({ amount: '5' })
    const mark = <T = Payout>(body: object, headers?: Headers) => ask<T>('POST', `/payouts/${payout.id}/mark-paid`, body, headers)
    expect(refusal(await mark<Refusal>({ revision: 2, proof: 'Receipt' }))).toEqual([409, 'revision_outdated'])
    for (const [body, field] of [
      [{ revision: 1 }, 'proof'],
      [{ proof: 'x' }, 'revision'],
      [{ revision: 1, proof: ' ' }, 'proof'],
      [{ revision: 0, proof: 'x' }, 'revision'],
    ] as const)
      expect(refusal(await mark<Refusal>(body))).toEqual([400, 'Invalid request body', field])
    expect((await mark({ revision: 1, proof: 'Receipt' }, at.key)).status).toBe(403)
    const { status, body } = await mark({ revision: 1, proof: 'Receipt 17' })
    expect([status, body]).toMatchObject([200, { status: 'completed', paidElsewhere: 'Receipt 17', revision: 2, completedAt: expect.any(String) }])
    expect((await mark({ revision: 1, proof: 'Receipt 17' })).body).toEqual(body)
    expect(await balances(at.businessId)).toEqual([available - 5n * million, held])
    expect((await eventsOf(at.businessId, payout.id)).map(({ type }) => type)).toEqual(['payout.created', 'payout.completed'])
  })
})

describe('approval by a second owner', () => {
  let own: Awaited<ReturnType<typeof openBusiness>>
  const approve = <T = Payout>(id: string, headers: Headers, revision = 1) => ask<T>('POST', `/payouts/${id}/approve`, { revision }, headers)
  const large = async (headers: Headers = own.token) => (await create({ amount: '50.000001', destination: { id: own.wallet } }, headers)).body
  const decide = (person: Person, id: string, body: object) =>
    inDashboard<Refusal & { state: string; payout: Payout }>(person, 'PUT', `/approvals/${id}/decision`, body, own.businessId)

  beforeAll(async () => {
    own = await openBusiness(10_000n * million)
    const set = { coolingOffHours: 24, approvalAbove: '50' }
    expect((await inDashboard(own.first, 'PUT', '/payout-settings', set, own.businessId)).status).toBe(200)
  })

  test('is needed above the amount that the business set, and not at it', async () => {
    const small = await create({ amount: '50', destination: { id: own.wallet } }, own.token)
    expect([small.body.status, small.body.approval]).toEqual(['pending', null])
    const payout = await large()
    expect(payout).toMatchObject({ status: 'awaiting_approval', approval: { state: 'waiting' } })
    const { body } = await inDashboard<{ approvals: { subject: string; payout: Payout; own: boolean }[] }>(
      own.second,
      'GET',
      '/approvals?waiting=true',
      undefined,
      own.businessId,
    )
    expect(body.approvals).toMatchObject([{ subject: 'payout', own: false, payout: { id: payout.id, revision: 1 } }])
  })

  test('is by another owner, at the revision that was seen, and once', async () => {
    const payout = await large()
    expect(refusal(await approve<Refusal>(payout.id, own.token))).toEqual([403, 'own_request'])
    expect(refusal(await approve<Refusal>(payout.id, own.other, 2))).toEqual([409, 'revision_outdated'])
    expect(refusal(await approve<Refusal>(payout.id, own.key))).toEqual([403, 'insufficient_permission'])
    expect(refusal(await approve<Refusal>(payout.id, await own.keyWith(['payouts:approve'])))).toEqual([403, 'member_required'])
    expect((await ask('GET', `/payouts/${payout.id}`, undefined, own.token)).body).toEqual(payout)
    const answers = await Promise.all(Array.from({ length: 4 }, () => approve(payout.id, own.other)))
    expect(answers.map(({ status, body }) => [status, body.status, body.revision, body.approval?.state])).toEqual(
      Array(4).fill([200, 'pending', 2, 'approved']),
    )
    const third = await tokenOf(stack, await addMember(stack, own.businessId, 'owner'))
    expect(refusal(await approve<Refusal>(payout.id, third, 2))).toEqual([409, 'approval_decided'])
    const [row] = await stack.db.query<{ proof: Buffer | null }>('select proof from approvals where subject_id = $1', [payout.id])
    expect(row?.proof).not.toBeNull()
  })

  test('of what a key requested: by an owner who did not make the key', async () => {
    const payout = await large(await own.keyWith(null, own.first))
    expect(refusal(await approve<Refusal>(payout.id, own.token))).toEqual([403, 'own_request'])
    expect((await approve(payout.id, own.other)).body.status).toBe('pending')
  })

  test('is refused in the list of approvals: it fails, and its money is available again', async () => {
    const [available, held] = await balances(own.businessId)
    const payout = await large()
    const id = payout.approval?.id ?? ''
    expect(refusal(await decide(own.second, id, { decision: 'approved' }))).toEqual([400, 'Invalid request body', 'revision'])
    expect(refusal(await decide(own.second, id, { decision: 'approved', revision: 3 }))).toEqual([409, 'revision_outdated'])
    const refused = await decide(own.second, id, { decision: 'refused' })
    expect([refused.status, refused.body]).toMatchObject([200, { state: 'refused', payout: { status: 'failed', reason: 'approval_refused' } }])
    expect(await balances(own.businessId)).toEqual([available, held])
    expect(refusal(await approve<Refusal>(payout.id, own.other, 2))).toEqual([409, 'approval_decided'])
    expect((await eventsOf(own.businessId, payout.id)).map(({ type }) => type)).toEqual(['payout.created', 'payout.failed'])
    const approved = await large()
    const done = await decide(own.second, approved.approval?.id ?? '', { decision: 'approved', revision: 1 })
    expect([done.status, done.body]).toMatchObject([200, { state: 'approved', payout: { status: 'pending' } }])
  })

  test('of a payout that was cancelled, marked as paid, or needs none: 409', async () => {
    const [cancelled, paid] = [await large(), await large()]
    await ask('POST', `/payouts/${cancelled.id}/cancel`, undefined, own.token)
    await ask('POST', `/payouts/${paid.id}/mark-paid`, { revision: 1, proof: 'Receipt' }, own.token)
    const { body: small } = await create({ amount: '1', destination: { id: own.wallet } }, own.token)
    for (const { id } of [cancelled, paid, small]) expect(refusal(await approve<Refusal>(id, own.other, 2))).toEqual([409, 'payout_not_open'])
    expect((await ask('GET', `/payouts/${cancelled.id}`, undefined, own.token)).body.approval?.state).toBe('expired')
  })

  test('a new owner needs the approval of a second one, too: one owner could approve with two accounts', async () => {
    const { id } = await addMember(stack, own.businessId, 'developer')
    expect((await inDashboard(own.first, 'PATCH', `/members/${id}`, { role: 'owner' }, own.businessId)).status).toBe(202)
  })
})

describe('limits', () => {
  const set = <T = object>(of: Awaited<ReturnType<typeof openBusiness>>, wanted: object) =>
    inDashboard<T>(of.first, 'PUT', '/payout-settings', { coolingOffHours: 24, ...wanted }, of.businessId)

  test('a payout, and those of a day, also when many are asked for at a time', async () => {
    const own = await openBusiness(1000n * million)
    await set(own, { maxPerPayout: '2.5', maxPerDay: '20' })
    const wanted = (amount: string) => create<Payout & Refusal>({ amount, destination: { id: own.wallet } }, own.token)
    const before = await stored()
    const tooLarge = await wanted('2.500001')
    expect([...refusal(tooLarge), tooLarge.body.message]).toEqual([403, 'limit_exceeded', 'amount', expect.stringContaining('2.5 US dollars')])
    expect(await stored()).toBe(before)
    const answers = await Promise.all(Array.from({ length: 40 }, () => wanted('1')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(new Set(answers.filter(({ status }) => status !== 201).map((each) => refusal(each).join(' ')))).toEqual(
      new Set(['403 limit_exceeded amount']),
    )
    // What is cancelled does not count.
    const [first] = answers.filter(({ status }) => status === 201)
    await ask('POST', `/payouts/${first?.body.id}/cancel`, undefined, own.token)
    expect([(await wanted('1.000001')).status, (await wanted('1')).status]).toEqual([403, 201])
    // What was asked for a day ago counts while it is open, and for a day after it left.
    await stack.db.query("update outflows set counted_at = now() - interval '25 hours' where business_id = $1", [own.businessId])
    expect((await wanted('1')).status).toBe(403)
    await stack.db.query(
      "update outflows set status = 'completed', next_at = null, completed_at = now() - interval '23 hours' where business_id = $1 and status = 'pending'",
      [own.businessId],
    )
    expect((await wanted('1')).status).toBe(403)
    await stack.db.query("update outflows set completed_at = now() - interval '25 hours' where business_id = $1 and status = 'completed'", [
      own.businessId,
    ])
    expect((await wanted('1')).status).toBe(201)
  }, 60_000)

  test('apply at once when they are lower, and after the cooling-off time when they are higher; one that is left out stays', async () => {
    const own = await openBusiness(1000n * million)
    const none = { maxPerPayout: null, maxPerDay: null, approvalAbove: null }
    const get = async () => (await inDashboard<Record<string, unknown>>(own.second, 'GET', '/payout-settings', undefined, own.businessId)).body
    expect(await get()).toEqual({ coolingOffHours: 24, next: null, ...none, nextLimits: none })
    expect((await set(own, { maxPerPayout: '100.50', maxPerDay: '500' })).body).toMatchObject({
      maxPerPayout: '100.5',
      maxPerDay: '500',
      nextLimits: none,
    })
    const { body: asked } = await set<{ nextLimits: { maxPerPayout: { from: string } } }>(own, { maxPerPayout: null, maxPerDay: '400' })
    expect(asked).toMatchObject({ maxPerPayout: '100.5', maxPerDay: '400', nextLimits: { maxPerPayout: { value: null }, maxPerDay: null } })
    const wait = Date.parse(asked.nextLimits.maxPerPayout.from) - Date.now()
    expect(wait > 23.9 * 3_600_000 && wait <= 24 * 3_600_000).toBe(true)
    // Repeating it changes nothing, its moment neither; a lower one ends it.
    expect((await set(own, { maxPerPayout: null })).body).toEqual(asked)
    expect((await create({ amount: '101', destination: { id: own.wallet } }, own.token)).status).toBe(403)
    await stack.db.query(
      "update payout_settings set limits = jsonb_set(limits, '{maxPerPayout,next,from}', to_jsonb(now())) where business_id = $1",
      [own.businessId],
    )
    expect(await get()).toMatchObject({ maxPerPayout: null, nextLimits: none })
    expect((await create({ amount: '101', destination: { id: own.wallet } }, own.token)).status).toBe(201)
    expect((await set(own, { approvalAbove: '0', maxPerPayout: '7' })).body).toMatchObject({
      approvalAbove: '0',
      maxPerPayout: '7',
      nextLimits: none,
    })
  })

  test.each([['-1'], ['1e3'], ['1.0000001'], [''], [5], ['1,000']])('%j is no limit', async (value) => {
    for (const field of ['maxPerPayout', 'maxPerDay', 'approvalAbove'])
      expect(refusal(await set<Refusal>(at, { [field]: value }))).toEqual([400, 'Invalid request body', field])
  })

  test('are set by owners alone', async () => {
    const developer = await addMember(stack, at.businessId, 'developer')
    expect((await inDashboard(developer, 'PUT', '/payout-settings', { coolingOffHours: 24, maxPerDay: '1' })).status).toBe(403)
  })
})

test('without a payout partner a payout to a bank is refused by name, and one to a wallet is made', async () => {
  const process = await stack.start('api', { YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '' }, { as: 'alone' })
  const ofAlone = async (destination: object) => {
    const response = await fetch(`http://127.0.0.1:${process.port()}/api/v1/payouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...at.token },
      body: JSON.stringify({ amount: '1', source: usdc, destination }),
    })
    return refusal({ status: response.status, body: (await response.json()) as Refusal, headers: response.headers })
  }
  const { body: saved } = await ask<{ id: string }>('POST', '/payout-destinations', someAccount())
  expect(await ofAlone({ id: saved.id })).toEqual([422, 'no_payout_partner'])
  expect(await ofAlone(someAccount())).toEqual([400, 'Invalid request body', 'destination.networkId'])
  expect((await ofAlone({ id: at.wallet }))[0]).toBe(201)
  await stack.stop('alone')
})
