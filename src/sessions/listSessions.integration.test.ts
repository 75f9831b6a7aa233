import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makePayment, makeSession } from '../../test/support/madeSessions.ts'
import { urlAs } from '../../test/support/template.ts'
import { addressCodec } from '../chains/codecs.ts'
import { configuredChains } from '../chains/configuration.ts'
import { type ModelDb, openModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { encodeCursor } from '../platform/pages.ts'
import { listSessions, type SessionFilter } from './listSessions.ts'
import { sendSession } from './storedSession.ts'

const { chains } = configuredChains({
  ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
  BSC_RPC_URLS: 'http://127.0.0.1:1',
  TRON_RPC_URLS: 'http://127.0.0.1:1',
  STELLAR_RPC_URLS: 'http://127.0.0.1:1',
})
const [business, stranger] = [newId(), newId()]
const txId = `0x${randomBytes(32).toString('hex')}`
let database: TestDatabase
/** By the rights of the API. */
let api: ModelDb
let invoice: string
let tron: { id: string; address: string }
let stellar: { id: string; address: string }

beforeAll(async () => {
  database = await createTestDatabase()
  api = openModelDb(urlAs('api', database.url), 1)
  for (const id of [business, stranger]) await insertBusiness(database.db, id)
  invoice = await named(business, { reference: 'INV-2026-0012345', label: 'Café 50%_off' })
  await named(stranger, { reference: 'INV-2026-0012345', label: 'Café 50%_off' })
  await named(business, { reference: 'INV-2026-0000001', label: 'x-1' })
  await named(business, { reference: 'K7', label: null })
  tron = await stored('tron', 'USDT', addressCodec('tron').normalise('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'))
  stellar = await stored(
    'stellar',
    'USDC',
    addressCodec('stellar').normalise(
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
    ),
  )
})
afterAll(async () => {
  await api?.close()
  await database?.drop()
})

async function named(
  businessId: string,
  { reference, label }: { reference: string; label: string | null },
  units = 25_500_000n,
): Promise<string> {
  const session = await makeSession(database.db, businessId, units, {
    localAmount: '40290.5',
    localCurrency: 'NGN',
  })
  await database.db.query('update pos_sessions set reference = $2, label = $3 where id = $1', [
    session.id,
    reference,
    label,
  ])
  const detection = await makePayment(database.db, session, { amount: units })
  if (reference.endsWith('345') && businessId === business)
    await database.db.query(
      'update transfers set tx_id = $2 where id = (select transfer_id from detections where id = $1)',
      [detection, txId],
    )
  return session.id
}

/** As the api stores one. */
async function stored(chain: 'tron' | 'stellar', token: string, address: string | null) {
  if (address === null) throw new Error('no address')
  const id = newId()
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 600_000)]
  const none = { localAmount: null, localCurrency: null, rate: null, rateAt: null, rateSource: null }
  await database.db.tx(async (tx) => {
    sendSession(tx, {
      ...none,
      ...{ id, businessId: business, chain, token, family: chain, address, createdAt, expiresAt },
      ...{ amountExpected: '70000000', fxMarginPercent: '0', fee: '0', feeCurrency: token },
      ...{ requiredConfirmations: 1, finality: 'confirmations' as const },
      ...{
        amountTolerated: '0',
        label: null,
        reference: null,
        returnUrl: null,
        metadata: null,
        linkId: null,
        webhookUrl: null,
      },
    })
  })
  return { id, address }
}

const list = (filter: SessionFilter, more: { cursor?: string; limit?: number } = {}, of = business) =>
  listSessions({ db: api, chains, checkoutUrl }, of, filter, { page: 1, limit: 20, sort: 'DESC', ...more })
const found = async (search: string, filter: SessionFilter = {}) =>
  (await list({ ...filter, search })).sessions.map(({ id }) => id)

