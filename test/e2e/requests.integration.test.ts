import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadContract, operationsOf, permissionsOf } from '../../api/contract.ts'
import {
  AuthenticationError,
  type Client,
  createClient,
  IdempotencyConflictError,
  NotFoundError,
  ValidationError,
} from '../../client/index.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { businessModel } from '../../src/businesses/model.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { openDirect } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { addBusiness, addMember, addPerson, tokenOf } from '../support/dashboardSession.ts'
import { makePayment, makeSession } from '../support/madeSessions.ts'
import { once } from '../support/once.ts'
import { type ListedOperation, nameOf, sampleOf } from '../support/sampleRequests.ts'
import { type ApiAnswer, createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Requests to the payments API that need no chain and no worker.

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(() => stack?.close())

describe('the client of this project', () => {
  let client: Client
  const clientOf = (apiKey?: string) =>
    createClient({ baseUrl: `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`, apiKey })

  beforeAll(() => {
    client = clientOf(stack.apiKey)
  })

  const body = { chain: 'ethereum', token: 'USDC', amount: '10' } as const
  const create = (more: object = {}, idempotencyKey?: string) =>
    client.call('createSession', { body: { ...body, ...more }, idempotencyKey })

  test('a created session is read back, and is cancelled', async () => {
    const made = await create({ label: 'Table 4' })
    expect(made).toMatchObject({
      chain: 'ethereum',
      token: 'USDC',
      amountExpected: '10',
      status: 'pending',
      label: 'Table 4',
    })
    expect(await client.call('getSession', { path: { id: made.id } })).toEqual(made)
    expect((await client.call('cancelSession', { path: { id: made.id } })).status).toBe('cancelled')
  })

  test('a session is created with one event, which has the answer of the request; a repeated request records no other', async () => {
    const { latestSequence: after } = await client.call('listEvents', { query: { limit: 1 } })
    const made = await create({ metadata: { order: 9 } }, 'only-once')
    await create({ metadata: { order: 9 } }, 'only-once')
    await expect(create({ amount: '-1' })).rejects.toBeInstanceOf(ValidationError)
    const { events } = await client.call('listEvents', { query: { after } })
    expect(events).toMatchObject([{ type: 'session.created', data: made }])
  })

  test('metadata of a session is replaced as a whole, in any state, and later events have it', async () => {
    const made = await create({ metadata: { table: 4, waiter: 'Ada' }, label: 'Table 4' })
    const change = (metadata: Record<string, unknown> | null) =>
      client.call('changeSession', { path: { id: made.id }, body: { metadata } })
    const changed = { ...made, metadata: { table: 5 } }
    expect(await change({ table: 5 })).toEqual(changed)
    expect(await change({ table: 5 })).toEqual(changed)
    expect(await client.call('getSession', { path: { id: made.id } })).toEqual(changed)
    const { latestSequence: after } = await client.call('listEvents', { query: { limit: 1 } })
    await client.call('cancelSession', { path: { id: made.id } })
    expect((await client.call('listEvents', { query: { after } })).events).toMatchObject([
      { type: 'session.cancelled', data: { id: made.id, metadata: { table: 5 } } },
    ])
    expect(await change({ shift: 'late' })).toMatchObject({
      status: 'cancelled',
      metadata: { shift: 'late' },
    })
    expect((await change({})).metadata).toBeNull()
    await change({ table: 1 })
    expect((await change(null)).metadata).toBeNull()
  })

  test.each([
    ['another field', { metadata: {}, label: 'Table 5' }, 'label'],
    ['no metadata', {}, 'metadata'],
    ['a list', { metadata: [1] }, 'metadata'],
    [
      'too many fields',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, i])) },
      'metadata',
    ],
    ['too many bytes', { metadata: { text: 'x'.repeat(4096) } }, 'metadata'],
  ])('a change of a session with %s is refused, naming the field', async (_, body, field) => {
    const { id } = await create({ metadata: { table: 4 } })
    const refused = await client
      .call('changeSession', { path: { id }, body: body as never })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(ValidationError)
    expect(refused.fields.map((each: { field: string }) => each.field)).toContain(field)
    expect((await client.call('getSession', { path: { id } })).metadata).toEqual({ table: 4 })
  })

  test('pages give each session once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ reference: 'client-paged' })))
    const { sessions, total } = await client.call('listSessions', {
      query: { reference: 'client-paged', limit: 2, status: undefined },
    })
    expect([sessions.length, total]).toEqual([2, 5])
    const pages: string[][] = []
    for await (const page of client.pages('listSessions', { query: { reference: 'client-paged', limit: 2 } }))
      pages.push(page.sessions.map(({ id }) => id))
    expect(pages.map((ids) => ids.length)).toEqual([2, 2, 1])
    expect(pages.flat().sort()).toEqual(made.map(({ id }) => id).sort())
  })

  test('sessions are found by id, reference, address and transaction, by exception and by time; those of others are not', async () => {
    const mine = await create({ reference: 'order 8/a' })
    await create({ reference: 'order 8' })
    const theirs = await makeSession(stack.db, await addBusiness(stack, await addPerson(stack)), 5n)
    const txId = await payAs(mine)
    await payAs(theirs)
    await stack.db.query("update pos_sessions set exception = 'late' where id = any($1::uuid[])", [
      [mine.id, theirs.id],
    ])
    const idsOf = async (query: object) =>
      (await client.call('listSessions', { query })).sessions.map(({ id }) => id)
    for (const search of [
      mine.id,
      mine.id.slice(9),
      'order 8/a',
      'ER 8/',
      ` ${mine.address.toLowerCase()} `,
      mine.address,
      txId,
      txId.toUpperCase().replace('0X', '0x'),
    ])
      expect([search, await idsOf({ search })]).toEqual([search, [mine.id]])
    for (const search of [theirs.id, theirs.address, theirs.id.slice(9), 'orders', `0x${'1'.repeat(64)}`])
      expect([search, await idsOf({ search })]).toEqual([search, []])
    expect(await idsOf({ exception: 'late' })).toEqual([mine.id])
    expect([
      await idsOf({ reference: 'order 8/a' }),
      await idsOf({ exception: 'late', search: 'order 8' }),
    ]).toEqual([[mine.id], [mine.id]])
    const at = Date.parse(mine.createdAt)
    const [before, after] = [new Date(at - 1).toISOString(), new Date(at + 1).toISOString()]
    expect(await idsOf({ since: mine.createdAt, until: after, reference: 'order 8/a' })).toEqual([mine.id])
    expect(await idsOf({ since: after, reference: 'order 8/a' })).toEqual([])
    expect(await idsOf({ until: mine.createdAt, reference: 'order 8/a' })).toEqual([])
    for (const [query, field] of [
      [{ since: after, until: before }, 'until'],
      [{ since: 'yesterday' }, 'since'],
      [{ search: ' ' }, 'search'],
      [{ search: 'x'.repeat(201) }, 'search'],
      [{ exception: 'odd' }, 'exception'],
    ] as const) {
      const refused = await client.call('listSessions', { query: query as never }).catch((error) => error)
      expect([query, refused.fields?.map((each: { field: string }) => each.field)]).toEqual([query, [field]])
    }
  })

  /**
   * A payment to a session, as the indexer stores it, in a transaction that pays the sessions of others too.
   */
  async function payAs(session: { id: string; address: string }): Promise<string> {
    const detection = await makePayment(
      stack.db,
      { ...session, address: session.address.toLowerCase() },
      { amount: 5n },
    )
    const txId = `0x${'ab'.repeat(32)}`
    await stack.db.query(
      'update transfers set tx_id = $2 where id = (select transfer_id from detections where id = $1)',
      [detection, txId],
    )
    return txId
  }

  test('the same key gives the same session again, and is refused for another request', async () => {
    const first = await create({ reference: 'order-7' }, 'order-7')
    expect(await create({ reference: 'order-7' }, 'order-7')).toEqual(first)
    const refused = await create({ amount: '11' }, 'order-7').catch((error) => error)
    expect(refused).toBeInstanceOf(IdempotencyConflictError)
    expect(refused).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  test('an error is typed and has its request id', async () => {
    const wrong = await create({ amount: '-1' }).catch((error) => error)
    expect(wrong).toBeInstanceOf(ValidationError)
    expect(wrong.fields.map(({ field }: { field: string }) => field)).toEqual(['amount'])

    const missing = await client
      .call('getSession', { path: { id: '0198c5f0-0000-7000-8000-000000000000' } })
      .catch((error) => error)
    expect(missing).toBeInstanceOf(NotFoundError)
    expect(missing).toMatchObject({ status: 404, code: 'Not found' })

    const unknown = await clientOf('ak_test_wrong')
      .call('listWallets')
      .catch((error) => error)
    expect(unknown).toBeInstanceOf(AuthenticationError)
    expect(unknown).toMatchObject({ status: 401, code: 'Invalid API key' })

    for (const error of [wrong, missing, unknown]) expect(error.requestId).toMatch(/^[\w.-]{8,}$/)
  })

  test('paths outside /api/v1 answer without a key', async () => {
    expect(await clientOf().call('getLiveness')).toEqual({ status: 'ok' })
  })
})

