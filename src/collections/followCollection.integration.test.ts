import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { webhookRequest } from '../../test/partners/yellowcard/webhooks.ts'
import { howMany } from '../../test/support/full.ts'
import { type OpenCollections, openCollections } from '../../test/support/openCollections.ts'
import { tracedHere } from '../../test/support/tracedHere.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { credentials } from '../../test/support/yellowCardAccount.ts'
import { createTurns } from '../partnerPayments/partnerTurns.ts'
import { partnerPaymentRoutes } from '../partnerPayments/routes.ts'
import { createCollectionPartner } from '../partners/yellowcard/collectionPartner.ts'
import { createPaymentPartner } from '../partners/yellowcard/paymentPartner.ts'
import { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import { applyAnswer } from './applyAnswer.ts'
import { cancelCollection } from './cancelCollection.ts'
import { fetchFromPartner } from './fetchFromPartner.ts'
import { type RefreshContext, refreshCollection } from './refreshCollection.ts'
import { syncWhenDue } from './startSync.ts'
import { stepCollection } from './stepCollection.ts'

// What happens to a collection after it was created: refresh, webhooks, answers in any order, cancelling.

let open: OpenCollections
let businessId: string
beforeAll(async () => {
  open = await openCollections()
})
afterAll(() => open?.close())
beforeEach(async () => {
  businessId = await open.business()
  open.standIn.asked.length = 0
  open.alarms.length = 0
  Object.assign(open.standIn, { mode: 'ok', lose: null, lie: null, delayOf: null })
})

const refresh = (id: string, more: Partial<RefreshContext> = {}) =>
  refreshCollection({ ...open.ctx, ...more }, businessId, id, async () => {})
const partnerWithin = (timeoutMs: number) =>
  createCollectionPartner({
    url: open.standIn.url,
    apiKey: credentials.apiKey,
    secretKey: new Secret(credentials.secretKey),
    timeoutMs,
  })
const cancel = (id: string) => cancelCollection(open.ctx, {}, businessId, id, async () => {})
const made = (id: string) => {
  const collection = open.standIn.collections.bySequence(id)
  if (!collection) throw new Error(`the partner has no ${id}`)
  return collection
}
const created = async (more = {}) => (await open.create(businessId, more)).body.id
const questions = () => open.standIn.asked.filter((path) => /^\/business\/receive\/./.test(path)).length

describe('a refresh', () => {
  test('leads to completed, with one event for each state, and then no more requests', async () => {
    const id = await created()
    expect((await refresh(id)).status).toBe('processing')
    open.standIn.move(10_000)
    expect(await refresh(id)).toMatchObject({ status: 'processing', partnerPaymentStatus: 'pending' })
    open.standIn.collections.receive(made(id))
    expect(await refresh(id)).toMatchObject({
      status: 'completed',
      partnerPaymentStatus: 'complete',
      reason: null,
    })
    const asked = questions()
    expect((await refresh(id)).status).toBe('completed')
    expect(questions()).toBe(asked)
    expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
  })

  test('the same state again changes nothing that a caller sees', async () => {
    const id = await created()
    await refresh(id)
    const before = await open.read(id)
    await refresh(id)
    expect({ ...(await open.read(id)), partnerAskedAt: null, nextAt: null }).toEqual({
      ...before,
      partnerAskedAt: null,
      nextAt: null,
    })
  })

  test('two at once make one request', async () => {
    const id = await created()
    let hasArrived = false
    // So long that the others find the first question under way.
    open.standIn.delayOf = () => {
      hasArrived = true
      return 1500
    }
    const before = questions()
    const first = refresh(id)
    await waitFor('its question', async () => hasArrived)
    const answers = await Promise.all([first, refresh(id), refresh(id)])
    expect(questions() - before).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(['processing', 'processing', 'processing'])
  })

  test.each([
    ['down', 503, 'partner_unavailable'],
    ['garbage', 503, 'partner_unavailable'],
    ['slow', 504, 'partner_timeout'],
  ] as const)('a partner that is %s: %s, and the record is unchanged', async (mode, status, error) => {
    const id = await created()
    const before = await open.read(id)
    open.standIn.mode = mode
    await expect(
      refresh(id, mode === 'slow' ? { patienceMs: 300, partner: partnerWithin(700) } : {}),
    ).rejects.toMatchObject({ status, error })
    expect(await open.read(id)).toEqual(before)
    open.standIn.mode = 'ok'
    expect((await refresh(id)).status).toBe('processing')
  })

  test("another business's collection is 404", async () => {
    const id = await created()
    const other = await open.business()
    await expect(refreshCollection(open.ctx, other, id, async () => {})).rejects.toMatchObject({
      status: 404,
    })
    await expect(cancelCollection(open.ctx, {}, other, id, async () => {})).rejects.toMatchObject({
      status: 404,
    })
  })
})

test('late money completes a collection that expired, and what is cancelled goes back', async () => {
  const [late, back] = [await created(), await created()]
  open.standIn.move(11 * 60_000)
  expect([(await refresh(late)).status, (await refresh(back)).status]).toEqual(['expired', 'expired'])
  open.standIn.collections.receive(made(late))
  open.standIn.collections.enter(made(back), 'pending_refund')
  expect([(await refresh(late)).status, (await refresh(back)).status]).toEqual(['completed', 'expired'])
  open.standIn.move(120_000)
  expect((await refresh(back)).status).toBe('refunded')
  expect((await open.events(businessId)).toSorted()).toEqual(
    ['processing', 'processing', 'expired', 'expired', 'completed', 'refunded']
      .map((state) => `collection.${state}`)
      .toSorted(),
  )
})

const slowMs = howMany(1500, 30_000)

test(`one answer of ${slowMs / 1000} s delays no other: not single reads, not a round, not a refresh`, async () => {
  const [slow, ...others] = [await created(), await created(), await created(), await created()]
  const [refreshed = '', listed = '', ...alone] = others
  open.standIn.move(10_000)
  for (const id of [slow, ...others]) open.standIn.collections.receive(made(id))
  const slowPath = made(slow).id
  let hasArrived = false
  const othersDone = Promise.withResolvers<void>()
  open.standIn.delayOf = (path) => {
    if (!path.includes(slowPath)) return 0
    hasArrived = true
    // As long as a busy machine needs for the others.
    return Promise.all([pause(slowMs), othersDone.promise])
  }
  // The deadline of a worker's question is longer, and its turns are shared.
  const turn = createTurns(open.db, 'yellowcard', new AbortController().signal)
  const ctx = { ...open.ctx, partner: partnerWithin(slowMs + 20_000), turn }
  await open.db.query('update fiat_collections set next_at = now() where id = any($1::uuid[])', [
    [slow, ...alone],
  ])
  let isAnswered = false
  const began = performance.now()
  const slowly = stepCollection(ctx, slow).then(() => {
    isAnswered = true
  })
  await waitFor('the slow question', async () => hasArrived)
  for (const id of alone) await stepCollection(ctx, id)
  expect((await refresh(refreshed)).status).toBe('completed')
  // The list is ahead of the single read.
  open.standIn.collections.hidden.add(slowPath)
  expect(await syncWhenDue(ctx)).not.toBeNull()
  expect([(await open.read(listed)).status, isAnswered]).toEqual(['completed', false])
  othersDone.resolve()
  await slowly
  expect(performance.now() - began).toBeGreaterThanOrEqual(slowMs - 50)
  open.standIn.collections.hidden.clear()
  for (const id of [slow, ...others]) expect((await open.read(id)).status).toBe('completed')
})

test('answers in any order: an older one changes nothing', async () => {
  const id = await created()
  const collection = await open.read(id)
  const older = await fetchFromPartner(open.ctx.partner, collection)
  open.standIn.move(10_000)
  open.standIn.collections.receive(made(id))
  const newer = await fetchFromPartner(open.ctx.partner, collection)
  if (!older || !newer) throw new Error('no answers')
  // The partner's clock was moved ahead of our clock.
  const at = new Date(open.standIn.clock.now())
  await applyAnswer(open.ctx, id, newer, at)
  await applyAnswer(open.ctx, id, older, new Date(at.getTime() + 1000))
  await applyAnswer(open.ctx, id, newer, at)
  expect(await open.read(id)).toMatchObject({ status: 'completed', partnerStatus: 'complete' })
  expect(open.alarms).toEqual([])
  expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
})

test('an answer with a time from the future hides later ones for ten minutes at most', async () => {
  const id = await created()
  open.standIn.lie = (given) => ({ ...given, updatedAt: '2126-01-01T00:00:00.000Z' })
  await refresh(id)
  open.standIn.lie = null
  // The partner's clock stands: its change happens before the request with the wrong time.
  await open.db.query(
    "update fiat_collections set partner_asked_at = partner_asked_at + interval '5 minutes' where id = $1",
    [id],
  )
  open.standIn.collections.receive(made(id))
  await refresh(id)
  expect((await open.read(id)).status).toBe('processing')
  await open.db.query(
    "update fiat_collections set partner_asked_at = now() - interval '11 minutes' where id = $1",
    [id],
  )
  await refresh(id)
  expect((await open.read(id)).status).toBe('completed')
})

test('answers at the same moment lead to one event for each state', async () => {
  const id = await created()
  open.standIn.move(10_000)
  open.standIn.collections.receive(made(id))
  const answer = await open.ctx.partner.find(id)
  if (!answer) throw new Error('no answer')
  await Promise.all(Array.from({ length: 5 }, () => applyAnswer(open.ctx, id, answer, new Date())))
  expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
})

test('an unknown term keeps the state, is stored, and alarms', async () => {
  const id = await created()
  open.standIn.lie = (given) => ({
    ...given,
    status: 'mystery',
    updatedAt: new Date(open.standIn.clock.now() + 1000).toISOString(),
  })
  expect(await refresh(id)).toMatchObject({ status: 'processing', partnerPaymentStatus: 'mystery' })
  expect(open.alarms).toEqual(['unknown_status'])
})

describe('a webhook', () => {
  const receive = async (event: Parameters<typeof webhookRequest>[0], secretKey = credentials.secretKey) => {
    const { body, headers } = webhookRequest(event, { secretKey })
    const account = {
      url: open.standIn.url,
      apiKey: credentials.apiKey,
      secretKey: new Secret(credentials.secretKey),
    }
    const routes = partnerPaymentRoutes({
      db: open.db,
      log: open.ctx.log,
      paymentPartner: createPaymentPartner(account),
      collectionPartner: open.ctx.partner,
    })
    const handler = routes.receiveYellowCardWebhook as (given: object) => Promise<{ status: number }>
    return handler({ headers, rawBody: () => Buffer.from(body) }).then(
      ({ status }) => status,
      (error: { status?: number }) => error.status ?? 0,
    )
  }
  const eventsOf = (id: string) => open.standIn.webhooks.made.filter(({ sequenceId }) => sequenceId === id)

  test('leads to completed: late, twice and out of order; a forged one changes nothing', async () => {
    const id = await created()
    open.standIn.move(10_000)
    open.standIn.collections.receive(made(id))
    const events = eventsOf(id)
    const [last] = events.slice(-1)
    if (!last) throw new Error('no webhooks')
    expect(await receive(last, 'another-secret')).toBe(401)
    expect((await open.read(id)).status).toBe('processing')
    for (const event of [...events.toReversed(), last]) expect(await receive(event)).toBe(200)
    expect(await open.read(id)).toMatchObject({ status: 'completed', partnerStatus: 'complete' })
    expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
    // Replayed, each as it was signed, after a while.
    const before = await open.read(id)
    open.standIn.move(3_600_000)
    for (const event of events) expect(await receive(event)).toBe(200)
    expect({ ...(await open.read(id)), partnerAskedAt: null }).toEqual({ ...before, partnerAskedAt: null })
    expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
  })

  test('finds a collection whose answer was lost', async () => {
    open.standIn.lose = 'answer'
    const id = await created()
    expect((await open.read(id)).partnerPaymentId).toBeNull()
    const [first] = eventsOf(id)
    if (!first) throw new Error('no webhooks')
    expect(await receive(first)).toBe(200)
    expect(await open.read(id)).toMatchObject({ status: 'processing', bankName: 'PAGA', reason: null })
    expect(open.submits()).toBe(1)
  })

  test('while the partner is down it is 503, and a worker retries later; an unknown one changes nothing', async () => {
    const id = await created()
    const [event] = eventsOf(id)
    if (!event) throw new Error('no webhooks')
    open.standIn.mode = 'down'
    expect(await receive(event)).toBe(503)
    const [due] = await open.db.query<{ isDue: boolean }>(
      'select next_at <= now() as "isDue" from fiat_collections where id = $1',
      [id],
    )
    expect(due?.isDue).toBe(true)
    open.standIn.mode = 'ok'
    expect(await receive({ ...event, id: 'unknown' })).toBe(200)
  })
})

describe('cancelling', () => {
  test('what the partner does not have ends at once, and is never read again', async () => {
    open.standIn.throttled = 1
    const id = await created()
    expect(await cancel(id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect(await cancel(id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
    await open.stepAll()
    expect(open.standIn.collections.bySequence(id)).toBeUndefined()
    expect(await open.events(businessId)).toEqual(['collection.failed'])
  })

  test('what the partner has is cancelled there; money that comes later goes back', async () => {
    const id = await created()
    expect(await cancel(id)).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      partnerPaymentStatus: 'cancelled',
    })
    expect((await cancel(id)).status).toBe('failed')
    open.standIn.collections.receive(made(id))
    open.standIn.move(120_000)
    expect((await refresh(id)).status).toBe('refunded')
    expect(await open.events(businessId)).toEqual([
      'collection.processing',
      'collection.failed',
      'collection.refunded',
    ])
  })

  test('what could not be stored after the partner had cancelled is stored by the next request', async () => {
    const id = await created()
    const fails = cancelCollection(open.ctx, {}, businessId, id, async () => {
      throw new Error('the audit log is away')
    })
    await expect(fails).rejects.toThrow('the audit log is away')
    expect([(await open.read(id)).status, made(id).status]).toEqual(['processing', 'cancelled'])
    expect(await cancel(id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.failed'])
  })

  test('what has ended is 409, and so is what the partner may have', async () => {
    const ended = await created()
    open.standIn.move(10_000)
    open.standIn.collections.receive(made(ended))
    await expect(cancel(ended)).rejects.toMatchObject({ status: 409, error: 'collection_not_open' })
    await refresh(ended)
    await expect(cancel(ended)).rejects.toMatchObject({ status: 409, error: 'collection_not_open' })
    open.standIn.lose = 'request'
    const unknown = await created()
    await expect(cancel(unknown)).rejects.toMatchObject({ status: 409, error: 'collection_not_open' })
    expect((await open.read(unknown)).status).toBe('pending')
  })
})

test('a collection remembers its request, whose trace goes on with its steps and their webhooks', async () => {
  const traced = await tracedHere()
  try {
    const id = await traced.request(() => created())
    const [row] = await open.db.query(
      'select traceparent, request_id as "requestId" from fiat_collections where id = $1',
      [id],
    )
    expect(row).toEqual(traced.cause)
    open.standIn.collections.receive(made(id))
    await open.db.query('update fiat_collections set next_at = now() where id = $1', [id])
    await stepCollection({ ...open.ctx, turn: async () => {} }, id)
    const { how, span } = await traced.step('step fiat_collections')
    expect([how, span.attributes['cowry.row.id']]).toEqual(['part', id])
    const events = await open.db.query<{ traceparent: string }>(
      "select traceparent from events where data->>'id' = $1",
      [id],
    )
    expect(new Set(events.map(({ traceparent }) => traceparent.split('-')[1]))).toEqual(
      new Set([span.traceId]),
    )
  } finally {
    await traced.stop()
  }
})