describe('a search finds a session', () => {
  test.each(['INV-2026-0012345', 'inv-2026-0012345', '0012345', '-2026-00123', ' café ', '50%_off', '%_off'])(
    'by %j',
    async (text) => expect(await found(text)).toEqual([invoice]),
  )

  test('by a part of its id, and of its address in any case', async () => {
    expect(await found(invoice.slice(9))).toEqual([invoice])
    const { address } = (await list({ search: invoice })).sessions[0] ?? { address: '' }
    expect(await found(address.slice(0, 40).toUpperCase())).toContain(invoice)
  })

  test('by the whole of a short reference', async () => {
    expect(await found('K7')).toHaveLength(1)
    expect(await found('K')).toEqual([])
  })

  test('by the whole id of a transaction, and by its beginning as explorers shorten it', async () => {
    for (const text of [
      txId,
      txId.toUpperCase().replace('0X', '0x'),
      txId.slice(0, 10),
      `${txId.slice(0, 14)}…`,
    ])
      expect(await found(text)).toEqual([invoice])
    expect(await found(txId.slice(0, 7))).toEqual([])
  })

  test('by its amount in the token, whatever its decimals, or in the local currency', async () => {
    for (const text of ['25.5', '25.50', '40290.5', '40,290.50']) expect(await found(text)).toContain(invoice)
    // 70000000 base units are 70 USDT on tron, and 7 USDC on stellar.
    expect(await found('70')).toEqual([tron.id])
    expect(await found('7')).toEqual([stellar.id])
    expect(await found('255')).not.toContain(invoice)
  })

  test('by address and memo as people read them, where they are stored otherwise', async () => {
    expect(await found('TR7NHqjeKQ')).toEqual([tron.id])
    expect(await found('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toEqual([tron.id])
    const { address, memo } = (await list({ chain: 'stellar' })).sessions[0] ?? { address: '' }
    expect(memo).toBeDefined()
    expect(await found(address.slice(0, 12))).toEqual([stellar.id])
    expect(await found(String(memo))).toContain(stellar.id)
    expect(await found(stellar.address)).toEqual([stellar.id])
  })
})

test('nothing of another business is found, and no wildcard', async () => {
  expect((await list({ search: '0012345' }, {}, stranger)).sessions.map(({ id }) => id)).not.toContain(
    invoice,
  )
  for (const text of ['%%%', '___', '%0012345%x', "0012345'", '\\\\\\', "'; drop table pos_sessions --"])
    expect(await found(text)).toEqual([])
})

test('filters hold as well', async () => {
  expect(await found('inv-2026', { status: ['paid'] })).toEqual([])
  expect(await found('inv-2026', { status: ['pending'] })).toHaveLength(2)
  expect(await found('inv-2026', { until: new Date(Date.now() - 60_000) })).toEqual([])
})

describe('of many', () => {
  const many = newId()
  beforeAll(async () => {
    await insertBusiness(database.db, many)
    // Ids of one moment, at times that go backwards: the list is by time.
    await database.db.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, fx_margin_percent, fee, fee_currency,
         required_confirmations, reference, status, created_at, expires_at)
       select ('00000000-0000-7000-8000-' || lpad(to_hex($2::bigint * 65536 + n), 12, '0'))::uuid, $1, 'ethereum', 'USDC', 'evm', '0xf' || lpad(to_hex(n), 39, '0'), 1000000, 0, 0, 'USDC',
         1, 'many-' || n, case when n % 2 = 0 then 'expired' else 'cancelled' end, now() - n * interval '1 minute', now()
       from generate_series(1, 1200) n`,
      [many, Math.floor(Math.random() * 2 ** 31)],
    )
  })

  test('the newest come first, page by page, each once', async () => {
    const seen: (string | null)[] = []
    let cursor: string | undefined
    do {
      const page = await list({ search: 'many-' }, { limit: 100, ...(cursor && { cursor }) }, many)
      seen.push(...page.sessions.map(({ reference }) => reference))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(Array.from({ length: 1200 }, (_, at) => `many-${at + 1}`))
  })

  test('no more are counted than its words say', async () => {
    expect((await list({}, {}, many)).total).toBe(1200)
    expect((await list({ search: 'many-' }, {}, many)).total).toBe(1000)
    expect((await list({ search: 'many-', status: ['expired'] }, {}, many)).total).toBe(600)
    expect((await list({ search: 'many-77' }, {}, many)).total).toBe(11)
  })

  test("a cursor of another business's session is refused", async () => {
    await expect(list({}, { cursor: encodeCursor(invoice) }, many)).rejects.toMatchObject({ status: 400 })
  })
})
