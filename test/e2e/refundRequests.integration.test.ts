import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { readOutflows } from '../../src/outflows/outflow.ts'
import { outflowMessage } from '../../src/outflows/outflowProof.ts'
import { newId } from '../../src/platform/ids.ts'
import { foundIn, sinksOf } from '../promises/sinks.ts'
import { otherBusinessHeaders, withScope } from '../support/apiKeyHeaders.ts'
import { proofs } from '../support/intentKeys.ts'
import { makePaidSession, moveMade, settleMade, someAddress } from '../support/madeRefunds.ts'
import { type MadeSession, makePayment, makeSession, takeAway } from '../support/madeSessions.ts'
import { type ApiAnswer, createStack, type SessionBody, type Stack } from '../support/stack.ts'

// Refunds, claims and decisions through the API. Nothing is sent: there is no worker.

interface Refund {
  id: string
  sessionId: string
  kind: string
  status: string
  amount: string
  token: string
  chain: string
  toAddress: string | null
  claim: { status: string; expiresAt: string } | null
  claimUrl?: string
}
interface Refusal {
  error: string
  message: string
  fields?: { field: string }[]
  missing?: object
}
type Session = SessionBody & { resolution: string | null; amountRefunded: string; refunds: Refund[] }

const usdc = (amount: number) => BigInt(Math.round(amount * 1_000_000))
let stack: Stack
let to: string
let sinks: ReturnType<typeof sinksOf>

beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    traced: true,
    env: { LOG_LEVEL: 'trace', RATE_LIMIT_ADDRESS: '100000', SWEEP_COIN_USD: 'ETH=2500' },
  })
  sinks = sinksOf(stack, new Redis(stack.redis.url, { lazyConnect: true }), [])
})
afterAll(() => stack?.close())
beforeEach(() => {
  to = someAddress()
})

const paid = (came?: number) => makePaidSession(stack.db, stack.businessId, came)
const refund = <T = Refund>(sessionId: string, body: object, headers?: Record<string, string>) =>
  stack.api<T>('POST', `/pos/sessions/${sessionId}/refunds`, body, headers)
const cancel = <T = Refund>(sessionId: string, id: string) =>
  stack.api<T>('POST', `/pos/sessions/${sessionId}/refunds/${id}/cancel`)
const resolve = <T = Session>(sessionId: string, resolution: string) =>
  stack.api<T>('POST', `/pos/sessions/${sessionId}/resolve`, { resolution })
const sessionOf = async (id: string) => (await stack.api<Session>('GET', `/pos/sessions/${id}`)).body
const refusal = ({ status, body }: ApiAnswer<Refusal>) => [
  status,
  body.error,
  ...(body.fields ?? []).map(({ field }) => field),
]
const balance = (name: 'available' | 'payouts_held' | 'pending', token = 'USDC') =>
  balanceOf(stack.db, { name, businessId: stack.businessId, asset: tokenAsset('ethereum', token) })
const standing = async () => [await balance('available'), await balance('payouts_held')]
const count = async () =>
  Number(
    (
      await stack.db.query<{ n: string }>(
        'select (select count(*) from outflows) + (select count(*) from ledger_entries) as n',
      )
    )[0]?.n,
  )
const events = (sessionId: string) =>
  stack.db.query<{
    type: string
    data: { refund?: { id: string }; refunds: object[]; amountRefunded: string }
  }>("select type, data from events where data->>'id' = $1 order by sequence", [sessionId])
/** The chain's clock: sessions that end before expire when they are settled. */
const clock = (seconds: number) =>
  stack.db.query(
    "update chain_cursors set confirmed_time = now() + $1 * interval '1 second' where chain = 'ethereum'",
    [seconds],
  )
const look = <T = object>(token: string) =>
  stack.api<T>('POST', '/refund-claims/look', { token }, { 'x-api-key': '' })
const claim = <T = object>(token: string, toAddress = to, more: object = {}) =>
  stack.api<T>('POST', '/refund-claims', { token, toAddress, ...more }, { 'x-api-key': '' })
const tokenOf = ({ claimUrl = '' }: Refund) => claimUrl.split('#')[1] ?? ''

/** A session that expired with this, confirmed. */
async function expiredWith(
  ...payments: { amount: number; token?: string; late?: boolean }[]
): Promise<{ session: MadeSession; detections: string[] }> {
  const session = await makeSession(stack.db, stack.businessId, usdc(10))
  const detections: string[] = []
  for (const { amount, token = 'USDC', late = false } of payments)
    detections.push(
      await makePayment(stack.db, session, {
        amount: usdc(amount),
        token,
        at: new Date(Date.now() + (late ? 700_000 : 0)),
      }),
    )
  await clock(1200)
  await settleMade(stack.db, session.id)
  await clock(-60)
  expect((await sessionOf(session.id)).status).toBe('expired')
  return { session, detections }
}