describe('an Idempotency-Key', () => {
  const body = { chain: 'ethereum', token: 'USDC', amount: '10' }
  const create = (key: string, more: object = {}) =>
    stack.api<SessionBody & { error: string }>(
      'POST',
      '/pos/sessions',
      { ...body, ...more },
      { 'idempotency-key': key },
    )
  const stored = async (reference: string) =>
    (await stack.api<{ total: number }>('GET', `/pos/sessions?reference=${reference}`)).body.total

  test('the same key and body get the first answer again, and one session', async () => {
    const first = await create('again', { reference: 'again' })
    const second = await create('again', { reference: 'again' })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await stored('again')).toBe(1)
  })

  test('the same key with another body, or for another operation, is refused with 422', async () => {
    const { body: session } = await create('other')
    expect(await create('other', { amount: '11' })).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
    const cancel = await stack.api('POST', `/pos/sessions/${session.id}/cancel`, undefined, {
      'idempotency-key': 'other',
    })
    expect(cancel).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
    expect((await stack.session(session.id)).status).toBe('pending')
  })

  test('twenty at once with one key make one session; early repeats are refused for now', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create('at-once', { reference: 'at-once' })),
    )
    expect(await stored('at-once')).toBe(1)
    const ids = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id))
    expect(ids.size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([
        409,
        'request_in_progress',
        '1',
      ])
    }
  })

  test('a failed request does not use its key up', async () => {
    expect((await create('failed', { chain: 'polygon' })).status).toBe(400)
    expect((await create('failed')).status).toBe(201)
  })

  test('a blank, an empty and a 256-character key are refused by name', async () => {
    for (const key of [' ', 'a b', 'x'.repeat(256)]) {
      const answer = await stack.api<{ fields: { field: string }[] }>('POST', '/pos/sessions', body, {
        'idempotency-key': key,
      })
      if (key.trim() === '') continue // Node's client trims it: the header is then empty.
      expect(answer.status).toBe(400)
      expect(answer.body.fields.map((each) => each.field)).toEqual(['idempotency-key'])
    }
  })
})

