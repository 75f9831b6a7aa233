import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { accepts, getBusiness } from './business.ts'
import { openBusiness } from './operateBusinesses.ts'
import { getPaymentSettings, setPaymentSettings } from './paymentSettings.ts'

let database: TestDatabase
let ctx: { db: ModelDb; chains: readonly ConfiguredChain[]; issuer: string }
const actor = systemActor('test')

beforeAll(async () => {
  database = await createTestDatabase()
  const { chains } = configuredChains({
    ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
    SOLANA_RPC_URLS: 'http://127.0.0.1:1',
  })
  ctx = { db: database.db, chains, issuer: 'https://pay.example.com' }
})
afterAll(() => database?.drop())

const open = async () =>
  (await openBusiness(ctx, actor, { name: 'B', ownerEmail: 'a@example.com' })).business.id
const choose = (id: string, accepted: { chain: string; tokens: string[] }[] | null) =>
  setPaymentSettings(ctx, actor, id, { localCurrency: 'NGN', accepted })

test('null accepts everything that the deployment offers, later as well', async () => {
  const id = await open()
  const view = await choose(id, null)
  expect(view).toMatchObject({
    acceptsAll: true,
    localCurrency: 'NGN',
    feePercent: '0',
    fxMarginPercent: '0',
  })
  expect(view.networks.map(({ chain }) => chain)).toEqual(['ethereum', 'solana'])
  expect(view.networks.flatMap(({ tokens }) => tokens.map(({ accepted }) => accepted))).not.toContain(false)
  expect(accepts(await getBusiness(ctx, id), 'stellar', 'USDC')).toBe(true)
})

test('only chosen tokens are accepted; an empty choice accepts nothing', async () => {
  const id = await open()
  const chosen = await choose(id, [{ chain: 'ethereum', tokens: ['USDT'] }])
  expect(chosen.acceptsAll).toBe(false)
  expect(
    chosen.networks.flatMap(({ chain, tokens }) =>
      tokens.filter(({ accepted }) => accepted).map(({ token }) => `${chain} ${token}`),
    ),
  ).toEqual(['ethereum USDT'])
  expect(await getPaymentSettings(ctx, id)).toEqual(chosen)
  await choose(id, [])
  const business = await getBusiness(ctx, id)
  expect(
    ['ethereum', 'solana'].some(
      (chain) => accepts(business, chain, 'USDC') || accepts(business, chain, 'USDT'),
    ),
  ).toBe(false)
})

test('everything that the deployment does not offer is named, and nothing changes', async () => {
  const id = await open()
  const wrong = [
    { chain: 'ethereum', tokens: ['USDC', 'DAI'] },
    { chain: 'tron', tokens: ['USDT'] },
    { chain: 'ethereum', tokens: ['USDT'] },
    { chain: '__proto__', tokens: ['USDC'] },
    { chain: 'constructor', tokens: ['USDC'] },
  ]
  await expect(choose(id, wrong)).rejects.toMatchObject({
    status: 400,
    fields: [
      { field: 'accepted.0.tokens.1', message: 'DAI is not available on ethereum' },
      { field: 'accepted.1.chain', message: 'tron is not available on this deployment' },
      { field: 'accepted.2.chain', message: 'ethereum is listed twice' },
      { field: 'accepted.3.chain', message: '__proto__ is not available on this deployment' },
      { field: 'accepted.4.chain', message: 'constructor is not available on this deployment' },
    ],
  })
  expect(await getPaymentSettings(ctx, id)).toMatchObject({ acceptsAll: true, localCurrency: null })
  expect(
    (
      await listAudit(
        ctx,
        { businessId: id, action: 'payments.changed' },
        { page: 1, limit: 10, sort: 'ASC' },
      )
    ).total,
  ).toBe(0)
})

test('a tolerance is a share or an amount; left out it stays, and null or zero takes it away', async () => {
  const id = await open()
  const set = (tolerance?: { percent: string } | { amount: string } | null) =>
    setPaymentSettings(ctx, actor, id, {
      localCurrency: null,
      accepted: null,
      ...(tolerance !== undefined && { tolerance }),
    })
  expect((await getPaymentSettings(ctx, id)).tolerance).toBeNull()
  expect((await set({ percent: '0.50' })).tolerance).toEqual({ percent: '0.5' })
  expect((await set()).tolerance).toEqual({ percent: '0.5' })
  expect((await set({ amount: '0.25' })).tolerance).toEqual({ amount: '0.25' })
  expect((await getPaymentSettings(ctx, id)).tolerance).toEqual({ amount: '0.25' })
  expect((await set({ percent: '0.0' })).tolerance).toBeNull()
  expect((await set(null)).tolerance).toBeNull()
})

test('concurrent changes are audited with the choice before them', async () => {
  const id = await open()
  await Promise.all([
    choose(id, [{ chain: 'ethereum', tokens: ['USDC'] }]),
    choose(id, [{ chain: 'solana', tokens: ['USDC'] }]),
  ])
  const { entries } = await listAudit(
    ctx,
    { businessId: id, action: 'payments.changed' },
    { page: 1, limit: 10, sort: 'ASC' },
  )
  const said = entries as { before: { accepted: object | null }; after: { accepted: object } }[]
  const first = said.find(({ before }) => before.accepted === null)
  const second = said.find((each) => each !== first)
  expect([said.length, second?.before.accepted, second?.after.accepted]).toEqual([
    2,
    first?.after.accepted,
    (await getBusiness(ctx, id)).accepted,
  ])
})