describe('limits of payouts', () => {
  const limits = (text: string) =>
    stack.db.query(
      `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)
       on conflict (business_id) do update set limits = excluded.limits`,
      [stack.businessId, text],
    )
  afterEach(() => limits('{}'))

  test('hold for refunds: one beyond is refused, one above the threshold waits for a second owner, one with a link from its claim on', async () => {
    const session = await paid()
    await limits(
      JSON.stringify({ maxPerPayout: { value: '5', next: null }, approvalAbove: { value: '2', next: null } }),
    )
    const before = await count()
    expect(refusal(await refund<Refusal>(session.id, { amount: '6', toAddress: to }))).toEqual([
      403,
      'limit_exceeded',
      'amount',
    ])
    expect(await count()).toBe(before)
    const [small, large] = [
      await refund(session.id, { amount: '2', toAddress: to }),
      await refund(session.id, { amount: '3', toAddress: to }),
    ]
    expect([small.body.status, large.body.status]).toEqual(['pending', 'awaiting_approval'])
    const asked = async (id: string) =>
      (await stack.db.query('select 1 from approvals where subject_id = $1', [id])).length
    expect([await asked(small.body.id), await asked(large.body.id)]).toEqual([0, 1])
    const link = await refund(session.id, { amount: '4', claim: true })
    expect([link.body.status, await asked(link.body.id)]).toEqual(['awaiting_claim', 0])
    expect((await claim(tokenOf(link.body))).status).toBe(200)
    const [claimed] = await readOutflows(stack.db, 'id = $1', [link.body.id])
    expect([claimed?.status, claimed?.needsApproval, await asked(link.body.id)]).toEqual([
      'awaiting_approval',
      true,
      1,
    ])
  })

  test("count native coin, which came by mistake, by the operator's price of it", async () => {
    const session = await paid()
    await makePayment(stack.db, session, { amount: 10n ** 18n, token: 'ETH' })
    await settleMade(stack.db, session.id)
    const coins = <T = Refund>(amount: string) =>
      refund<T>(session.id, { amount, token: 'ETH', toAddress: to })
    await limits(
      JSON.stringify({
        maxPerPayout: { value: '1250', next: null },
        approvalAbove: { value: '250', next: null },
      }),
    )
    // Those of the other tests would count for the day.
    await stack.db.query('update outflows set counted_at = null where session_id <> $1', [session.id])
    expect(refusal(await coins<Refusal>('0.500001'))).toEqual([403, 'limit_exceeded', 'amount'])
    expect((await coins('0.1')).body).toMatchObject({ status: 'pending', token: 'ETH' })
    expect((await coins('0.5')).body).toMatchObject({
      status: 'awaiting_approval',
      amount: '0.5',
      token: 'ETH',
    })
  })
})

