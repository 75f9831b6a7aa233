import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type OpenCollections,
  openCollections,
  recipient,
  wallet,
} from '../../test/support/openCollections.ts'
import { ApiError } from '../platform/errors.ts'
import { cancelCollection } from './cancelCollection.ts'
import type { CollectionWanted } from './readCollection.ts'
import { takeCollectionWebhook } from './takeCollectionWebhook.ts'

let open: OpenCollections
let businessId: string
beforeAll(async () => {
  open = await openCollections()
  businessId = await open.business()
})
afterAll(() => open?.close())
beforeEach(() => {
  open.standIn.asked.length = 0
  Object.assign(open.standIn, { mode: 'ok', lose: null, lie: null })
  open.standIn.collections.lags = false
  open.standIn.throttled = 0
})

const rows = async () =>
  (await open.db.query<{ n: number }>('select count(*)::int as n from fiat_collections'))[0]?.n
const status = async (more?: Partial<CollectionWanted>) =>
  open.create(businessId, more).catch((error: unknown) => error)

test('the partner gets one request, and the answer has where to pay to, with amounts exactly as it wrote them', async () => {
  const { status, body } = await open.create(businessId, { reference: 'invoice-7', metadata: { order: '7' } })
  expect(status).toBe(201)
  const [made] = open.standIn.collections.all().slice(-1)
  expect(made?.sequenceId).toBe(body.id)
  expect(body).toMatchObject({
    businessId,
    status: 'processing',
    reason: null,
    amount: '162000',
    currency: 'NGN',
    country: 'NG',
    walletAddress: wallet,
    cryptoCurrency: 'USDC',
    cryptoNetwork: 'base',
    cryptoAmount: made?.settlement?.amount,
    partnerPaymentId: made?.id,
    partnerPaymentStatus: 'processing',
    partnerReference: made?.reference,
    bankName: made?.bank?.name,
    bankAccountNumber: made?.bank?.accountNumber,
    bankAccountName: made?.bank?.accountName,
    convertedAmount: '162000',
    settlement: 'none',
    txId: null,
    reference: 'invoice-7',
    metadata: { order: '7' },
    expiresAt: new Date(made?.expiresAt ?? 0).toISOString(),
  })
  expect(Number(body.rate)).toBe(1620)
  expect(made?.given).toMatchObject({
    directSettlement: true,
    forceAccept: true,
    localAmount: 162000,
    recipient: { name: 'Ada Obi', dob: '02/01/1997' },
    settlementInfo: { walletAddress: wallet, cryptoCurrency: 'USDC', cryptoNetwork: 'BASE' },
  })
  expect(open.submits()).toBe(1)
})

test('without a recipient the payer is the business, with its legal profile; without that it is 422, and nothing is stored', async () => {
  const { recipient: _, ...rest } = { recipient, source: { accountType: 'bank' as const } }
  const wanted = { ...rest, recipient: undefined } as unknown as Partial<CollectionWanted>
  await open.create(businessId, wanted)
  expect(open.standIn.collections.all().at(-1)?.given).toMatchObject({
    customerType: 'institution',
    recipient: { businessName: 'Ada Stores Ltd' },
  })
  const before = await rows()
  const [other] = await open.db.query<{ id: string }>(
    "insert into businesses (id, name, fee_percent, fx_margin_percent) values (gen_random_uuid(), 'new', 1, 0.5) returning id",
  )
  await expect(open.create(other?.id ?? '', wanted)).rejects.toMatchObject({
    status: 422,
    error: 'legal_profile_missing',
  })
  expect(await rows()).toBe(before)
})

