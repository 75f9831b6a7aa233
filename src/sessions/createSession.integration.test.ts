import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { chains } from '../../test/support/sessionDatabase.ts'
import { urlAs } from '../../test/support/template.ts'
import { writesOf } from '../../test/support/writes.ts'
import { tokenOf } from '../chains/registry.ts'
import { type ModelDb, openModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { priceFromAmount } from '../pricing/price.ts'
import { createSession } from './createSession.ts'
import { presentSession, type SessionView } from './present.ts'
import { lockSession } from './storedSession.ts'

let database: TestDatabase
/** By the rights of the API, with one connection. */
let api: ModelDb
let cap = 10_000

beforeAll(async () => {
  database = await createTestDatabase()
  api = openModelDb(urlAs('api', database.url), 1)
  await database.db.query(
    `insert into chain_cursors (chain, epoch, height) values ('ethereum', 1, 100)
     on conflict (chain) do update set height = excluded.height`,
  )
  await database.db.query(
    `insert into deposit_addresses (family, index, address, path)
     select 'evm', 1000 + n, '0x' || lpad(to_hex(n), 40, 'd'), 'test' from generate_series(1, 20) n`,
  )
})
afterAll(async () => {
  await api?.close()
  await database?.drop()
})

async function newBusiness(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id)
  return id
}

/** @param confirm the caller's rights, as they are in the transaction */
async function create(businessId: string, confirm = async () => {}): Promise<SessionView> {
  const [chain] = chains
  if (!chain) throw new Error('no chain')
  const token = tokenOf(chain, 'USDC')
  if (!token) throw new Error('no token')
  const price = priceFromAmount(token, 5_000_000n, null, { feePercent: '1', fxMarginPercent: '1.5' })
  const more = { expirySeconds: 600, label: 'Till 1', reference: null, metadata: { order: [1, { a: null }] } }
  const input = {
    actor: { confirm },
    business: { id: businessId, tolerancePercent: null, toleranceAmount: null },
    chain,
    price,
    ...more,
  }
  return createSession({ db: api, chains, checkoutUrl, caps: { openSessions: cap } }, input, async () => {})
}
const rowsOf = async (businessId: string) => {
  const [row] = await database.db.query(
    `select (select count(*) from pos_sessions where business_id = $1)::int as sessions, (select count(*) from watches where business_id = $1)::int as watches,
       (select count(*) from events where business_id = $1)::int as events`,
    [businessId],
  )
  return row
}
const one = { sessions: 1, watches: 1, events: 1 }

test('takes two messages to Postgres: what it reads, and what it writes with the commit; it is shown as it is shown later', async () => {
  // The connection parses each statement once.
  await create(await newBusiness())
  const businessId = await newBusiness()
  let view: SessionView | undefined
  expect(
    await writesOf(async () => {
      view = await create(businessId)
    }),
  ).toBe(2)
  expect(await rowsOf(businessId)).toEqual(one)
  const stored = await database.db.tx((tx) => lockSession(tx, view?.id ?? ''))
  if (!stored) throw new Error('the session was not stored')
  expect(presentSession(stored, [], { chains, checkoutUrl, heights: new Map() }, [])).toEqual(view)
})

test('of a caller who lost the right meanwhile, and above the cap, nothing is stored', async () => {
  const businessId = await newBusiness()
  const lost = async () => {
    throw new Error('revoked')
  }
  await expect(create(businessId, lost)).rejects.toThrow('revoked')
  expect(await rowsOf(businessId)).toEqual({ sessions: 0, watches: 0, events: 0 })
  cap = 1
  try {
    await create(businessId)
    await expect(create(businessId)).rejects.toThrow('the business may have 1')
  } finally {
    cap = 10_000
  }
  expect(await rowsOf(businessId)).toEqual(one)
})