describe('a refund', () => {
  test('holds the money at once, is shown with its session, and is reported when it has arrived', async () => {
    const session = await paid()
    const [available = 0n, held = 0n] = await standing()
    const { status, body } = await refund(session.id, { kind: 'excess', toAddress: to })
    expect([status, body]).toEqual([
      201,
      {
        ...{
          id: body.id,
          sessionId: session.id,
          kind: 'excess',
          status: 'pending',
          amount: '10',
          token: 'USDC',
          chain: 'ethereum',
        },
        ...{
          toAddress: expect.any(String),
          memo: null,
          memoType: null,
          claim: null,
          networkCost: null,
          txHash: null,
          reason: null,
        },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String), completedAt: null },
      },
    ])
    expect(body.toAddress?.toLowerCase()).toBe(to)
    // It was held of the overpaid session: what the business can use stays as it was.
    expect(await standing()).toEqual([available, held + usdc(10)])
    const short = {
      id: body.id,
      kind: 'excess',
      status: 'pending',
      amount: '10',
      token: 'USDC',
      chain: 'ethereum',
      txHash: null,
    }
    expect(await sessionOf(session.id)).toMatchObject({
      amountRefunded: '0',
      resolution: null,
      refunds: [short],
    })
    expect((await stack.api<Refund>('GET', `/pos/sessions/${session.id}/refunds/${body.id}`)).body).toEqual(
      body,
    )

    await moveMade(stack.db, body.id, 'processing', 'completed')
    await settleMade(stack.db, session.id)
    await settleMade(stack.db, session.id)
    const reported = (await events(session.id)).filter(({ type }) => type === 'session.refunded')
    expect(reported.map(({ data }) => [data.refund?.id, data.amountRefunded, data.refunds.length])).toEqual([
      [body.id, '10', 1],
    ])
    expect(await sessionOf(session.id)).toMatchObject({
      status: 'paid',
      amountRefunded: '10',
      refunds: [{ ...short, status: 'completed' }],
    })
    const list = await stack.api<{ sessions: Session[] }>('GET', '/pos/sessions?limit=100')
    expect(list.body.sessions.find(({ id }) => id === session.id)).toEqual(await sessionOf(session.id))
    expect(await standing()).toEqual([available, held])
    // The transaction was taken back for good.
    await moveMade(stack.db, body.id, 'failed')
    expect(await sessionOf(session.id)).toMatchObject({
      amountRefunded: '0',
      refunds: [{ id: body.id, status: 'failed' }],
    })
    expect(await standing()).toEqual([available + usdc(10), held])
    await settleMade(stack.db, session.id)
    expect(await standing()).toEqual([available, held])
  })

  test('is proven by the api, over the address where it goes', async () => {
    const { body } = await refund((await paid()).id, { amount: '1', toAddress: to })
    const [outflow] = await readOutflows(stack.db, 'id = $1', [body.id])
    const [row] = await stack.db.query<{ proof: Buffer }>('select proof from outflows where id = $1', [
      body.id,
    ])
    expect(outflow?.wallet).toMatchObject({ address: to, amount: usdc(1), chain: 'ethereum', token: 'USDC' })
    expect(outflow && row && proofs.api.verifies(outflowMessage(outflow), row.proof)).toBe(true)
  })

  test('of `whole`, `excess` and `rest` is what each value means', async () => {
    const amountOf = async (sessionId: string, kind: string) => {
      const answer = await refund<Refund & Refusal>(sessionId, { kind, toAddress: to })
      return answer.status === 201 ? answer.body.amount : refusal(answer)
    }
    const one = await paid(25)
    expect(await amountOf(one.id, 'whole')).toBe('25')
    expect(await amountOf(one.id, 'rest')).toEqual([422, 'nothing_to_refund', 'kind'])
    const other = await paid(25)
    expect(await amountOf(other.id, 'excess')).toBe('15')
    expect(await amountOf(other.id, 'excess')).toEqual([422, 'nothing_to_refund', 'kind'])
    expect(await amountOf(other.id, 'whole')).toEqual([422, 'amount_exceeds_rest', 'kind'])
    expect(await amountOf(other.id, 'rest')).toBe('10')
    const exact = await paid(10)
    expect(await amountOf(exact.id, 'excess')).toEqual([422, 'nothing_to_refund', 'kind'])
  })

  test('of many at once never exceeds together what came; what failed or was cancelled can be refunded again', async () => {
    const round = async () => {
      const session = await paid(10)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          refund<Refund & Refusal>(session.id, { amount: '3', toAddress: to }),
        ),
      )
      const made = answers.filter(({ status }) => status === 201)
      expect(made).toHaveLength(3)
      for (const answer of answers.filter((each) => !made.includes(each)))
        expect(refusal(answer)).toEqual([422, 'amount_exceeds_rest', 'amount'])
      return { session, made }
    }
    await round()
    await round()
    const { session, made } = await round()
    expect(refusal(await refund<Refusal>(session.id, { amount: '1.000001', toAddress: to }))).toEqual([
      422,
      'amount_exceeds_rest',
      'amount',
    ])
    const [one, other] = made.map(({ body }) => body.id)
    expect((await cancel(session.id, one ?? '')).body).toMatchObject({ status: 'cancelled' })
    await moveMade(stack.db, other ?? '', 'processing', 'failed')
    expect((await refund(session.id, { kind: 'rest', toAddress: to })).body.amount).toBe('7')
  })

  test('takes no more than `available` has: 422, and nothing is stored', async () => {
    const session = await paid(10)
    const spent = (await balance('available')) - usdc(4)
    const asset = tokenAsset('ethereum', 'USDC')
    const { businessId, db } = stack
    const move = (amount: bigint) =>
      db.tx((tx) => {
        const postings = [
          { account: { name: 'available', businessId, asset } as const, amount },
          { account: { name: 'capital', businessId: null, asset } as const, amount: -amount },
        ]
        return post(tx, [
          { kind: 'test', businessId, cause: { kind: 'adjustment', id: newId() }, step: 1, postings },
        ])
      })
    await move(spent)
    const before = await count()
    const answer = await refund<Refusal>(session.id, { kind: 'whole', toAddress: to })
    expect(refusal(answer)).toEqual([422, 'insufficient_funds'])
    expect(answer.body.missing).toEqual({ symbol: 'USDC', missing: '6', required: '10', available: '4' })
    expect(await count()).toBe(before)
    expect((await refund(session.id, { amount: '4', toAddress: to })).status).toBe(201)
    await move(-spent)
  })

  test('is made once for a key that is repeated, and the repeated answer has no link', async () => {
    const session = await paid()
    const [key, before] = [{ 'idempotency-key': newId() }, await count()]
    const first = await refund(session.id, { amount: '1', claim: true }, key)
    const again = await refund(session.id, { amount: '1', claim: true }, key)
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    const { claimUrl, ...rest } = first.body
    expect(claimUrl).toMatch(/\/refund#refund_[\w-]{43}$/)
    expect(again.body).toEqual(rest)
    // One outflow, one entry that frees the excess for it, and one that holds the money.
    expect(await count()).toBe(before + 3)
    // The link is in no row and in no line of a log.
    const secret = { claim: [tokenOf(first.body).slice('refund_'.length)] }
    await look(tokenOf(first.body))
    await claim(tokenOf(first.body))
    for (const text of [await sinks.row(), await sinks.log()]) expect(foundIn(text, secret)).toEqual([])
    expect(foundIn(await sinks.row(), { control: [first.body.id] })).toEqual(['control'])
  })

  test('is cancelled while nothing can have left, and only then', async () => {
    const session = await paid()
    const [before, { body }] = [await standing(), await refund(session.id, { amount: '1', toAddress: to })]
    expect((await cancel(session.id, body.id)).body).toMatchObject({ status: 'cancelled' })
    expect((await cancel(session.id, body.id)).status).toBe(200)
    // What was taken of the excess is held again when a worker settles the session.
    await settleMade(stack.db, session.id)
    expect(await standing()).toEqual(before)
    for (const statuses of [
      ['processing'],
      ['processing', 'unknown'],
      ['processing', 'completed'],
      ['processing', 'failed'],
    ] as const) {
      const { body: sent } = await refund(session.id, { amount: '1', toAddress: to })
      await moveMade(stack.db, sent.id, ...statuses)
      expect(refusal(await cancel<Refusal>(session.id, sent.id))).toEqual([409, 'refund_not_open'])
    }
  })

  test('of a session that still waits is a 409; of what a fork has taken away too, before the session was settled again', async () => {
    const session = await makeSession(stack.db, stack.businessId, usdc(10))
    const before = await balance('pending')
    await makePayment(stack.db, session, { amount: usdc(4) })
    await settleMade(stack.db, session.id)
    expect((await balance('pending')) - before).toBe(usdc(4))
    expect(refusal(await refund<Refusal>(session.id, { kind: 'whole', toAddress: to }))).toEqual([
      409,
      'session_pending',
    ])
    const ended = await makeSession(stack.db, stack.businessId, usdc(10))
    const detection = await makePayment(stack.db, ended, { amount: usdc(10) })
    await settleMade(stack.db, ended.id)
    await takeAway(stack.db, detection)
    expect(refusal(await refund<Refusal>(ended.id, { kind: 'whole', toAddress: to }))).toEqual([
      422,
      'nothing_to_refund',
      'kind',
    ])
  })

  test('of money in another asset is in that asset, and never in the one that was expected', async () => {
    const { session } = await expiredWith({ amount: 7, token: 'USDT' })
    expect(refusal(await refund<Refusal>(session.id, { kind: 'rest', toAddress: to }))).toEqual([
      422,
      'nothing_to_refund',
      'kind',
    ])
    expect(
      refusal(await refund<Refusal>(session.id, { kind: 'excess', token: 'USDT', toAddress: to })),
    ).toEqual([400, 'Invalid request body', 'kind'])
    const held = await balance('payouts_held', 'USDT')
    expect((await refund(session.id, { kind: 'rest', token: 'USDT', toAddress: to })).body).toMatchObject({
      amount: '7',
      token: 'USDT',
    })
    expect(await balance('payouts_held', 'USDT')).toBe(held + usdc(7))
    expect(await sessionOf(session.id)).toMatchObject({ amountRefunded: '0', refunds: [{ token: 'USDT' }] })
  })

  const wrong: [string, object, (string | number)[]][] = [
    ['no amount', { toAddress: '@' }, [400, 'Invalid request body', 'kind', 'amount']],
    [
      'kind and amount',
      { kind: 'rest', amount: '1', toAddress: '@' },
      [400, 'Invalid request body', 'kind', 'amount'],
    ],
    ['an unknown kind', { kind: 'half', toAddress: '@' }, [400, 'Invalid request body', 'kind']],
    ['amount zero', { amount: '0', toAddress: '@' }, [400, 'Invalid request body', 'amount']],
    ['a negative amount', { amount: '-1', toAddress: '@' }, [400, 'Invalid request body', 'amount']],
    ['too many decimals', { amount: '1.0000001', toAddress: '@' }, [400, 'Invalid request body', 'amount']],
    ['more than came', { amount: '20.000001', toAddress: '@' }, [422, 'amount_exceeds_rest', 'amount']],
    ['neither address nor claim', { kind: 'rest' }, [400, 'Invalid request body', 'toAddress', 'claim']],
    [
      'address and claim',
      { kind: 'rest', toAddress: '@', claim: true },
      [400, 'Invalid request body', 'toAddress', 'claim'],
    ],
    ['claim false', { kind: 'rest', claim: false }, [400, 'Invalid request body', 'claim']],
    ['no address', { kind: 'rest', toAddress: 'x' }, [400, 'invalid_address', 'toAddress']],
    [
      'an address of solana',
      { kind: 'rest', toAddress: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs' },
      [400, 'wrong_chain_address', 'toAddress'],
    ],
    ['an own address', { kind: 'rest', toAddress: 'deposit' }, [422, 'own_address', 'toAddress']],
    ['a token', { kind: 'rest', toAddress: 'token' }, [422, 'recipient_is_token', 'toAddress']],
    [
      'the zero address',
      { kind: 'rest', toAddress: `0x${'0'.repeat(40)}` },
      [422, 'recipient_without_key', 'toAddress'],
    ],
    [
      'a burn address',
      { kind: 'rest', toAddress: `0x${'0'.repeat(36)}dead` },
      [422, 'recipient_without_key', 'toAddress'],
    ],
    [
      'a memo on ethereum',
      { kind: 'rest', toAddress: '@', memo: '7' },
      [400, 'Invalid request body', 'memo'],
    ],
    [
      'a type without memo',
      { kind: 'rest', toAddress: '@', memoType: 'id' },
      [400, 'Invalid request body', 'memo'],
    ],
    ['a memo with claim', { kind: 'rest', claim: true, memo: '7' }, [400, 'Invalid request body', 'memo']],
    [
      'a chain that is not read',
      { kind: 'rest', toAddress: '@', chain: 'base' },
      [400, 'Invalid request body', 'chain'],
    ],
    [
      'an unknown token',
      { kind: 'rest', toAddress: '@', token: 'EURC' },
      [400, 'Invalid request body', 'token'],
    ],
    [
      'an asset that did not come',
      { kind: 'rest', toAddress: '@', token: 'ETH' },
      [422, 'nothing_to_refund', 'kind'],
    ],
    [
      'an unknown field',
      { kind: 'rest', toAddress: '@', address: 'x' },
      [400, 'Invalid request body', 'address'],
    ],
  ]
  test('with a wrong field names it and stores nothing', async () => {
    const session = await paid()
    const [token] = await stack.db.query<{ address: string }>(
      "select address from deposit_addresses where family = 'evm' limit 1",
    )
    const places: Record<string, string> = {
      '@': to,
      deposit: token?.address ?? '',
      token: stack.devnet.usdc,
    }
    const before = await count()
    for (const [name, body, expected] of wrong) {
      const sent = Object.fromEntries(
        Object.entries(body).map(([key, value]) => [
          key,
          key === 'toAddress' ? (places[String(value)] ?? value) : value,
        ]),
      )
      expect([name, ...refusal(await refund<Refusal>(session.id, sent))]).toEqual([name, ...expected])
    }
    expect(await count()).toBe(before)
  })

  test('of another business is not found, and neither is a session of another business', async () => {
    const [session, other, stranger] = [await paid(), await paid(), await otherBusinessHeaders(stack)]
    const { body } = await refund(session.id, { amount: '1', toAddress: to })
    const before = await count()
    const at = `/pos/sessions/${session.id}/refunds`
    const asked = [
      refund<Refusal>(session.id, { amount: '1', toAddress: to }, stranger),
      stack.api<Refusal>('GET', at, undefined, stranger),
      stack.api<Refusal>('GET', `${at}/${body.id}`, undefined, stranger),
      stack.api<Refusal>('POST', `${at}/${body.id}/cancel`, undefined, stranger),
      stack.api<Refusal>('POST', `/pos/sessions/${session.id}/resolve`, { resolution: 'accept' }, stranger),
      stack.api<Refusal>('GET', `/pos/sessions/${other.id}/refunds/${body.id}`),
      cancel<Refusal>(other.id, body.id),
      refund<Refusal>('x', { amount: '1', toAddress: to }),
      refund<Refusal>(newId(), { amount: '1', toAddress: to }),
    ]
    for (const answer of await Promise.all(asked)) expect(refusal(answer)).toEqual([404, 'Not found'])
    expect(
      (await refund<Refusal>(session.id, { amount: '1', toAddress: to }, await withScope(stack, 'read')))
        .status,
    ).toBe(403)
    expect(await count()).toBe(before)
  })
})

