import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { displayContract } from '../chains/codecs.ts'
import { type ConfiguredChain, knownChain } from '../chains/registry.ts'
import { muxed, unmuxed } from '../chains/stellar/address.ts'
import { createRequestKey } from '../custody/requestKey.ts'
import { rollAppKey } from '../custody/rollAppKey.ts'
import { AppKey } from '../platform/appKey.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createDestination } from './createDestination.ts'
import { getDestination } from './getDestination.ts'
import type { WantedDestination } from './readDestination.ts'
import { sealedColumns } from './sealedColumns.ts'

// Destinations on every family of chains, and while APP_KEY is rolled, in a real database.

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const [before, after] = [newKey(), newKey()]
const names = ['ethereum', 'solana', 'tron', 'stellar'] as const
const chains = names.flatMap((name) => knownChain(name) ?? []) as unknown as ConfiguredChain[]
const list = [
  { id: 'one', name: 'One Bank', code: '1', countryCode: 'NG', currencies: ['NGN'] },
  { id: 'two', name: 'Two Bank', code: '2', countryCode: 'NG', currencies: ['NGN', 'USD'] },
  { id: 'none', name: 'No Bank', code: '3', countryCode: 'NG', currencies: [] },
]
const banks = async () => ({ banks: list, asOf: new Date() })

let database: TestDatabase
let businessId: string
beforeAll(async () => {
  database = await createTestDatabase()
  businessId = newId()
  await insertBusiness(database.db, businessId, 'pays')
})
afterAll(() => database?.drop())

function save(wanted: WantedDestination, appKey: Secret = before) {
  const { db } = database
  return createDestination(
    { db, chains, banks, appKey, requestKey: createRequestKey({ db, appKey }), prover: provers.api },
    businessId,
    wanted,
    async () => {},
  )
}
const refused = (wanted: WantedDestination, appKey?: Secret) =>
  save(wanted, appKey).then(
    () => 'saved',
    ({ error, fields }) => [error, ...(fields ?? []).map(({ field }: { field: string }) => field)],
  )

describe('an address of this platform is refused', () => {
  const deposits = async (family: string) =>
    (
      await database.db.query<{ address: string }>(
        'select address from deposit_addresses where family = $1 order by index limit 3',
        [family],
      )
    ).map(({ address }) => address)

  test.each([
    ['ethereum', 'evm'],
    ['solana', 'solana'],
    ['tron', 'tron'],
    ['stellar', 'stellar'],
  ])('deposit addresses on %s', async (chain, family) => {
    const own = await deposits(family)
    expect(own).toHaveLength(3)
    for (const address of own) expect(await refused({ chain, address })).toEqual(['own_address', 'address'])
  })

  test('on stellar the account that takes deposits, with any id, also one that no deposit has', async () => {
    const [deposit = ''] = await deposits('stellar')
    const { account } = unmuxed(deposit)
    for (const wanted of [
      { address: account },
      { address: account, memo: '7' },
      { address: muxed(account, 2n ** 63n) },
    ])
      expect(await refused({ chain: 'stellar', ...wanted })).toEqual(['own_address', 'address'])
  })

  test('the treasury, and on stellar any id of its account', async () => {
    const foreign = {
      solana: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
      stellar: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    }
    for (const [family, address] of Object.entries(foreign))
      await database.db.query('insert into treasury_addresses (family, address) values ($1, $2)', [
        family,
        address,
      ])
    expect(await refused({ chain: 'solana', address: foreign.solana })).toEqual(['own_address', 'address'])
    expect(await refused({ chain: 'stellar', address: foreign.stellar })).toEqual(['own_address', 'address'])
    expect(await refused({ chain: 'stellar', address: muxed(foreign.stellar, 5n) })).toEqual([
      'own_address',
      'address',
    ])
    await database.db.query('delete from treasury_addresses')
    expect(await refused({ chain: 'solana', address: foreign.solana })).toBe('saved')
  })
})

