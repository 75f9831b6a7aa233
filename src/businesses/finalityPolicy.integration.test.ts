import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { FinalityChoice } from '../chains/finality.ts'
import { newId } from '../platform/ids.ts'
import { readPolicy, setPolicy } from './finalityPolicy.ts'
import { businessModel } from './model.ts'

let database: TestDatabase
let businessId: string

const { chains } = configuredChains({
  ETHEREUM_RPC_URLS: 'http://localhost',
  ETHEREUM_MIN_CONFIRMATIONS: '2',
  ETHEREUM_EARLY_UP_TO: '200',
  ETHEREUM_LARGE_FROM: '10000',
  POLYGON_RPC_URLS: 'http://localhost',
})

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  businessId = newId()
  await businessModel(database.db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
})
afterAll(() => database?.drop())

const set = (...rules: ({ chain: string } & FinalityChoice)[]) =>
  setPolicy({ db: database.db, chains }, businessId, rules, async () => {})
const choice = (more: FinalityChoice) => set({ chain: 'ethereum', ...more })

test('a business without choices has no policy', async () => {
  expect(await readPolicy(database.db, businessId)).toBeNull()
  expect(await readPolicy(database.db, newId())).toBeNull()
})

test('a policy is read as it was set, by chain', async () => {
  const stored = await set(
    { chain: 'ethereum', early: { upTo: '50', confirmations: 2 }, largeFrom: '1000.50' },
    { chain: 'polygon', early: { upTo: '100', confirmations: 1 } },
  )
  expect(await readPolicy(database.db, businessId)).toEqual(stored)
  expect(stored.rules).toEqual({
    ethereum: { early: { upTo: '50', confirmations: 2 }, largeFrom: '1000.50' },
    polygon: { early: { upTo: '100', confirmations: 1 } },
  })
})

test('a new policy replaces the old one as a whole; the old one stays for the sessions created with it', async () => {
  const first = await choice({ largeFrom: '1000' })
  const second = await set({ chain: 'polygon', largeFrom: '500' })
  expect(await readPolicy(database.db, businessId)).toEqual({
    id: second.id,
    rules: { polygon: { largeFrom: '500' } },
  })
  expect(await database.db.query('select rules from finality_policies where id = $1', [first.id])).toEqual([
    { rules: first.rules },
  ])
  expect((await set()).rules).toEqual({})
})

test('a policy applies to its own business only', async () => {
  await choice({ largeFrom: '1000' })
  const other = newId()
  await businessModel(database.db.sequelize).create({
    id: other,
    name: 'C',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  expect(await readPolicy(database.db, other)).toBeNull()
})

describe('the operator’s bounds', () => {
  test('may be reached', async () => {
    const rules = { early: { upTo: '200', confirmations: 2 }, largeFrom: '10000' }
    expect((await choice(rules)).rules).toEqual({ ethereum: rules })
  })

  test.each<[string, FinalityChoice]>([
    ['early.confirmations', { early: { upTo: '50', confirmations: 1 } }],
    ['early.upTo', { early: { upTo: '200.000001', confirmations: 2 } }],
    ['early.upTo', { early: { upTo: '0.0000001', confirmations: 2 } }],
    ['largeFrom', { largeFrom: '10000.000001' }],
    ['largeFrom', { largeFrom: '999.9999999' }],
    ['largeFrom', { early: { upTo: '50', confirmations: 2 }, largeFrom: '50' }],
    ['largeFrom', { early: { upTo: '50', confirmations: 2 }, largeFrom: '49' }],
  ])('refuse a value outside them and name %s: %j', async (field, rules) => {
    await expect(choice(rules)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: `rules.0.${field}` }],
    })
    expect(await readPolicy(database.db, businessId)).toBeNull()
  })

  test('refuse a chain that this deployment does not read, and two rules for one chain', async () => {
    await expect(set({ chain: 'bsc', largeFrom: '5' })).rejects.toMatchObject({ status: 400 })
    const twice = set({ chain: 'polygon', largeFrom: '5' }, { chain: 'polygon', largeFrom: '6' })
    await expect(twice).rejects.toMatchObject({ status: 400, fields: [{ field: 'rules.1.chain' }] })
  })

  test('leave large amounts to the business where they are not set', async () => {
    const rules = { chain: 'polygon', largeFrom: '1000000000' }
    expect((await set(rules)).rules).toEqual({ polygon: { largeFrom: '1000000000' } })
  })
})