test('each change of a refund is an event, with the refund as it is then', async () => {
  const session = await paid()
  const made = async (body: object) => (await refund(session.id, { amount: '1', ...body })).body
  const typesOf = async ({ id }: Refund) => (await events(id)).map(({ type }) => type.replace('refund.', ''))
  const [kept, ended, failed, linked, uncertain] = [
    await made({ toAddress: to }),
    await made({ toAddress: to }),
    await made({ toAddress: to }),
    await made({ claim: true }),
    await made({ toAddress: to }),
  ]
  await moveMade(stack.db, kept.id, 'processing', 'pending', 'processing', 'completed')
  await cancel(session.id, ended.id)
  await moveMade(stack.db, failed.id, 'processing', 'failed')
  await claim(tokenOf(linked))
  await moveMade(stack.db, uncertain.id, 'processing', 'unknown', 'completed', 'failed')
  expect(await typesOf(kept)).toEqual(['created', 'sent', 'completed'])
  expect(await typesOf(ended)).toEqual(['created', 'cancelled'])
  expect(await typesOf(failed)).toEqual(['created', 'sent', 'failed'])
  expect(await typesOf(linked)).toEqual(['created', 'claimed'])
  // A fork took back what had arrived.
  expect(await typesOf(uncertain)).toEqual(['created', 'sent', 'unknown', 'completed', 'failed'])
  const [first, second] = await stack.db.query<{ data: Refund }>(
    "select data from events where data->>'id' = $1 order by sequence",
    [linked.id],
  )
  const { claimUrl: _, ...shown } = linked
  expect(first?.data).toEqual(shown)
  expect(second?.data).toMatchObject({
    status: 'pending',
    toAddress: expect.stringMatching(/^0x/),
    claim: { status: 'claimed' },
  })
})

