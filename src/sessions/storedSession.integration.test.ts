import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newId } from '../platform/ids.ts'
import { type PosSession, sessionModel } from './model.ts'
import { plain, presentSession } from './present.ts'
import { lockSession, saveSettled, sendSession, storedRate } from './storedSession.ts'

let database: TestDatabase
const businessId = newId()
beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId)
})
afterAll(() => database?.drop())

const newSession = () => ({
  id: newId(),
  businessId,
  chain: 'ethereum',
  token: 'USDC',
  family: 'evm' as const,
  address: `0x${newId().replaceAll('-', '')}${'0'.repeat(8)}`,
  amountExpected: '123456789012345678901234567890',
  amountTolerated: '1234567890123456789012345678',
  localAmount: '10.50' as string | null,
  localCurrency: 'NGN' as string | null,
  rate: '1500.123456789' as string | null,
  rateAt: new Date('2026-11-20T09:59:59.987Z') as Date | null,
  rateSource: 'yellowcard' as string | null,
  fxMarginPercent: '1.5',
  fee: '0.000000000000000001',
  feeCurrency: 'NGN',
  requiredConfirmations: 12,
  finality: 'confirmations' as const,
  label: 'Till 1' as string | null,
  reference: null as string | null,
  metadata: { order: [1, { a: null }] } as Record<string, unknown> | null,
  linkId: null,
  webhookUrl: null,
  returnUrl: 'https://shop.example.com/orders/1' as string | null,
  createdAt: new Date('2026-11-20T09:50:00.456Z'),
  expiresAt: new Date('2026-11-20T10:00:00.123Z'),
})
const store = (more: Partial<PosSession> = {}) =>
  sessionModel(database.db.sequelize).create({ ...newSession(), ...more })

test('a new session is shown as it is shown later', async () => {
  const context = { chains: [], checkoutUrl, heights: new Map() }
  for (const more of [
    {},
    {
      localAmount: null,
      localCurrency: null,
      rate: null,
      rateAt: null,
      rateSource: null,
      label: null,
      reference: 'order 1',
      metadata: null,
      returnUrl: null,
    },
    // The middle of two rates with twelve decimals.
    { rate: '0.0006666666666665', finality: 'finalized' as const },
  ]) {
    const given = { ...newSession(), ...more }
    const sent = await database.db.tx(async (tx) => sendSession(tx, given))
    const stored = await database.db.tx((tx) => lockSession(tx, given.id))
    if (!stored) throw new Error('the session was not stored')
    expect(Object.keys(sent).sort()).toEqual(Object.keys(stored).sort())
    expect(presentSession(sent, [], context, [])).toEqual(presentSession(stored, [], context, []))
  }
})

test('a rate is the one that Postgres stores', async () => {
  const digits = (max: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(max) - 1n })
  await fc.assert(
    fc.asyncProperty(
      digits(20),
      fc.integer({ min: 0, max: 20 }).chain((scale) => digits(scale).map((value) => [value, scale] as const)),
      async (whole, [value, scale]) => {
        const rate = scale === 0 ? String(whole) : `${whole}.${String(value).padStart(scale, '0')}`
        const [row] = await database.db.query<{ rate: string }>('select $1::numeric(40, 12)::text as rate', [
          rate,
        ])
        expect(plain(storedRate(rate))).toBe(plain(row?.rate ?? ''))
      },
    ),
    {
      numRuns: 200,
      examples: [
        [0n, [5n, 13]],
        [9n, [9_999_999_999_995n, 13]],
        [9n, [9_999_999_999_994n, 13]],
      ],
    },
  )
})

test('a session equals the one read by the model, and is null if it does not exist', async () => {
  for (const more of [
    {},
    {
      localAmount: null,
      localCurrency: null,
      rate: null,
      rateAt: null,
      rateSource: null,
      label: null,
      metadata: null,
      paidAt: new Date(),
    },
  ]) {
    const { id } = await store(more)
    const model = await sessionModel(database.db.sequelize).findByPk(id, { rejectOnEmpty: true })
    expect(await database.db.tx((tx) => lockSession(tx, id))).toEqual(model.get({ plain: true }))
  }
  expect(await database.db.tx((tx) => lockSession(tx, newId()))).toBeNull()
})

test('a row is written if settling changed it, and not otherwise', async () => {
  const { id } = await store()
  const settle = (change: Partial<PosSession>) =>
    database.db.tx(async (tx) => {
      const session = await lockSession(tx, id)
      if (session) saveSettled(tx, { ...session, ...change }, false)
    })
  const version = async () =>
    (
      await database.db.query<{ at: string }>('select ctid::text as at from pos_sessions where id = $1', [id])
    )[0]?.at
  const first = await version()
  await settle({})
  expect(await version()).toBe(first)
  const change = {
    status: 'paid',
    exception: 'overpaid',
    amountReceived: '7',
    amountSettled: '5',
    paidAt: new Date('2026-11-20T11:00:00.500Z'),
  } as const
  await settle(change)
  expect(await database.db.tx((tx) => lockSession(tx, id))).toMatchObject(change)
  const second = await version()
  expect(second).not.toBe(first)
  await settle(change)
  expect(await version()).toBe(second)
})

test('an expiry that was requested before is requested again only for a session that waits', async () => {
  const { id } = await store()
  const asked = async () =>
    (
      await database.db.query<{ at: Date | null }>(
        'select expiry_asked_at as at from pos_sessions where id = $1',
        [id],
      )
    )[0]?.at
  const settle = (waits: boolean) =>
    database.db.tx(async (tx) => {
      const session = await lockSession(tx, id)
      if (session) saveSettled(tx, session, waits)
    })
  await database.db.query('update pos_sessions set expiry_asked_at = now() where id = $1', [id])
  await settle(false)
  expect(await asked()).toEqual(expect.any(Date))
  await settle(true)
  expect(await asked()).toBeNull()
})
