import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import { addMember, dashboard, type Headers, sessionOf, tokenOf } from '../support/dashboardSession.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { makePayout } from '../support/madePayout.ts'
import { someAccount } from '../support/sampleRequests.ts'
import { approval } from './payouts/approval.ts'
import { batches } from './payouts/batches.ts'
import {
  ask,
  at,
  balances,
  close,
  create,
  eventsOf,
  inDashboard,
  million,
  open,
  openBusiness,
  type Payout,
  type Refusal,
  refusal,
  someAddress,
  stack,
  stored,
  usdc,
} from './payouts/calls.ts'
import { limits } from './payouts/limits.ts'
import { inline, refusals } from './payouts/refusals.ts'
import { toBank } from './payouts/toBank.ts'

// Payouts through the API and the dashboard's own: what is stored and held, what is refused, who approves,
// and what the limits let through.

beforeAll(open)
afterAll(close)

describe('a batch', batches)

describe('a payout to a wallet', () => {
  test('holds its money, shows what arrives, and is reported', async () => {
    const [available, held] = await balances(at.businessId)
    const metadata = { invoice: 7 }
    const { status, body } = await create({ amount: '100.5', reference: 'supplier-77', metadata })
    const [{ address } = { address: '' }] = await stack.db.query<{ address: string }>(
      'select address from payout_destinations where id = $1',
      [at.wallet],
    )
    expect([status, body]).toEqual([
      201,
      {
        ...{
          id: expect.any(String),
          status: 'pending',
          revision: 1,
          amount: '100.5',
          source: usdc,
          automatic: false,
          sessionId: null,
        },
        destination: {
          ...{
            id: at.wallet,
            kind: 'wallet',
            name: null,
            networkId: null,
            bankName: null,
            country: null,
            currency: null,
          },
          ...{
            accountNumber: null,
            accountName: null,
            chain: 'ethereum',
            address: expect.stringMatching(new RegExp(address, 'i')),
            memo: null,
            memoType: null,
          },
        },
        ...{
          fee: '1.005',
          feeCurrency: 'USDC',
          rate: null,
          receiveAmount: '99.495',
          receiveCurrency: 'USDC',
          pricedAt: null,
          networkCost: null,
          txHash: null,
        },
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
    expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(
      Array(5 - made.length).fill(409),
    )
    expect((await create({ amount: '3' }, headers)).body).toEqual(made[0]?.body)
    expect((await create({ amount: '4' }, headers)).status).toBe(422)
    expect((await balances(at.businessId))[0]).toBe(available - 3n * million)
  })

  test('in the dashboard, too: two presses at once, and one after a lost answer, make one payout', async () => {
    const headers = { ...(await sessionOf(stack, at.first)).headers, 'idempotency-key': newId() }
    const [available] = await balances(at.businessId)
    const press = (amount = '3') =>
      dashboard<Payout>(
        stack,
        'POST',
        `/businesses/${at.businessId}/payouts`,
        { amount, source: usdc, destination: { id: at.wallet } },
        headers,
      )
    const both = await Promise.all([press(), press()])
    const made = both.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    for (const { status, body } of both)
      if (status !== 201) expect([status, body]).toMatchObject([409, { error: 'request_in_progress' }])
    const again = await press()
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([
      201,
      'true',
      made[0]?.body,
    ])
    expect(again.body.destination.id).toBe(at.wallet)
    expect((await press('4')).body).toMatchObject({ error: 'idempotency_key_reused' })
    expect((await balances(at.businessId))[0]).toBe(available - 3n * million)
  })

  test('a new address is saved by the same call, waits for its cooling-off time, and is found again', async () => {
    const destination = { chain: 'ethereum', address: someAddress() }
    const { body: made } = await create({ amount: '2', destination })
    const { body: saved } = await ask<{ status: string }>(
      'GET',
      `/payout-destinations/${made.destination.id}`,
    )
    expect(saved.status).toBe('cooling_off')
    const actions = await stack.db.query('select action from audit_log where target = any($1) order by id', [
      [made.destination.id, made.id],
    ])
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

describe('a payout to a bank', toBank)

describe('refused by name, and nothing is stored', () => {
  test.each(refusals)('%s', async (what, wanted, ...expected) => {
    const body = await wanted()
    const before = await stored()
    expect(
      refusal(
        await create<Refusal>({ ...(what.startsWith('less than') ? { amount: '0.0005' } : {}), ...body }),
      ),
    ).toEqual(expected)
    expect(await stored()).toBe(before)
  })

  test('what is missing is named', async () => {
    const poor = await openBusiness(5n * million)
    const { body } = await create<Refusal>({ amount: '7.5', destination: { id: poor.wallet } }, poor.token)
    expect(body).toMatchObject({
      error: 'insufficient_funds',
      missing: { symbol: 'USDC', missing: '2.5', required: '7.5', available: '5' },
    })
  })

  test('a new destination by a key without the permission, or by a developer', async () => {
    const developer = await tokenOf(stack, await addMember(stack, at.businessId, 'developer'))
    const before = await stored()
    const key = await create<Refusal>(inline({}), await at.keyWith(['payouts:create']))
    expect([...refusal(key), key.body.message]).toEqual([
      403,
      'insufficient_permission',
      expect.stringContaining('payouts:destinations'),
    ])
    const member = await create<Refusal>(inline({}), developer)
    expect([...refusal(member), member.body.message]).toEqual([
      403,
      'insufficient_role',
      expect.stringContaining('payouts:destinations'),
    ])
    expect(await stored()).toBe(before)
    expect(
      (
        await create(
          { ...inline({}), amount: '1' },
          await at.keyWith(['payouts:create', 'payouts:destinations']),
        )
      ).status,
    ).toBe(201)
  })
})

test('200 at a time against a balance for 100: exactly 100 are stored and held', async () => {
  const all = 200
  const rich = await openBusiness(BigInt(all / 2) * million)
  const answers = await Promise.all(
    Array.from({ length: all }, () =>
      create<Payout & Refusal>({ amount: '1', destination: { id: rich.wallet } }, rich.token),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect([made.length, new Set(made.map(({ body }) => body.id)).size]).toEqual([all / 2, all / 2])
  expect(
    new Set(answers.filter(({ status }) => status !== 201).map((each) => refusal(each).join(' '))),
  ).toEqual(new Set(['422 insufficient_funds amount']))
  expect(await balances(rich.businessId)).toEqual([0n, BigInt(all / 2) * million])
  const [row] = await stack.db.query<{ n: number }>(
    'select count(*)::int as n from outflows where business_id = $1',
    [rich.businessId],
  )
  expect(row?.n).toBe(all / 2)
})

test('lists are filtered and sorted, and have pages', async () => {
  const own = await openBusiness(100n * million)
  const other = await makeDestination(stack.db, own.businessId)
  const made: Payout[] = []
  for (const [index, destination] of [own.wallet, other, other].entries())
    made.push(
      (await create({ amount: '1', destination: { id: destination }, reference: `r-${index}` }, own.token))
        .body,
    )
  await ask('POST', `/payouts/${made[1]?.id}/cancel`, undefined, own.token)
  const ids = async (query: string) =>
    (await ask<{ payouts: Payout[] }>('GET', `/payouts?${query}`, undefined, own.token)).body.payouts.map(
      ({ id }) => made.findIndex((each) => each.id === id),
    )
  expect(await ids('')).toEqual([2, 1, 0])
  expect(await ids('sort=ASC')).toEqual([0, 1, 2])
  expect(await ids('status=cancelled')).toEqual([1])
  expect(await ids(`destinationId=${other}`)).toEqual([2, 1])
  expect(await ids('reference=r-0')).toEqual([0])
  expect([
    await ids('chain=ethereum&token=USDC'),
    await ids('token=USDT'),
    await ids('currency=NGN'),
  ]).toEqual([[2, 1, 0], [], []])
  expect(await ids(`sessionId=${newId()}`)).toEqual([])
  const at1 = made[1]?.createdAt as string
  expect([await ids(`since=${at1}`), await ids(`until=${at1}`)]).toEqual([[2, 1], [0]])
  const first = (
    await ask<{ nextCursor: string; total: number; totalPages: number }>(
      'GET',
      '/payouts?limit=2',
      undefined,
      own.token,
    )
  ).body
  expect([
    first.total,
    first.totalPages,
    await ids(`limit=2&cursor=${first.nextCursor}`),
    await ids('limit=2&page=2'),
  ]).toEqual([3, 2, [0], [0]])
  for (const query of [
    'status=paid',
    'chain=moon',
    'since=yesterday',
    `since=${at1}&until=${at1}`,
    'destinationId=x',
    'cursor=x',
    'paid=1',
  ])
    expect((await ask('GET', `/payouts?${query}`, undefined, own.token)).status).toBe(400)
})

describe('cancelling', () => {
  test('gives the money back, once; a payout that may have left is not cancelled', async () => {
    const [available, held] = await balances(at.businessId)
    const { body: payout } = await create({ amount: '5' })
    const done = await Promise.all(
      Array.from({ length: 3 }, () => ask('POST', `/payouts/${payout.id}/cancel`)),
    )
    expect(done.map(({ status, body }) => [status, body.status, body.revision])).toEqual(
      Array(3).fill([200, 'cancelled', 2]),
    )
    expect(await balances(at.businessId)).toEqual([available, held])
    expect((await eventsOf(at.businessId, payout.id)).map(({ type }) => type)).toEqual([
      'payout.created',
      'payout.cancelled',
    ])
    for (const status of ['processing', 'unknown', 'completed', 'failed']) {
      const id = await makePayout(stack.db, at.businessId, at.wallet)
      const completed = status === 'completed' ? 'now()' : 'null'
      await stack.db.query(
        `update outflows set status = $2, next_at = null, completed_at = ${completed} where id = $1`,
        [id, status],
      )
      const answer = await ask<Refusal>('POST', `/payouts/${id}/cancel`)
      expect([...refusal(answer), answer.body.message]).toEqual([
        409,
        'payout_not_open',
        expect.stringContaining(status),
      ])
      const marked = await ask<Refusal>('POST', `/payouts/${id}/mark-paid`, { revision: 1, proof: 'x' })
      expect([...refusal(marked), marked.body.message]).toEqual([
        409,
        'payout_not_open',
        expect.stringContaining(status),
      ])
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
    expect([await stored(), (await ask('GET', `/payouts/${payout.id}`)).body.status]).toEqual([
      before,
      'pending',
    ])
  })
})

describe('marking as paid elsewhere', () => {
  test('cancels it with its proof, at the revision that was seen, and its money is available again', async () => {
    const [available, held] = await balances(at.businessId)
    const { body: payout } = await create({ amount: '5' })
    const mark = <T = Payout>(body: object, headers?: Headers) =>
      ask<T>('POST', `/payouts/${payout.id}/mark-paid`, body, headers)
    expect(refusal(await mark<Refusal>({ revision: 2, proof: 'Receipt' }))).toEqual([
      409,
      'revision_outdated',
    ])
    for (const [body, field] of [
      [{ revision: 1 }, 'proof'],
      [{ proof: 'x' }, 'revision'],
      [{ revision: 1, proof: ' ' }, 'proof'],
      [{ revision: 0, proof: 'x' }, 'revision'],
    ] as const)
      expect(refusal(await mark<Refusal>(body))).toEqual([400, 'Invalid request body', field])
    expect((await mark({ revision: 1, proof: 'Receipt' }, at.key)).status).toBe(403)
    const { status, body } = await mark({ revision: 1, proof: 'Receipt 17' })
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'cancelled',
        reason: 'paid_elsewhere',
        paidElsewhere: 'Receipt 17',
        revision: 2,
        completedAt: null,
      },
    ])
    expect((await mark({ revision: 1, proof: 'Receipt 17' })).body).toEqual(body)
    expect(await balances(at.businessId)).toEqual([available, held])
    expect((await eventsOf(at.businessId, payout.id)).map(({ type }) => type)).toEqual([
      'payout.created',
      'payout.cancelled',
    ])
  })
})

describe('approval by a second owner', approval)

describe('limits', limits)

test('without a payout partner a payout to a bank is refused by name, and one to a wallet is made', async () => {
  const process = await stack.start(
    'api',
    { YELLOWCARD_URL: '', YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '' },
    { as: 'alone' },
  )
  const ofAlone = async (destination: object) => {
    const response = await fetch(`http://127.0.0.1:${process.port()}/api/v1/payouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...at.token },
      body: JSON.stringify({ amount: '1', source: usdc, destination }),
    })
    return refusal({
      status: response.status,
      body: (await response.json()) as Refusal,
      headers: response.headers,
    })
  }
  const { body: saved } = await ask<{ id: string }>('POST', '/payout-destinations', someAccount())
  expect(await ofAlone({ id: saved.id })).toEqual([503, 'partner_not_configured'])
  expect(await ofAlone(someAccount())).toEqual([503, 'partner_not_configured'])
  expect((await ofAlone({ id: at.wallet }))[0]).toBe(201)
  await stack.stop('alone')
})