describe('a claim', () => {
  const claimed = async (amount = '2') => {
    const session = await paid()
    const { body } = await refund(session.id, { amount, claim: true })
    return { session, refund: body, token: tokenOf(body) }
  }
  const shownOf = async ({ session, refund: { id } }: Awaited<ReturnType<typeof claimed>>) =>
    (await stack.api<Refund>('GET', `/pos/sessions/${session.id}/refunds/${id}`)).body

  test('is shown to the customer, who names an address once; the api proves it again', async () => {
    const made = await claimed()
    expect(made.refund).toMatchObject({
      status: 'awaiting_claim',
      toAddress: null,
      claim: { status: 'waiting' },
    })
    expect(Date.parse(made.refund.claim?.expiresAt ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const [business] = await stack.db.query<{ name: string }>('select name from businesses where id = $1', [
      stack.businessId,
    ])
    expect((await look(made.token)).body).toEqual({
      ...{ merchant: business?.name, amount: '2', token: 'USDC', chain: 'ethereum', takesMemo: false },
      expiresAt: made.refund.claim?.expiresAt,
    })
    const before = await standing()
    const done = await claim<Refund>(made.token)
    expect([done.status, done.body.toAddress?.toLowerCase()]).toEqual([200, to])
    expect(await shownOf(made)).toMatchObject({
      status: 'pending',
      toAddress: done.body.toAddress,
      claim: { status: 'claimed' },
    })
    expect(await standing()).toEqual(before)
    const [outflow] = await readOutflows(stack.db, 'id = $1 and next_at <= now()', [made.refund.id])
    const [row] = await stack.db.query<{ proof: Buffer }>('select proof from outflows where id = $1', [
      made.refund.id,
    ])
    expect(outflow?.wallet).toEqual({
      chain: 'ethereum',
      token: 'USDC',
      address: to,
      memo: null,
      amount: usdc(2),
    })
    expect(outflow && row && proofs.api.verifies(outflowMessage(outflow), row.proof)).toBe(true)
    const audit =
      'select action, actor_kind, actor_label, business_id, after from audit_log where target = $1 order by id desc limit 1'
    expect(await stack.db.query(audit, [made.refund.id])).toEqual([
      {
        ...{
          action: 'refund.claimed',
          actor_kind: 'system',
          actor_label: 'customer',
          business_id: stack.businessId,
        },
        after: { toAddress: done.body.toAddress },
      },
    ])
    for (const again of [await look<Refusal>(made.token), await claim<Refusal>(made.token, someAddress())])
      expect(refusal(again)).toEqual([410, 'claim_over'])
    expect((await shownOf(made)).toAddress).toBe(done.body.toAddress)
  })

  test('is won by one of many at once', async () => {
    const made = await claimed()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => claim<Refund & Refusal>(made.token, someAddress())),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const answer of answers.filter((each) => !won.includes(each)))
      expect(refusal(answer)).toEqual([410, 'claim_over'])
    expect((await shownOf(made)).toAddress).toBe(won[0]?.body.toAddress)
  })

  test('of a link that was cancelled or has expired is over, and of one that was never made is not found', async () => {
    const [cancelled, expired] = [await claimed(), await claimed()]
    expect((await cancel(cancelled.session.id, cancelled.refund.id)).body.claim?.status).toBe('cancelled')
    await stack.db.query(
      "update refunds set claim_expires_at = now() - interval '1 second' where outflow_id = $1",
      [expired.refund.id],
    )
    expect((await shownOf(expired)).claim?.status).toBe('expired')
    for (const { token } of [cancelled, expired])
      for (const answer of [await look<Refusal>(token), await claim<Refusal>(token)])
        expect(refusal(answer)).toEqual([410, 'claim_over'])
    const { token } = await claimed()
    for (const forged of [
      'x',
      `refund_${'A'.repeat(43)}`,
      `${token}A`,
      token.slice(0, -1),
      token.toLowerCase(),
      cancelled.refund.id,
    ])
      for (const answer of [await look<Refusal>(forged), await claim<Refusal>(forged)])
        expect(refusal(answer)).toEqual([404, 'Not found'])
  })

  test('of money that a fork has taken away reports it, before its session is settled and after; nothing is owed', async () => {
    const made = await claimed()
    const owed = () =>
      balanceOf(stack.db, {
        name: 'receivable',
        businessId: stack.businessId,
        asset: tokenAsset('ethereum', 'USDC'),
      })
    const before = [await owed(), await balance('payouts_held')]
    const [payment] = await stack.db.query<{ id: string }>(
      'select id from detections where subject_id = $1',
      [made.session.id],
    )
    await takeAway(stack.db, payment?.id ?? '')
    const answers = async () => [
      refusal(await look<Refusal>(made.token)),
      refusal(await claim<Refusal>(made.token)),
    ]
    expect([await answers(), (await shownOf(made)).status]).toEqual([
      Array(2).fill([410, 'payment_reversed']),
      'awaiting_claim',
    ])
    await settleMade(stack.db, made.session.id)
    expect(await answers()).toEqual(Array(2).fill([410, 'payment_reversed']))
    expect(await shownOf(made)).toMatchObject({
      status: 'cancelled',
      reason: 'payment_reversed',
      toAddress: null,
      claim: { status: 'cancelled' },
    })
    expect((await sessionOf(made.session.id)).refunds).toMatchObject([
      { id: made.refund.id, status: 'cancelled' },
    ])
    expect([await owed(), await balance('payouts_held')]).toEqual([before[0], (before[1] ?? 0n) - usdc(2)])
  })

  test('with a wrong address names it, and the link still works', async () => {
    const made = await claimed()
    const [deposit] = await stack.db.query<{ address: string }>(
      "select address from deposit_addresses where family = 'evm' limit 1",
    )
    const before = await count()
    const tries: [string, object, (string | number)[]][] = [
      ['x', {}, [400, 'invalid_address', 'toAddress']],
      [
        'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
        {},
        [400, 'wrong_chain_address', 'toAddress'],
      ],
      [deposit?.address ?? '', {}, [422, 'own_address', 'toAddress']],
      [stack.devnet.usdc, {}, [422, 'recipient_is_token', 'toAddress']],
      [`0x${'0'.repeat(40)}`, {}, [422, 'recipient_without_key', 'toAddress']],
      [to, { memo: '7' }, [400, 'Invalid request body', 'memo']],
      [to, { amount: '3' }, [400, 'Invalid request body', 'amount']],
    ]
    for (const [address, more, expected] of tries)
      expect(refusal(await claim<Refusal>(made.token, address, more))).toEqual(expected)
    expect(await count()).toBe(before)
    expect((await claim(made.token)).status).toBe(200)
  })

  test('is made on a page of this origin alone, which no site may frame', async () => {
    const at = `http://127.0.0.1:${stack.processes.get('api')?.port()}/refund`
    const page = await fetch(at)
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none';script-src 'self'.*frame-ancestors 'none'/,
    )
    const files = [...html.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)].map(([, path]) => path ?? '')
    expect(files).toEqual(['/refund/files/page.css', '/refund/files/page.js'])
    for (const path of files) expect((await fetch(new URL(path, at))).status).toBe(200)
  })
})