describe('bad input', () => {
  const good = { chain: 'ethereum', token: 'USDC', amount: '10' }
  const without = (field: 'chain' | 'token' | 'amount') =>
    Object.fromEntries(Object.entries(good).filter(([name]) => name !== field))

  /** Every row that a request could have left behind. */
  async function traces(): Promise<unknown> {
    const [row] = await stack.db.query(
      `select (select count(*) from pos_sessions) as sessions, (select count(*) from watches) as watches, (select count(*) from outbox) as outbox,
       (select count(*) from deposit_addresses where taken_at is not null) as taken, (select count(*) from events) as events`,
    )
    return row
  }

  // Null is no value of an optional field: it is absent.
  const notStrings = [7, true, [], {}]
  const notAmounts = [
    '',
    '0',
    '0.0',
    '0.000000',
    '-1',
    '+1',
    '1e3',
    '1E3',
    'NaN',
    'Infinity',
    '0x10',
    '1,5',
    '1 000',
    ' 1',
    '1 ',
    '01',
    '.5',
    '5.',
    '1.2.3',
    '١٢',
    '9'.repeat(31),
    10,
  ]
  /** Examples of BIP-39 and SEP-23: secrets that must never reach a list of sessions. */
  const phrase =
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
  const stellarSeed = 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'
  const notCurrencies = ['', 'ngn', 'NG', 'NGNN', 'N1N', '₦', 5]

  /** Field, value, and the fields that the answer must name. */
  const cases: [string, unknown, unknown, string[]][] = [
    ...['chain', 'token'].flatMap((field) =>
      ['', 'Ethereum', 'bitcoin', 'usdc', 'DAI', null, ...notStrings].map(
        (value) =>
          [`${field} = ${JSON.stringify(value)}`, field, value, [field]] as [
            string,
            string,
            unknown,
            string[],
          ],
      ),
    ),
    ...[...notAmounts, '1.1234567', ...notStrings].map(
      (value) =>
        [`amount = ${JSON.stringify(value)}`, 'amount', value, ['amount']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
    ...[...notAmounts, '1.123', ...notStrings].map(
      (value) =>
        [`localAmount = ${JSON.stringify(value)}`, 'localAmount', value, ['localAmount']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
    ...[...notCurrencies, 'ZZZ', ...notStrings].map(
      (value) =>
        [`localCurrency = ${JSON.stringify(value)}`, 'localCurrency', value, ['localCurrency']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
    ...[0, -1, 1.5, 604_801, 1e21, '600', true, [], {}].map(
      (value) =>
        [`expirySeconds = ${JSON.stringify(value)}`, 'expirySeconds', value, ['expirySeconds']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
    ...['label', 'reference'].flatMap((field) =>
      ['', 'x'.repeat(201), 'a\u0000b', 'a\ud800b', '\udfff', phrase, ...notStrings].map(
        (value) =>
          [`${field} = ${JSON.stringify(value).slice(0, 30)}`, field, value, [field]] as [
            string,
            string,
            unknown,
            string[],
          ],
      ),
    ),
    ...[
      'text',
      7,
      [],
      { big: 'x'.repeat(5000) },
      { nul: 'a\u0000b' },
      { half: ['a\ud800'] },
      { '\udc00': 'the name of a field' },
      { deep: { note: phrase } },
      { [phrase]: 1 },
      { note: `of the till: ${stellarSeed}` },
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])),
    ].map(
      (value) =>
        [`metadata = ${JSON.stringify(value).slice(0, 30)}`, 'metadata', value, ['metadata']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
    ...['', 'made-up', 'a.b', 'a.b.c', ...notStrings].map(
      (value) =>
        [`quoteId = ${JSON.stringify(value)}`, 'quoteId', value, ['quoteId']] as [
          string,
          string,
          unknown,
          string[],
        ],
    ),
  ]

  interface Refused {
    name: string
    body: unknown
    headers?: Record<string, string>
  }
  type Refusal = ApiAnswer<{
    error: string
    message: string
    fields: { field: string; code: string }[]
    requestId: string
  }>

  const ask = ({ body, headers }: Refused): Promise<Refusal> =>
    stack.api('POST', '/pos/sessions', body, headers)

  describe('create-session refuses, naming the field, and stores nothing', () => {
    const ofFields = cases.map(([name, field, value]) => {
      const body: Record<string, unknown> = { ...good, [String(field)]: value }
      if (field === 'localAmount' || field === 'quoteId') delete body.amount
      return { name, body }
    })
    const ofBodies: [string, unknown, string[]][] = [
      ['chain missing', without('chain'), ['chain']],
      ['token missing', without('token'), ['token']],
      ['neither amount', without('amount'), ['amount', 'localAmount']],
      ['both amounts', { ...good, localAmount: '100' }, ['amount', 'localAmount']],
      ['a known chain that is not available', { ...good, chain: 'polygon' }, ['chain']],
      ['an unknown field', { ...good, amuont: '1' }, ['amuont']],
      [
        'a field of the prototype',
        JSON.parse('{"chain":"ethereum","token":"USDC","amount":"1","__proto__":{"x":1}}'),
        ['__proto__'],
      ],
    ]
    const ofTexts: [string, string, string, number, string][] = [
      ['broken JSON', '{"chain":', 'application/json', 400, 'Invalid request body'],
      ['no JSON object', '[]', 'application/json', 400, 'Invalid request body'],
      ['a bare string', '"x"', 'application/json', 400, 'Invalid request body'],
      ['an empty body', '', 'application/json', 400, 'Invalid request body'],
      [
        '10 MB',
        JSON.stringify({ ...good, label: 'x'.repeat(10_000_000) }),
        'application/json',
        413,
        'Request body too large',
      ],
      ['a form', 'chain=ethereum', 'application/x-www-form-urlencoded', 415, 'Unsupported media type'],
      ['text', JSON.stringify(good), 'text/plain', 415, 'Unsupported media type'],
      [
        'another charset',
        JSON.stringify(good),
        'application/json; charset=iso-8859-1',
        415,
        'Unsupported media type',
      ],
    ]

    /**
     * Sends all, twenty at once, and checks that nothing is stored. If something is, sends each by itself to
     * name the requests that store it.
     */
    const answers = once(async () => {
      const all: Refused[] = [
        ...ofFields,
        ...ofBodies.map(([name, body]) => ({ name, body })),
        ...ofTexts.map(([name, body, type]) => ({ name, body, headers: { 'content-type': type } })),
      ]
      const before = await traces()
      const received: Refusal[] = []
      for (let i = 0; i < all.length; i += 20)
        received.push(...(await Promise.all(all.slice(i, i + 20).map(ask))))
      const storedBy: string[] = []
      if (!isDeepStrictEqual(await traces(), before)) {
        for (const each of all) {
          const now = await traces()
          await ask(each)
          if (!isDeepStrictEqual(await traces(), now)) storedBy.push(each.name)
        }
      }
      return { received, storedBy, before, after: await traces() }
    })
    const answerTo = async (index: number): Promise<Refusal> => (await answers()).received[index] as Refusal

    test('and stores nothing', async () => {
      const { storedBy, before, after } = await answers()
      expect({ storedBy, traces: after }).toEqual({ storedBy: [], traces: before })
    })

    test.each(cases.map((each, index) => [...each, index] as const))(
      '%s',
      async (_name, field, value, named, index) => {
        const answer = await answerTo(index)
        expect({ value, status: answer.status, error: answer.body.error }).toEqual({
          value,
          status: 400,
          error: 'Invalid request body',
        })
        expect(answer.body.fields.map((each) => each.field.split('.')[0])).toEqual(named)
        expect(answer.body.fields.map(({ code }) => code)).not.toContain('invalid')
        expect(answer.body.message).toContain(String(field))
        for (const secret of [phrase, stellarSeed]) expect(JSON.stringify(answer.body)).not.toContain(secret)
        expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
      },
    )

    test.each(ofBodies.map((each, index) => [...each, ofFields.length + index] as const))(
      '%s',
      async (_name, _body, named, index) => {
        const answer = await answerTo(index)
        expect(answer.status).toBe(400)
        expect(answer.body.fields.map((each) => each.field)).toEqual(named)
        expect(answer.body.fields.map(({ code }) => code)).not.toContain('invalid')
      },
    )

    test.each(ofTexts.map((each, index) => [...each, ofFields.length + ofBodies.length + index] as const))(
      '%s',
      async (_name, _body, _type, status, error, index) => {
        const answer = await answerTo(index)
        expect([answer.status, answer.body.error]).toEqual([status, error])
      },
    )
  })

  test('metadata may contain the letters \\u0000: only the character itself cannot be stored', async () => {
    for (const [index, text] of ['\\u0000', '\\\\u0000', 'C:\\u0000'].entries()) {
      const { status, body } = await stack.api<SessionBody>('POST', '/pos/sessions', {
        ...good,
        metadata: { text, [text]: 1 },
      })
      expect([status, body.metadata]).toEqual([201, { text, [text]: 1 }])
      const watched = { chain: 'ethereum', address: `0x${String(index).repeat(40)}`, metadata: { text } }
      expect(await stack.api('POST', '/monitoring/addresses', watched)).toMatchObject({
        status: 201,
        body: { metadata: { text } },
      })
    }
    for (const metadata of [{ text: '\\\u0000' }, { '\u0000': 1 }, { deep: [{ text: 'a\u0000b' }] }]) {
      expect((await stack.api('POST', '/pos/sessions', { ...good, metadata })).status).toBe(400)
    }
  })

  test('a hash in a label, a reference or metadata is accepted: it may be of a transaction', async () => {
    const hash = 'ab'.repeat(32)
    expect(
      (
        await stack.api('POST', '/pos/sessions', {
          ...good,
          label: hash,
          reference: hash,
          metadata: { hash, name: hash, emoji: '🐚' },
        })
      ).status,
    ).toBe(201)
  })

  test('a key or a phrase in a name is refused, and so is half a character in any text, by the fields’ names', async () => {
    const url = 'https://receiver.example.com/hook'
    for (const description of [phrase, stellarSeed, `0x${'ab'.repeat(32)}`, 'a\ud800'])
      expect(await stack.api('POST', '/webhook-endpoints', { url, description })).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'description' }] },
      })
    const half = { chain: 'ethereum', address: '0x\ud800' }
    expect(await stack.api('POST', '/monitoring/addresses', half)).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'address' }] },
    })
  })

  test('a content type with parameters counts as JSON', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=1']) {
      expect(
        (await stack.api('POST', '/pos/sessions', JSON.stringify(good), { 'content-type': type })).status,
      ).toBe(201)
    }
  })

  describe('lists refuse, naming the parameter', () => {
    const paging = [
      'page=0',
      'page=-1',
      'page=x',
      'page=1.5',
      'limit=0',
      'limit=101',
      'limit=x',
      'sort=up',
      'status=open',
      'unknown=1',
      'page=1&page=2',
      'chain=bitcoin',
    ]
    test.each([
      ...paging.map((query) => ['/pos/sessions', query]),
      ...[...paging, 'type=Session', 'address='].map((query) => ['/webhooks', query]),
    ])('%s?%s', async (path, query) => {
      const answer = await stack.api<{ error: string; fields: { field: string }[] }>(
        'GET',
        `${path}?${query}`,
      )
      expect([answer.status, answer.body.error]).toEqual([400, 'Invalid request parameters'])
      expect(answer.body.fields.map((each) => each.field)).toEqual([query.split('=')[0]])
    })
  })

  describe('a time that does not exist is refused, naming its field', () => {
    const impossible = [
      '2026-13-20T10:00:00Z',
      '2026-02-30T10:00:00Z',
      '2026-11-20T23:59:60Z',
      '2026-11-20T10:00:00+05',
      '2026-11-20T10:00:00+24:00',
    ]
    test.each(impossible)('%s', async (time) => {
      for (const field of ['since', 'until']) {
        expect(await stack.api('GET', `/webhooks?${field}=${encodeURIComponent(time)}`)).toMatchObject({
          status: 400,
          body: { error: 'Invalid request parameters', fields: [{ field }] },
        })
        expect(
          await stack.api('POST', '/webhooks/replay', { since: '2026-11-20T10:00:00Z', [field]: time }),
        ).toMatchObject({
          status: 400,
          body: { error: 'Invalid request body', fields: [{ field }] },
        })
      }
    })
  })

  test('unknown paths and methods get a clear answer with a request id, as problem+json when requested', async () => {
    expect(await stack.api('GET', '/nothing/here')).toMatchObject({
      status: 404,
      body: { error: 'Not found' },
    })
    expect(await stack.api('DELETE', '/pos/sessions')).toMatchObject({
      status: 405,
      body: { error: 'Method not allowed' },
    })
    const problem = await stack.api(
      'POST',
      '/pos/sessions',
      { ...good, amount: '0' },
      { accept: 'application/problem+json', 'x-request-id': 'my-own-request' },
    )
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
    expect(problem.body).toMatchObject({
      type: 'about:blank',
      title: 'Invalid request body',
      status: 400,
      requestId: 'my-own-request',
      fields: [{ field: 'amount' }],
    })
  })

  test('an operation without a body refuses one, so that a misspelt request is not half understood', async () => {
    const session = await stack.createSession()
    expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`, { resaon: 'x' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'resaon' }] },
    })
    expect((await stack.session(session.id)).status).toBe('pending')
    expect((await stack.api('POST', `/pos/sessions/${session.id}/cancel`, {})).status).toBe(200)
  })
})

describe('the contract', () => {
  const contract = loadContract()
  const operations = operationsOf(contract)
  const guarded = operations.filter(({ operation }) => operation['x-scope'] !== 'public')

  beforeAll(async () => {
    // A key has owner permissions only if it names them.
    await stack.db.query('update api_keys set permissions = $1', [
      permissionsOf(contract).map(({ permission }) => permission),
    ])
  })

  test('the served document is the bundled one', async () => {
    const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/openapi.json`)
    expect(await response.json()).toEqual(contract)
  })

  const withBody = guarded.filter(({ operation }) => operation.requestBody)

  const isOptional = ({ operation }: ListedOperation) =>
    (operation.requestBody as { required?: boolean }).required === false

  /** An operation's answers to an unknown field, to invalid JSON, and to a body of another type. */
  async function askBroken(listed: ListedOperation) {
    const verb = listed.method.toUpperCase()
    const { path: to, body } = sampleOf(listed)
    const text = JSON.stringify(body)
    const unknown = await stack.api<{ fields: { field: string }[] }>(verb, to, { ...body, mispelt: 1 })
    const broken = [text.slice(0, -1), `${text}x`, `[${text}]`, '"x"', ...(isOptional(listed) ? [] : [''])]
    const ofBroken: [string, number][] = []
    for (const each of broken) ofBroken.push([each, (await stack.api(verb, to, each)).status])
    const asText = await stack.api(verb, to, text, { 'content-type': 'text/plain' })
    return { unknown, ofBroken, asText }
  }

  /**
   * Sends all, eight at once, and checks that no table changes. If one does, sends each by itself to name
   * those that change something.
   */
  const brokenRequests = once(async () => {
    const before = await contentsOf(stack)
    const received: Awaited<ReturnType<typeof askBroken>>[] = []
    for (let i = 0; i < withBody.length; i += 8)
      received.push(...(await Promise.all(withBody.slice(i, i + 8).map(askBroken))))
    const changedBy: string[] = []
    if (!isDeepStrictEqual(await contentsOf(stack), before)) {
      for (const listed of withBody) {
        const now = await contentsOf(stack)
        await askBroken(listed)
        if (!isDeepStrictEqual(await contentsOf(stack), now)) changedBy.push(nameOf(listed))
      }
    }
    return { received, changedBy, before, after: await contentsOf(stack) }
  })

  test('requests with a refused body store nothing', async () => {
    const { changedBy, before, after } = await brokenRequests()
    expect({ changedBy, holds: after }).toEqual({ changedBy: [], holds: before })
  })

  test.each(withBody.map((listed, index) => [nameOf(listed), index] as const))(
    '%s refuses an unknown field, invalid JSON, and another type',
    async (_name, index) => {
      const answers = (await brokenRequests()).received[index]
      const { status, body } = answers?.unknown ?? {}
      // A sample may name a chain that this deployment does not have: that is a mistake of its own.
      expect([status, body?.fields.map(({ field }) => field)]).toEqual([
        400,
        expect.arrayContaining(['mispelt']),
      ])
      expect(answers?.ofBroken).toEqual(answers?.ofBroken.map(([text]) => [text, 400]))
      expect(answers?.ofBroken).toHaveLength(withBody[index] && isOptional(withBody[index]) ? 4 : 5)
      expect(answers?.asText.status).toBe(415)
    },
  )

  test('every POST takes an Idempotency-Key, except those whose answer holds a secret, which is never stored, webhooks of partners, and links of customers', () => {
    const ofCustomers = (path: string) => path.startsWith('/refund-claims') || path.startsWith('/pay/')
    const posts = operations.filter(
      ({ method, path, operation }) => method === 'post' && !operation['x-raw-body'] && !ofCustomers(path),
    )
    const takes = ({ operation }: (typeof posts)[number]) =>
      JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey')
    const secret = posts.filter(({ operation }) => operation['x-secret-answer'])
    expect(posts.filter((each) => !takes(each)).map(nameOf)).toEqual(secret.map(nameOf))
    expect(secret.map(nameOf)).toEqual([
      'POST /auth/login',
      'POST /webhook-callbacks/rotate-secret',
      'POST /webhook-endpoints',
      'POST /webhook-endpoints/{id}/rotate-secret',
      'POST /crypto/wallets/generate',
    ])
  })

  test('every operation that changes something declares its audit log entries; only those that store nothing declare no entries', () => {
    const writes = operations.filter(({ operation }) => operation['x-scope'] === 'write')
    for (const listed of writes)
      expect([nameOf(listed), listed.operation['x-audit']]).toEqual([
        nameOf(listed),
        expect.stringMatching(/^([a-z_]+\.[a-z_]+|none)$/),
      ])
    expect(
      writes
        .filter(({ operation }) => operation['x-audit'] === 'none')
        .map(nameOf)
        .sort(),
    ).toEqual(['POST /crypto/wallets/generate', 'POST /payout-batch-checks'])
    expect(
      operations
        .filter(({ operation }) => operation['x-scope'] !== 'write' && operation['x-audit'] !== undefined)
        .map(nameOf),
    ).toEqual([])
  })

  /** The names of all fields that a schema of the contract can have, its references followed. */
  function fieldsOf(schema: unknown, seen = new Set<unknown>()): string[] {
    if (schema === null || typeof schema !== 'object' || seen.has(schema)) return []
    seen.add(schema)
    const { $ref, properties, ...rest } = schema as { $ref?: string; properties?: Record<string, unknown> }
    const target = $ref
      ?.slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract)
    const inside = [target, ...Object.values(properties ?? {}), ...Object.values(rest)]
    return [...Object.keys(properties ?? {}), ...inside.flatMap((each) => fieldsOf(each, seen))]
  }

  test('no operation is about API keys, and no answer contains one: the dashboard alone creates, shows and revokes them', () => {
    const aboutKeys = operations.filter(({ path, operation }) =>
      /keys?\b/i.test(`${path} ${operation.operationId} ${operation['x-permission']}`),
    )
    expect(aboutKeys.map(nameOf)).toEqual(['GET /.well-known/jwks.json'])
    const answered = operations.flatMap((listed) => {
      const carriedOut = Object.entries(listed.operation.responses).flatMap(([status, answer]) =>
        status.startsWith('2') ? [answer] : [],
      )
      return [...new Set(fieldsOf(carriedOut))]
        .filter((field) => /key|secret|token$/i.test(field))
        .map((field) => `${nameOf(listed)} ${field}`)
    })
    // Excluded: symbols, and public keys of wallets and receivers. The rest names a key, describes signing
    // keys, is the access token, or is shown this once.
    const others = answered.filter(
      (each) =>
        !/ (token|sellToken|buyToken|movementKey|publicKey|previousPublicKey|previousSecretUntil)$/.test(
          each,
        ),
    )
    expect(others).toEqual([
      'POST /auth/login accessToken',
      'GET /auth/me apiKey',
      'GET /.well-known/jwks.json keys',
      'PUT /webhook-callbacks secret',
      'POST /webhook-callbacks/rotate-secret secret',
      'POST /webhook-endpoints secret',
      'POST /webhook-endpoints/{id}/rotate-secret secret',
      'POST /crypto/wallets/generate privateKey',
    ])
  })

  test('another business finds nothing of the first: not in lists, not in settings, not under the same idempotency key', async () => {
    const businessId = newId()
    await businessModel(stack.db.sequelize).create({
      id: businessId,
      name: 'Other business',
      localCurrency: null,
      feePercent: '0',
      fxMarginPercent: '0',
      accepted: { ethereum: ['USDT'] },
    })
    const otherBusiness = {
      'x-api-key': (
        await createApiKey(stack, { businessId, name: 'other', scope: 'write', environment: 'test' })
      ).reveal(),
    }
    const ours = await stack.createSession({ reference: 'ours' })

    for (const id of ['nonsense', '%00', "' or 1=1 --"]) {
      expect(
        await stack.api('GET', `/pos/sessions/${encodeURIComponent(id)}`, undefined, otherBusiness),
      ).toMatchObject({
        status: 404,
        body: { error: 'Not found' },
      })
      expect(
        await stack.api('POST', `/pos/sessions/${encodeURIComponent(id)}/cancel`, undefined, otherBusiness),
      ).toMatchObject({ status: 404 })
    }
    expect((await stack.session(ours.id)).status).toBe('pending')
    expect(
      (await stack.api('GET', '/pos/sessions?reference=ours', undefined, otherBusiness)).body,
    ).toMatchObject({ sessions: [], total: 0 })
    expect((await stack.api('GET', '/webhooks?type=session.*', undefined, otherBusiness)).body).toMatchObject(
      { webhooks: [], total: 0 },
    )
    expect(
      (
        await stack.api(
          'GET',
          `/pos/sessions/networks?businessId=${stack.businessId}`,
          undefined,
          otherBusiness,
        )
      ).status,
    ).toBe(404)
    expect((await stack.api('GET', '/pos/sessions/networks', undefined, otherBusiness)).body).toEqual({
      networks: [{ chain: 'ethereum', tokens: ['USDT'], ready: true, delayedSince: null }],
    })
    expect(
      await stack.api(
        'POST',
        '/pos/sessions',
        { chain: 'ethereum', token: 'USDC', amount: '1' },
        otherBusiness,
      ),
    ).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'token' }] },
    })
    // The other business does not know the session's address, and its rules are other ones.
    const rules = [{ chain: 'ethereum', largeFrom: '5' }]
    const ofOwner = await createApiKey(stack, {
      businessId,
      name: 'owner',
      scope: 'write',
      permissions: ['finality:write'],
      environment: 'test',
    })
    expect(
      (await stack.api('PUT', '/settings/finality', { rules }, { 'x-api-key': ofOwner.reveal() })).body,
    ).toMatchObject({
      chains: [{ largeFrom: '5' }],
    })
    expect((await stack.api('GET', '/settings/finality')).body).toMatchObject({
      chains: [{ largeFrom: null }],
    })
    // The same idempotency key in two businesses is two keys.
    const [one, other] = await Promise.all(
      [{}, otherBusiness].map((who) =>
        stack.api<SessionBody>(
          'POST',
          '/pos/sessions',
          { chain: 'ethereum', token: 'USDT', amount: '1' },
          { ...who, 'idempotency-key': 'same' },
        ),
      ),
    )
    expect([one?.status, other?.status]).toEqual([201, 201])
    expect(one?.body.id).not.toBe(other?.body.id)
  })

  test('a person requests the networks of each of their businesses, under the rules of that business; for another one it is 404', async () => {
    const person = await addPerson(stack)
    const [first, second] = [await addBusiness(stack, person), await addBusiness(stack, person)]
    const stranger = await addBusiness(stack, await addPerson(stack))
    await addMember(stack, stranger, 'viewer', await addPerson(stack))
    const accepts = (id: string, accepted: object) =>
      stack.db.query('update businesses set accepted = $2 where id = $1', [id, JSON.stringify(accepted)])
    await accepts(first, { ethereum: ['USDT'] })
    await accepts(second, { ethereum: ['USDC'] })
    const token = await tokenOf(stack, person)
    const ask = async (businessId?: string, headers: Record<string, string> = token) => {
      const query = businessId === undefined ? '' : `?businessId=${encodeURIComponent(businessId)}`
      const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/pos/sessions/networks${query}`
      const answer = await fetch(url, { headers })
      const body = (await answer.json()) as { networks: { tokens: string[] }[]; error: string }
      return answer.ok ? body.networks.flatMap(({ tokens }) => tokens) : [answer.status, body.error]
    }
    expect([await ask(), await ask(first), await ask(second)]).toEqual([['USDT'], ['USDT'], ['USDC']])
    expect(await ask(second, { ...token, 'x-business-id': first })).toEqual(['USDC'])
    for (const id of [stranger, newId(), "' or 1=1 --", first.toUpperCase().replace(/./, 'g')])
      expect(await ask(id)).toEqual([404, 'Not found'])
    // A key is of one business, also where its maker owns the other one.
    const key = {
      'x-api-key': (
        await createApiKey(stack, { businessId: first, name: 'first', scope: 'write', environment: 'test' })
      ).reveal(),
    }
    expect([await ask(first, key), await ask(second, key)]).toEqual([['USDT'], [404, 'Not found']])
    await stack.db.query('update businesses set requires_second_factor = true where id = $1', [second])
    expect([await ask(first), await ask(second)]).toEqual([['USDT'], [403, 'second_factor_required']])
    await stack.db.query('update businesses set requires_second_factor = false where id = $1', [second])
    await setApproval(stack, systemActor('test'), second, 'suspended', 'A test')
    expect([await ask(first), await ask(second)]).toEqual([['USDT'], [403, 'business_suspended']])
    await stack.db.query('delete from members where business_id = $1 and account_id = $2', [
      second,
      person.id,
    ])
    expect(await ask(second)).toEqual([404, 'Not found'])
  })

  test('networks, banks and quotes answer as specified', async () => {
    expect((await stack.api('GET', '/pos/sessions/networks/all')).body).toEqual({
      networks: [{ chain: 'ethereum', tokens: ['USDC', 'USDT'], ready: true, delayedSince: null }],
    })
    expect((await stack.api('GET', `/pos/sessions/networks?businessId=${stack.businessId}`)).status).toBe(200)
    const port = stack.processes.get('api')?.port()
    const banks = async (query: string) =>
      (await (await fetch(`http://127.0.0.1:${port}/api/v1/pos/sessions/banks${query}`)).json()) as {
        banks: { name: string; code: string }[]
      }
    expect((await banks('')).banks.map((bank) => bank.name)).toEqual([
      'Access Bank',
      'Equity Bank',
      'Guaranty Trust Bank',
    ])
    expect((await banks('?currency=NGN')).banks.map((bank) => bank.code)).toEqual(['044', '058'])
    expect((await banks('?countryCode=KE')).banks).toEqual([
      { id: '7ea6df5c-6bba-46b2-a7e6-f511959e7edb', name: 'Equity Bank', code: '068' },
    ])

    // Mid rate (1620 + 1600) / 2 = 1610, margin 1.5 %: 16,100 / (1610 × 0.985) = 10.152284263… rounded up;
    // fee 1 % of 16,100.
    const quote = await stack.api<Record<string, string>>('POST', '/pos/sessions/quote', {
      chain: 'ethereum',
      token: 'USDC',
      localAmount: '16100',
    })
    expect(quote).toMatchObject({
      status: 200,
      body: {
        chain: 'ethereum',
        token: 'USDC',
        amount: '10.152285',
        localAmount: '16100',
        localCurrency: 'NGN',
        rate: '1610',
        fee: '161',
        feeCurrency: 'NGN',
        fxMargin: '1.5',
      },
    })
    const session = await stack.createSession({ amount: undefined, quoteId: quote.body.quoteId })
    expect(session).toMatchObject({
      amountExpected: '10.152285',
      localAmount: '16100',
      fee: '161',
      feeCurrency: 'NGN',
      fxMargin: '1.5',
    })
    const mismatch = await stack.api('POST', '/pos/sessions', {
      chain: 'ethereum',
      token: 'USDT',
      quoteId: quote.body.quoteId,
    })
    expect(mismatch).toMatchObject({
      status: 422,
      body: { error: 'quote_mismatch', fields: [{ field: 'token' }] },
    })
  })

  test('without rates a session by token amount still works, one by fiat amount has the time to retry', async () => {
    stack.partner.mode = 'stale'
    await stack.stop('api')
    await stack.start('api')
    try {
      expect(await stack.createSession({ amount: '10' })).toMatchObject({
        amountExpected: '10',
        localAmount: null,
        feeCurrency: 'USDC',
        fee: '0.1',
      })
      const refused = await stack.api('POST', '/pos/sessions', {
        chain: 'ethereum',
        token: 'USDC',
        localAmount: '16100',
      })
      expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
        503,
        'rates_unavailable',
        '10',
      ])
    } finally {
      stack.partner.mode = 'ok'
    }
  })

  test('an unreachable database is a 503 with Retry-After, not a wrong key or password', async () => {
    const url = new URL(stack.databaseUrl)
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const admin = await openDirect(url.href, 'contract suite')
    const allow = (connections: boolean) =>
      admin.query(`alter database "${name}" with allow_connections ${connections}`)
    try {
      await allow(false)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      for (const answer of [
        await stack.api('GET', '/pos/sessions'),
        await stack.api(
          'POST',
          '/auth/login',
          { email: 'ada@example.com', password: 'x' },
          { 'x-api-key': '' },
        ),
      ])
        expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([
          503,
          'unavailable',
          '5',
        ])
      // Answers are cached for a second.
      await waitFor('not ready', async () => {
        const ready = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/health/ready`)
        const { checks } = (await ready.json()) as { checks: Record<string, string> }
        return ready.status === 503 && checks.database === 'unavailable'
      })
    } finally {
      await allow(true)
      await admin.close()
    }
    await waitFor('the database again', async () => {
      const mine = await stack.db.query('select 1').catch(() => [])
      return mine.length === 1 && (await stack.api('GET', '/pos/sessions')).status === 200
    })
  })

  test('lists page by page and by cursor, filter, sort, and refuse to go too deep', async () => {
    for (let i = 0; i < 5; i++) await stack.createSession({ reference: 'paged', label: `n${i}` })
    type List = {
      sessions: SessionBody[]
      total: number
      totalPages: number
      page: number
      nextCursor: string | null
    }
    const list = async (query: string) =>
      (await stack.api<List>('GET', `/pos/sessions?reference=paged&${query}`)).body
    const all = await list('sort=ASC')
    expect(all.sessions.map((session) => session.label)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect(await list('page=2&limit=2')).toMatchObject({
      total: 5,
      totalPages: 3,
      page: 2,
      limit: 2,
      sessions: [{ label: 'n2' }, { label: 'n1' }],
    })
    const first = await list('limit=3')
    expect(await list(`limit=3&cursor=${first.nextCursor}`)).toMatchObject({
      sessions: [{ label: 'n1' }, { label: 'n0' }],
      nextCursor: null,
    })
    expect(await list('status=paid')).toMatchObject({ total: 0, sessions: [] })
    expect(await stack.api('GET', '/pos/sessions?page=101&limit=100')).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'page' }] },
    })
    expect(await stack.api('GET', '/pos/sessions?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'cursor' }] },
    })
  })

  test('a pending session can be cancelled, once; cancelling again answers its status', async () => {
    const session = await stack.createSession()
    expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`)).toMatchObject({
      status: 200,
      body: { id: session.id, status: 'cancelled' },
    })
    expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'session_not_pending' },
    })
  })
})