test('a token itself is refused, on stellar its issuer', async () => {
  for (const { name: chain, family, tokens } of chains) {
    // Tron has no USDC.
    for (const { contract } of tokens.filter((token) => token.contract !== '')) {
      const address = displayContract(family, contract).split(':').at(-1) ?? ''
      expect(await refused({ chain, address })).toEqual(['recipient_is_token', 'address'])
      if (chain === 'stellar')
        expect(await refused({ chain, address: muxed(address, 9n) })).toEqual([
          'recipient_is_token',
          'address',
        ])
    }
  }
})

test.each([
  ['ethereum', `0x${'0'.repeat(40)}`],
  ['ethereum', '0x0000000000000000000000000000000000000001'],
  ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ['solana', '1nc1nerator11111111111111111111111111111111'],
  ['stellar', 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
])('an address of %s without a key is refused: %s', async (chain, address) => {
  expect(await refused({ chain, address })).toEqual(['recipient_without_key', 'address'])
})

test('on stellar a memo makes another destination of an address, and must have the form of its type', async () => {
  const address = 'GDQP2KPQGKIHYJGXNUIYOMHARUARCA7DJT5FO2FFOOKY3B2WSQHG4W37'
  const plain = await save({ chain: 'stellar', address })
  const noted = await save({ chain: 'stellar', address, memo: '7', memoType: 'id' })
  expect([plain.memo, noted.memo, noted.memoType]).toEqual([null, '7', 'id'])
  expect(await refused({ chain: 'stellar', address, memo: '7', memoType: 'id' })).toEqual([
    'destination_exists',
  ])
  expect(await refused({ chain: 'stellar', address, memo: 'seven', memoType: 'id' })).toEqual([
    'Invalid request body',
    'memo',
  ])
  expect(await refused({ chain: 'stellar', address, memo: 'x'.repeat(29) })).toEqual([
    'Invalid request body',
    'memo',
  ])
})

test('a bank of several currencies needs one of them, and a bank without a currency takes no payouts', async () => {
  const account = { accountNumber: '0123456789', accountName: 'Ada' }
  expect(await refused({ ...account, networkId: 'two' })).toEqual(['Invalid request body', 'currency'])
  expect(await refused({ ...account, networkId: 'two', currency: 'KES' })).toEqual([
    'Invalid request body',
    'currency',
  ])
  expect((await save({ ...account, networkId: 'two', currency: 'USD' })).currency).toBe('USD')
  expect(await refused({ ...account, networkId: 'none' })).toEqual(['Invalid request body', 'networkId'])
})

test('after a roll of APP_KEY the account opens with the new key alone, and a second one is still found', async () => {
  const account = { networkId: 'one', accountNumber: 'GB29 NWBK 6016 1331 9268 19', accountName: 'Ada' }
  const made = await save(account)
  await rollAppKey({ db: database.db, appKey: new AppKey(after, before) }, [
    ...sealedColumns,
    { table: 'request_keys', column: 'sealed', context: (id) => `cowry/request-key/v1/${id}` },
  ])
  const { db } = database
  expect(await getDestination({ db, appKey: after }, businessId, made.id)).toEqual(made)
  await expect(getDestination({ db, appKey: before }, businessId, made.id)).rejects.toThrow()
  expect(await refused(account, after)).toEqual(['destination_exists'])
})

test.each([
  ['business', 'business_id = $2'],
  ['bank', "network_id = 'two'"],
])('an account whose row is given another %s by SQL does not open', async (_what, change) => {
  const made = await save({ networkId: 'one', accountNumber: newId().slice(-12), accountName: 'Ada' }, after)
  const other = newId()
  await insertBusiness(database.db, other, 'other')
  await database.db.query(
    `update payout_destinations set ${change} where id = $1`,
    change.includes('$2') ? [made.id, other] : [made.id],
  )
  const reader = change.includes('$2') ? other : businessId
  await expect(getDestination({ db: database.db, appKey: after }, reader, made.id)).rejects.toThrow(
    'was sealed for another business or bank',
  )
})
