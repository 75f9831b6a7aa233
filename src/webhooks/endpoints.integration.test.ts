import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { eventOf, happen, newBusiness, newEndpoint, webhookContext } from '../../test/support/deliveries.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { recordDeliveries } from '../events/recordEvents.ts'
import { openDirect } from '../platform/database/db.ts'
import { changeEndpoint } from './changeEndpoint.ts'
import { createEndpoint } from './createEndpoint.ts'
import { dueEndpoints } from './dueEndpoints.ts'
import { getEndpoint, listEndpoints } from './listEndpoints.ts'
import { pauseEndpoint, resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { rotateSecret } from './rotateSecret.ts'
import { openWebhookSecret } from './secret.ts'
import { sendTest } from './sendTest.ts'
import { stopEndpoint } from './stopEndpoint.ts'

let database: TestDatabase
let ctx: ReturnType<typeof webhookContext>
let businessId: string
const url = 'https://shop.example/hooks'

beforeAll(async () => {
  database = await createTestDatabase()
  ctx = webhookContext(database.db)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
})

const deliveries = () =>
  database.db.query<{ type: string; status: string; endpoint_id: string | null; queued: boolean }>(
    `select d.type, d.status, d.endpoint_id, q.delivery_id is not null as queued from webhook_deliveries d
     left join webhook_queue q on q.delivery_id = d.id where d.business_id = $1 order by d.id`,
    [businessId],
  )
const secretsOf = async (id: string) => {
  const [row] = await database.db.query<{ sealed: Buffer; before: Buffer | null }>(
    'select sealed_secret as sealed, previous_sealed_secret as before from webhook_endpoints where id = $1',
    [id],
  )
  const open = (sealed: Buffer | null | undefined) =>
    sealed ? openWebhookSecret(ctx.appKey, id, sealed).reveal() : null
  return { now: open(row?.sealed), before: open(row?.before) }
}
const notFound = { status: 404 }

describe('allowed endpoint URLs', () => {
  test.each([
    ['test', 'https://shop.example/hook?a=1', null],
    ['test', 'http://127.0.0.1:3000/', null],
    ['live', 'https://shop.example/', null],
    ['live', 'http://shop.example/', 'must begin with https://'],
    ['live', 'HTTP://shop.example/', 'must begin with https://'],
    ['live', 'https://localhost/', 'must be a public host'],
    ['live', 'https://10.0.0.1/', 'must be a public host'],
    ['live', 'https://[::1]/', 'must be a public host'],
    ['test', 'ftp://shop.example/', 'must begin with https://'],
    ['test', 'file:///etc/passwd', 'must begin with https://'],
    ['test', 'javascript:alert(1)', 'must begin with https://'],
    ['test', 'shop.example/hook', 'is not a URL such as https://shop.example/hook'],
    ['test', 'https://', 'is not a URL such as https://shop.example/hook'],
    ['test', 'https://shop:secret@shop.example/', 'must not hold a user name or a password'],
    ['test', 'https://shop@shop.example/', 'must not hold a user name or a password'],
    ['test', 'https://shop.example/#part', 'must not end in a fragment'],
  ] as const)('%s: %s', async (environment, to, problem) => {
    const here = { ...ctx, environment }
    const refusal = { status: 400, fields: [{ field: 'url', message: problem }] }
    const created = createEndpoint(here, businessId, { url: to })
    if (problem === null) {
      expect((await created).endpoint).toMatchObject({ url: to, status: 'active' })
      return
    }
    await expect(created).rejects.toMatchObject(refusal)
    expect(await listEndpoints(ctx, businessId)).toEqual([])
    const { endpoint } = await newEndpoint(database.db, businessId, { url })
    await expect(changeEndpoint(here, businessId, endpoint.id, { url: to })).rejects.toMatchObject(refusal)
  })
})

test('on live an internal host is accepted if the deployment allows its name, address or network', async () => {
  const here = { ...ctx, environment: 'live' as const, allowHosts: ['erp.internal', '10.1.0.0/16'] }
  for (const to of ['https://erp.internal/', 'https://ERP.internal./', 'https://10.1.2.3/']) {
    expect((await createEndpoint(here, businessId, { url: to })).endpoint.url).toBe(new URL(to).href)
  }
  for (const to of ['https://10.2.0.1/', 'https://crm.internal/']) {
    await expect(createEndpoint(here, businessId, { url: to })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'url' }],
    })
  }
})