describe('a decision', () => {
  const typesOf = async (id: string) => (await events(id)).map(({ type }) => type)

  test('to accept what was too little makes the session paid, with an event, and the audit log has it', async () => {
    const { session } = await expiredWith({ amount: 9.5 })
    const { status, body } = await resolve(session.id, 'accept')
    expect([status, body]).toMatchObject([
      200,
      { status: 'paid', exception: 'underpaid', resolution: 'accepted', paidAt: expect.any(String) },
    ])
    expect(await sessionOf(session.id)).toEqual(body)
    expect((await typesOf(session.id)).slice(-1)).toEqual(['session.paid'])
    const [entry] = await stack.db.query(
      "select action, before, after from audit_log where target = $1 and action = 'session.resolved'",
      [session.id],
    )
    expect(entry).toEqual({
      action: 'session.resolved',
      before: { resolution: null },
      after: { resolution: 'accepted', accepted: '9.5' },
    })
    expect(refusal(await resolve<Refusal>(session.id, 'accept'))).toEqual([409, 'session_paid'])
    expect(refusal(await resolve<Refusal>(session.id, 'leave'))).toEqual([409, 'session_accepted'])
  })

  test.each([
    ['late money', [{ amount: 10, late: true }], 'late'],
    ['the other stablecoin', [{ amount: 10, token: 'USDT' }], 'wrong_token'],
    ['both together', [{ amount: 3 }, { amount: 6, token: 'USDT' }], 'wrong_token'],
  ])('takes %s', async (_name, payments, exception) => {
    const { session } = await expiredWith(...payments)
    expect((await resolve(session.id, 'accept')).body).toMatchObject({
      status: 'paid',
      exception,
      resolution: 'accepted',
    })
  })

  test('takes what is confirmed while the session waits, and its money becomes available', async () => {
    const session = await makeSession(stack.db, stack.businessId, usdc(10))
    await makePayment(stack.db, session, { amount: usdc(8) })
    await settleMade(stack.db, session.id)
    const [available, pending] = [await balance('available'), await balance('pending')]
    expect((await resolve(session.id, 'accept')).body.status).toBe('paid')
    expect([await balance('available'), await balance('pending')]).toEqual([
      available + usdc(8),
      pending - usdc(8),
    ])
  })

  test('takes nothing that is not there: nothing confirmed, an asset without a price, a cancelled session', async () => {
    const { session: empty } = await expiredWith()
    const { session: coin } = await expiredWith({ amount: 1, token: 'ETH' })
    const seen = await makeSession(stack.db, stack.businessId, usdc(10))
    await makePayment(stack.db, seen, { amount: usdc(10), status: 'seen' })
    for (const { id } of [empty, coin, seen])
      expect(refusal(await resolve<Refusal>(id, 'accept'))).toEqual([409, 'nothing_confirmed'])
    const cancelled = await makeSession(stack.db, stack.businessId, usdc(10))
    await stack.api('POST', `/pos/sessions/${cancelled.id}/cancel`)
    await makePayment(stack.db, cancelled, { amount: usdc(10) })
    await settleMade(stack.db, cancelled.id)
    expect(refusal(await resolve<Refusal>(cancelled.id, 'accept'))).toEqual([409, 'session_cancelled'])
    expect((await resolve(cancelled.id, 'leave')).body).toMatchObject({
      status: 'cancelled',
      resolution: 'left',
    })
    expect(refusal(await resolve<Refusal>(empty.id, 'leave'))).toEqual([409, 'nothing_to_resolve'])
    expect(refusal(await resolve<Refusal>(seen.id, 'leave'))).toEqual([409, 'session_pending'])
    expect(refusal(await resolve<Refusal>(seen.id, 'keep'))).toEqual([
      400,
      'Invalid request body',
      'resolution',
    ])
  })

  test('is undone by a fork that takes some of it away, and holds again when it comes back', async () => {
    const { session, detections } = await expiredWith({ amount: 5 }, { amount: 3 })
    await resolve(session.id, 'accept')
    await takeAway(stack.db, detections[1] ?? '')
    await settleMade(stack.db, session.id)
    expect(await sessionOf(session.id)).toMatchObject({ resolution: 'accepted', paidAt: null })
    expect((await sessionOf(session.id)).status).not.toBe('paid')
    expect((await typesOf(session.id)).slice(-1)).toEqual(['session.reversed'])
    await stack.db.query(
      "update detections set status = 'confirmed', generation = generation + 1, confirmed_at = now() where id = $1",
      [detections[1]],
    )
    await settleMade(stack.db, session.id)
    expect((await sessionOf(session.id)).status).toBe('paid')
  })

  test('to leave it changes nothing but that it was decided', async () => {
    const session = await paid()
    const [before, types] = [await sessionOf(session.id), await typesOf(session.id)]
    expect((await resolve(session.id, 'leave')).body).toEqual({ ...before, resolution: 'left' })
    expect(await typesOf(session.id)).toEqual(types)
  })
})