describe('an answer that does not come', () => {
  test.each(['answer', 'request', 'outcome'] as const)(
    'the lost %s: 202, and a worker finds out, without a second collection',
    async (lose) => {
      open.standIn.lose = lose
      const { status, body } = await open.create(businessId)
      expect([status, body.status, body.reason, body.bankName]).toEqual([
        202,
        'pending',
        'outcome_unknown',
        null,
      ])
      expect(open.submits()).toBe(1)
      await open.stepAll()
      const after = await open.read(body.id)
      if (lose === 'request') {
        // The request may still be on its way: it is not made again before that is certain.
        expect([after.status, after.absentSince === null]).toEqual(['pending', false])
        await open.stepAll()
        await open.stepAll()
        expect(open.submits()).toBe(1)
        await open.age(121_000)
        await open.stepAll()
        expect([(await open.read(body.id)).submittedAt, open.submits()]).toEqual([null, 1])
        await open.stepAll()
        expect(open.submits()).toBe(2)
      } else expect(open.submits()).toBe(1)
      expect(await open.read(body.id)).toMatchObject({ status: 'processing', reason: null, bankName: 'PAGA' })
      expect(open.standIn.collections.all().filter(({ sequenceId }) => sequenceId === body.id)).toHaveLength(
        1,
      )
    },
  )

  test('the partner is down or busy: what it certainly did not take is requested again', async () => {
    open.standIn.throttled = 1
    const { status, body } = await open.create(businessId)
    expect([status, body.status, body.reason]).toEqual([202, 'pending', 'partner_busy'])
    expect((await open.read(body.id)).submittedAt).toBeNull()
    await open.stepAll()
    expect((await open.read(body.id)).status).toBe('processing')
    expect(open.standIn.collections.all().filter(({ sequenceId }) => sequenceId === body.id)).toHaveLength(1)
  })

  test('a refusal is a failed collection with a reason, after the partner was queried for it', async () => {
    // This channel wants a `redirectUrl`: the partner alone knows that.
    const before = open.standIn.collections.all().length
    const { status, body } = await open.create(businessId, { amount: '1000', country: 'KE', currency: 'KES' })
    const asked = open.standIn.asked.slice(-2)
    expect([status, body.status, body.reason]).toEqual([201, 'failed', 'partner_invalid_request'])
    expect(asked).toEqual(['/business/receive', `/business/receive/sequence-id/${body.id}`])
    expect(open.standIn.collections.all()).toHaveLength(before)
    await open.stepAll()
    expect([(await open.read(body.id)).status, open.submits()]).toEqual(['failed', 1])
    expect(await open.events(businessId)).toContain('collection.failed')
  })
})

describe('a refusal after a request whose outcome is not known', () => {
  /**
   * The request is done and its answer lost; the partner's look-up lags, and so the request is made again and
   * refused as a duplicate.
   */
  async function refusedAfterLost(): Promise<string> {
    open.standIn.lose = 'answer'
    open.standIn.collections.lags = true
    const { body } = await open.create(businessId)
    await open.stepAll()
    await open.age(121_000)
    await open.stepAll()
    await open.stepAll()
    expect(open.submits()).toBe(2)
    return body.id
  }

  test('is no failure: the partner is queried until it has it', async () => {
    const id = await refusedAfterLost()
    expect(await open.read(id)).toMatchObject({
      status: 'pending',
      reason: 'outcome_unknown',
      refusedReason: 'partner_invalid_request',
    })
    for (let i = 0; i < 3; i++) await open.stepAll()
    await open.age(3_600_000)
    await open.stepAll()
    expect([(await open.read(id)).status, open.submits()]).toEqual(['pending', 2])
    await expect(cancelCollection(open.ctx, {}, businessId, id, async () => {})).rejects.toMatchObject({
      error: 'collection_not_open',
    })
    open.standIn.collections.lags = false
    await open.stepAll()
    expect(await open.read(id)).toMatchObject({ status: 'processing', reason: null, bankName: 'PAGA' })
  })

  test('is a failure when the partner has not had it for a day; the list still finds it', async () => {
    const id = await refusedAfterLost()
    await open.age(24 * 3_600_000)
    await open.stepAll()
    expect(await open.read(id)).toMatchObject({ status: 'failed', reason: 'partner_invalid_request' })
    open.standIn.collections.lags = false
    const made = open.standIn.collections.bySequence(id)
    if (!made) throw new Error('the partner does not have it')
    open.standIn.collections.receive(made)
    await takeCollectionWebhook(open.ctx, made.id)
    expect((await open.read(id)).status).toBe('completed')
  })

  test('what waits to be requested again is not cancelled alone: the partner may have it', async () => {
    open.standIn.lose = 'answer'
    open.standIn.collections.lags = true
    const { body } = await open.create(businessId)
    await open.stepAll()
    await open.age(121_000)
    await open.stepAll()
    expect((await open.read(body.id)).submittedAt).toBeNull()
    await expect(cancelCollection(open.ctx, {}, businessId, body.id, async () => {})).rejects.toMatchObject({
      error: 'collection_not_open',
    })
    open.standIn.collections.lags = false
    expect(await cancelCollection(open.ctx, {}, businessId, body.id, async () => {})).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
    })
    expect(open.standIn.collections.bySequence(body.id)?.status).toBe('cancelled')
  })
})

test('an answer with another wallet is refused', async () => {
  open.alarms.length = 0
  open.standIn.lie = (given) => ({
    ...given,
    settlementInfo: { ...(given.settlementInfo as object), walletAddress: `0x${'11'.repeat(20)}` },
  })
  const { status, body } = await open.create(businessId)
  expect([status, body.status, body.bankName]).toEqual([202, 'pending', null])
  await open.stepAll()
  expect(await open.read(body.id)).toMatchObject({
    status: 'pending',
    reason: 'partner_contradicts',
    bankName: null,
    partnerPaymentId: null,
  })
  expect(open.alarms).toContain('contradiction')
  open.standIn.lie = null
  await open.stepAll()
  expect((await open.read(body.id)).status).toBe('processing')
})