describe('an endpoint', () => {
  test('is created with a secret that is shown once and never again', async () => {
    const { endpoint, secret } = await createEndpoint(ctx, businessId, { url })
    expect(secret?.reveal()).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect(await secretsOf(endpoint.id)).toEqual({ now: secret?.reveal(), before: null })
    expect(await getEndpoint(ctx, businessId, endpoint.id)).toEqual(endpoint)
    expect(endpoint).toEqual({
      id: endpoint.id,
      url,
      description: '',
      eventTypes: null,
      chains: null,
      tokens: null,
      referencePrefix: null,
      signature: 'hmac',
      publicKey: null,
      previousPublicKey: null,
      previousSecretUntil: null,
      headerNames: [],
      maxPerSecond: null,
      status: 'active',
      pausedReason: null,
      pausedAt: null,
      health: {
        failingSince: null,
        consecutiveFailures: 0,
        lastDeliveredAt: null,
        lastFailedAt: null,
        lastError: null,
        waiting: 0,
        failingTypes: [],
      },
      createdAt: expect.any(String),
    })
  })

  test('with ed25519 always shows its public key, and no secret', async () => {
    const { endpoint, secret } = await createEndpoint(ctx, businessId, { url, signature: 'ed25519' })
    expect([secret, endpoint.publicKey]).toEqual([null, expect.stringMatching(/^whpk_[0-9A-Za-z+/]{43}=$/)])
    const rotated = await rotateSecret(ctx, businessId, endpoint.id)
    expect(rotated.secret).toBeNull()
    expect(rotated.endpoint).toMatchObject({
      previousPublicKey: endpoint.publicKey,
      previousSecretUntil: expect.any(String),
    })
    expect(rotated.endpoint.publicKey).not.toBe(endpoint.publicKey)
    expect((await secretsOf(endpoint.id)).now).toMatch(/^whsk_/)
  })

  test('keeps only the previous secret for a day after a rotation', async () => {
    const { endpoint, secret } = await createEndpoint(ctx, businessId, { url })
    const second = await rotateSecret(ctx, businessId, endpoint.id)
    expect(await secretsOf(endpoint.id)).toEqual({ now: second.secret?.reveal(), before: secret?.reveal() })
    const hours = (Date.parse(second.endpoint.previousSecretUntil ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    const third = await rotateSecret(ctx, businessId, endpoint.id, { overlapHours: 0 })
    expect(await secretsOf(endpoint.id)).toEqual({
      now: third.secret?.reveal(),
      before: second.secret?.reveal(),
    })
    expect(third.endpoint.previousSecretUntil).toBeNull()
  })

  test('is one of at most fifty, however many are created at once', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 55 }, () => newEndpoint(database.db, businessId)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    for (const each of made)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ status: 409, error: 'too_many_endpoints' })
    const all = await listEndpoints(ctx, businessId)
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort())
    await removeEndpoint(ctx, businessId, all[0]?.id ?? '')
    await newEndpoint(database.db, businessId)
  })

  test('takes known types and topics only', async () => {
    const taken = ['session.paid', 'transaction.*', 'endpoint.test']
    expect((await createEndpoint(ctx, businessId, { url, eventTypes: taken })).endpoint.eventTypes).toEqual(
      taken,
    )
    for (const wrong of [
      'session',
      '*',
      '',
      'session.',
      'session.unknown',
      'unknown.*',
      '.*',
      'SESSION.PAID',
    ]) {
      const refused = createEndpoint(ctx, businessId, { url, eventTypes: ['session.paid', wrong] })
      await expect(refused).rejects.toMatchObject({ status: 400, fields: [{ field: 'eventTypes.1' }] })
    }
  })

  test('changes the named fields only, and passes on its state before', async () => {
    const { endpoint } = await createEndpoint(ctx, businessId, {
      url,
      description: 'orders',
      eventTypes: ['session.*'],
    })
    const received: unknown[] = []
    const changed = await changeEndpoint(
      ctx,
      businessId,
      endpoint.id,
      { description: '' },
      async (_, result) => void received.push(result),
    )
    expect(changed).toEqual({ ...endpoint, description: '' })
    expect(received).toEqual([{ before: endpoint, after: changed }])
    expect(
      await changeEndpoint(ctx, businessId, endpoint.id, { eventTypes: null, url: `${url}/2` }),
    ).toMatchObject({
      eventTypes: null,
      url: `${url}/2`,
    })
  })

  test("with a new URL starts over: the old URL's failures delay nothing, and workers are signalled", async () => {
    const { id } = (await newEndpoint(database.db, businessId, { url })).endpoint
    await happen(database.db, businessId, 2)
    const fail = () =>
      database.db.query(
        "update webhook_endpoints set consecutive_failures = 7, failing_since = now() - interval '2 days', not_before = now() + interval '1 day' where id = $1",
        [id],
      )
    await fail()
    await database.db.query(
      "update webhook_queue set next_attempt_at = now() + interval '1 day' where endpoint_id = $1",
      [id],
    )
    const received: unknown[] = []
    const listener = await openDirect(database.url, 'test')
    listener.on('notification', (_, payload) => received.push(payload))
    await listener.query('listen cowry_deliveries')
    expect(await changeEndpoint(ctx, businessId, id, { url, description: 'the same' })).toMatchObject({
      health: { consecutiveFailures: 7 },
    })
    expect(await dueEndpoints(database.db)).not.toContain(id)
    expect(await changeEndpoint(ctx, businessId, id, { url: `${url}/2` })).toMatchObject({
      health: { consecutiveFailures: 0, failingSince: null },
    })
    expect(await dueEndpoints(database.db)).toContain(id)
    const [late] = await database.db.query<{ n: number }>(
      'select count(*)::int as n from webhook_queue where endpoint_id = $1 and next_attempt_at > now()',
      [id],
    )
    expect(late).toEqual({ n: 0 })
    await waitFor('the signal', async () => received.includes(id))
    await listener.close()
  })

  test('is not paused for a result of its previous URL', async () => {
    const { id } = (await newEndpoint(database.db, businessId, { url })).endpoint
    await changeEndpoint(ctx, businessId, id, { url: `${url}/2` })
    await database.db.query('update webhook_endpoints set failing_since = now() where id = $1', [id])
    for (const reason of ['gone', 'failing'] as const)
      expect(await stopEndpoint(ctx, id, url, reason)).toBe(false)
    expect(await getEndpoint(ctx, businessId, id)).toMatchObject({ status: 'active' })
    expect(await stopEndpoint(ctx, id, `${url}/2`, 'gone')).toBe(true)
  })

  test('of another business, or removed, is not found', async () => {
    const { endpoint } = await newEndpoint(database.db, businessId)
    const stranger = await newBusiness(database.db)
    const asks = (who: string, id: string) => [
      getEndpoint(ctx, who, id),
      changeEndpoint(ctx, who, id, { description: 'x' }),
      pauseEndpoint(ctx, who, id),
      resumeEndpoint(ctx, who, id),
      rotateSecret(ctx, who, id),
      sendTest(ctx, who, id),
      removeEndpoint(ctx, who, id),
    ]
    const refused = async (asked: Promise<unknown>[]) => {
      for (const each of await Promise.allSettled(asked))
        expect(each).toMatchObject({ status: 'rejected', reason: notFound })
    }
    await refused([...asks(stranger, endpoint.id), ...asks(businessId, 'x')])
    await removeEndpoint(ctx, businessId, endpoint.id)
    await refused(asks(businessId, endpoint.id))
    expect(await listEndpoints(ctx, businessId)).toEqual([])
  })

  test('is unchanged if the callback of a change fails', async () => {
    const { endpoint } = await newEndpoint(database.db, businessId)
    await happen(database.db, businessId)
    const before = await getEndpoint(ctx, businessId, endpoint.id)
    const fail = async () => {
      throw new Error('not audited')
    }
    const { id } = endpoint
    const works = [
      () => createEndpoint(ctx, businessId, { url }, fail),
      () => changeEndpoint(ctx, businessId, id, { description: 'x' }, fail),
      () => pauseEndpoint(ctx, businessId, id, fail),
      () => rotateSecret(ctx, businessId, id, {}, fail),
      () => sendTest(ctx, businessId, id, fail),
      () => removeEndpoint(ctx, businessId, id, fail),
    ]
    for (const work of works) await expect(work()).rejects.toThrow('not audited')
    expect(await listEndpoints(ctx, businessId)).toEqual([before])
    expect(await deliveries()).toHaveLength(1)
  })

  test('can be paused and resumed repeatedly; the first reason for a pause is kept', async () => {
    const { id } = (await newEndpoint(database.db, businessId)).endpoint
    const paused = await pauseEndpoint(ctx, businessId, id)
    expect(await pauseEndpoint(ctx, businessId, id)).toEqual(paused)
    expect(await resumeEndpoint(ctx, businessId, id)).toMatchObject({ status: 'active' })
    expect(await resumeEndpoint(ctx, businessId, id)).toMatchObject({ status: 'active' })
    await database.db.query(
      "update webhook_endpoints set status = 'paused', paused_reason = 'failing', paused_at = now() where id = $1",
      [id],
    )
    expect(await pauseEndpoint(ctx, businessId, id)).toMatchObject({ pausedReason: 'failing' })
  })

  test('fails its waiting deliveries when it is removed', async () => {
    const { id } = (await newEndpoint(database.db, businessId)).endpoint
    await happen(database.db, businessId, 2)
    await removeEndpoint(ctx, businessId, id)
    expect(await deliveries()).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 'failed', endpoint_id: id, queued: false })),
    )
  })
})