const bad: [name: string, field: string, more: Partial<CollectionWanted>][] = [
  ['a fraction', 'amount', { amount: '162000.5' }],
  ['nothing', 'amount', { amount: '0' }],
  ['below the channel', 'amount', { amount: '2499' }],
  ['above the channel', 'amount', { amount: '30000001' }],
  ['above 32 bits', 'amount', { amount: '2147483648' }],
  ['no country', 'country', { country: 'ZZ' }],
  ['a country without a channel', 'country', { country: 'GH' }],
  ['a country whose channel is closed', 'country', { country: 'BJ' }],
  ['a currency of another country', 'currency', { currency: 'KES' }],
  [
    'an account that the country does not have',
    'source.accountType',
    { source: { accountType: 'momo', networkId: 'x', accountNumber: '1234' } },
  ],
  ['momo without a number', 'source.accountNumber', { source: { accountType: 'momo', networkId: 'x' } }],
  ['momo without a network', 'source.networkId', { source: { accountType: 'momo', accountNumber: '1234' } }],
  ['an unknown network', 'source.networkId', { source: { accountType: 'bank', networkId: 'unknown' } }],
  ['a chain that the partner does not know', 'cryptoNetwork', { cryptoNetwork: 'bsc' }],
  [
    'a token that the partner does not settle there',
    'cryptoNetwork',
    { cryptoNetwork: 'ethereum', cryptoCurrency: 'USDT' },
  ],
  ['a chain that is not configured', 'cryptoNetwork', { cryptoNetwork: 'optimism' }],
  ['a token that the chain does not have', 'cryptoCurrency', { cryptoCurrency: 'USDT' }],
  ['an address of another family', 'walletAddress', { walletAddress: 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz' }],
  ['no address', 'walletAddress', { walletAddress: '0x12' }],
  ['a memo on a chain without memos', 'memo', { memo: '17' }],
  [
    'stellar without a memo',
    'memo',
    { cryptoNetwork: 'stellar', walletAddress: 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7' },
  ],
  ['a recipient of no country', 'recipient.country', { recipient: { ...recipient, country: 'ZZ' } }],
  ['a day that does not exist', 'recipient.dob', { recipient: { ...recipient, dob: '1997-02-30' } }],
  ['a day that has not come', 'recipient.dob', { recipient: { ...recipient, dob: '2997-02-01' } }],
  ['metadata that is too large', 'metadata', { metadata: { text: 'x'.repeat(5000) } }],
]

test.each(bad)(
  '%s is a 400 that names %s: nothing is stored, nothing is requested',
  async (_name, field, more) => {
    const before = await rows()
    const error = await status(more)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(400)
    expect((error as ApiError).fields?.map((each) => each.field)).toContain(field)
    expect([await rows(), open.submits()]).toEqual([before, 0])
  },
)

test('people in Nigeria need a second document', async () => {
  const { additionalIdType: _, additionalIdNumber: __, ...one } = recipient
  const error = await status({ recipient: one })
  expect((error as ApiError).fields?.map(({ field }) => field)).toEqual([
    'recipient.additionalIdType',
    'recipient.additionalIdNumber',
  ])
})

test('an address of the platform is refused', async () => {
  const [own] = await open.db.query<{ address: string }>(
    "select address from deposit_addresses where family = 'evm' limit 1",
  )
  expect(await status({ walletAddress: own?.address ?? '' })).toMatchObject({
    status: 422,
    error: 'own_address',
  })
})

test('while the operator has paused the partner nothing is stored', async () => {
  await open.db.query(
    "insert into partner_pauses (partner, reason, paused_by) values ('yellowcard', 'a test', 'us')",
  )
  const before = await rows()
  expect(await status()).toMatchObject({ status: 503, error: 'partner_unavailable' })
  expect(await rows()).toBe(before)
  await open.db.query("update partner_pauses set resumed_at = now(), resumed_by = 'us'")
})

test('the payer is sealed: no row, event or answer has a part of it', async () => {
  const tables = await open.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const [found] = await open.db.query<{ n: number }>(
      `select count(*)::int as n from "${name}" t where t::text ~ '(canary-|1 Canary Road|ada@example.com)' or t::text like '%' || encode('canary-', 'hex') || '%'`,
    )
    expect([name, found?.n]).toEqual([name, 0])
  }
  expect(await rows()).toBeGreaterThan(5)
})