describe('an event', () => {
  test('goes to each endpoint that takes its type, paused ones included', async () => {
    const all = await newEndpoint(database.db, businessId)
    const sessions = await newEndpoint(database.db, businessId, { eventTypes: ['session.*'] })
    const detected = await newEndpoint(database.db, businessId, {
      eventTypes: ['transaction.detected', 'session.paid'],
    })
    const gone = await newEndpoint(database.db, businessId)
    await database.db.query(
      "update webhook_endpoints set status = 'paused', paused_reason = 'gone', paused_at = now() where id = $1",
      [gone.endpoint.id],
    )
    await pauseEndpoint(ctx, businessId, all.endpoint.id)
    await database.db.tx((tx) =>
      recordDeliveries(tx, businessId, [
        eventOf('session.paid'),
        eventOf('session.late'),
        eventOf('transaction.detected'),
      ]),
    )
    const rows = await deliveries()
    const typesOf = ({ endpoint }: { endpoint: { id: string } }) =>
      rows.filter((row) => row.endpoint_id === endpoint.id).map(({ type }) => type)
    expect(typesOf(all)).toEqual(['session.paid', 'session.late', 'transaction.detected'])
    expect(typesOf(sessions)).toEqual(['session.paid', 'session.late'])
    expect(typesOf(detected)).toEqual(['session.paid', 'transaction.detected'])
    expect(rows).toHaveLength(7)
    expect(rows.every(({ status, queued }) => status === 'pending' && queued)).toBe(true)
  })

  test('without an endpoint is taken over by the first endpoint, if that takes its type', async () => {
    await happen(database.db, businessId, 1, 'session.paid')
    await happen(database.db, businessId, 1, 'transfer.failed')
    expect(await deliveries()).toMatchObject([
      { endpoint_id: null, queued: false },
      { endpoint_id: null, queued: false },
    ])
    const { endpoint } = await newEndpoint(database.db, businessId, { eventTypes: ['session.*'] })
    const expected = [
      { type: 'session.paid', endpoint_id: endpoint.id, queued: true },
      { type: 'transfer.failed', endpoint_id: null, queued: false },
    ]
    expect(await deliveries()).toMatchObject(expected)
    await newEndpoint(database.db, businessId)
    expect(await deliveries()).toMatchObject(expected)
  })

  test('without an endpoint for longer than a day is not taken over', async () => {
    await happen(database.db, businessId)
    await database.db.query(
      "update events set created_at = now() - interval '25 hours' where business_id = $1",
      [businessId],
    )
    await database.db.query(
      "update webhook_deliveries set created_at = now() - interval '25 hours' where business_id = $1",
      [businessId],
    )
    await newEndpoint(database.db, businessId)
    expect(await deliveries()).toMatchObject([{ endpoint_id: null, queued: false }])
  })

  test('recorded while an endpoint is added, removed or resumed goes to it or to no endpoint, and is never left waiting for nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const first = newEndpoint(database.db, businessId)
      const during = Array.from({ length: 4 }, () => happen(database.db, businessId, 3))
      const { endpoint } = await first
      const [removed] = await Promise.all([
        removeEndpoint(ctx, businessId, endpoint.id),
        happen(database.db, businessId, 3),
        happen(database.db, businessId),
        ...during,
      ])
      expect(removed).toBeUndefined()
    }
    await newEndpoint(database.db, businessId)
    const rows = await deliveries()
    expect(rows.filter(({ status, queued }) => (status === 'pending') !== queued)).toEqual([])
  })

  test('for a test goes to that endpoint only, with a normal sequence number', async () => {
    const { endpoint } = await newEndpoint(database.db, businessId, { eventTypes: ['session.paid'] })
    await newEndpoint(database.db, businessId)
    const view = await sendTest(ctx, businessId, endpoint.id)
    expect(view).toMatchObject({
      type: 'endpoint.test',
      endpointId: endpoint.id,
      status: 'pending',
      attemptsCount: 0,
      chain: '',
      txId: null,
    })
    expect(await deliveries()).toHaveLength(1)
    await pauseEndpoint(ctx, businessId, endpoint.id)
    await expect(sendTest(ctx, businessId, endpoint.id)).rejects.toMatchObject({
      status: 409,
      error: 'endpoint_paused',
    })
  })
})
