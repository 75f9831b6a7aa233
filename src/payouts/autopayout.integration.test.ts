import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { profile } from '../../test/support/bankPayouts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { openBusiness } from '../businesses/operateBusinesses.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { archiveDestination } from '../destinations/archiveDestination.ts'
import { createDestination } from '../destinations/createDestination.ts'
import type { WantedDestination } from '../destinations/readDestination.ts'
import { setLegalProfile } from '../outflows/bank/legalProfile.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { listNetworks } from '../sessions/listNetworks.ts'
import { type AutopayoutSetting, getAutopayout, setAutopayout } from './autopayout.ts'

let database: TestDatabase
let ctx: { db: ModelDb; chains: readonly ConfiguredChain[]; paymentPartner: object | null; appKey: Secret }
const actor = systemActor('test')
const key = new Secret(randomBytes(32).toString('base64'))

beforeAll(async () => {
  database = await createTestDatabase()
  const node = 'http://127.0.0.1:1'
  const { chains } = configuredChains({
    ETHEREUM_RPC_URLS: node,
    BASE_RPC_URLS: node,
    TRON_RPC_URLS: node,
    STELLAR_RPC_URLS: node,
  })
  ctx = { db: database.db, chains, paymentPartner: { name: 'yellowcard' }, appKey: key }
})
afterAll(() => database?.drop())

const open = async () =>
  (await openBusiness(ctx, actor, { name: 'B', ownerEmail: 'a@example.com' })).business.id
const banks = async () => ({
  banks: [{ id: 'bank', name: 'A Bank', code: '1', countryCode: 'NG', currencies: ['NGN'] }],
  asOf: new Date(),
})
const save = async (businessId: string, wanted: WantedDestination) =>
  (
    await createDestination(
      { ...ctx, banks, prover: provers.api, requestKey: async () => key },
      businessId,
      wanted,
      async () => {},
    )
  ).id
const wallet = (id: string, chain = 'ethereum') =>
  save(id, {
    chain,
    address: chain === 'tron' ? 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9' : `0x${randomBytes(20).toString('hex')}`,
  })
const bank = (id: string) =>
  save(id, { networkId: 'bank', accountNumber: `${Date.now()}`.slice(-10), accountName: 'Ada Stores' })
const giveProfile = (id: string) => setLegalProfile(ctx, actor, id, profile)
const usdc = (destinationId: string | null, more: Partial<AutopayoutSetting> = {}): AutopayoutSetting => ({
  chain: 'ethereum',
  token: 'USDC',
  enabled: true,
  destinationId,
  ...more,
})
const set = (id: string, ...payouts: AutopayoutSetting[]) => setAutopayout(ctx, actor, id, payouts)
const settingOf = async (id: string, chain = 'ethereum', token = 'USDC') =>
  (await getAutopayout(ctx, id)).networks
    .find((each) => each.chain === chain)
    ?.tokens.find((each) => each.token === token)
const audited = async (id: string) =>
  (
    await listAudit(
      ctx,
      { businessId: id, action: 'autopayout.changed' },
      { page: 1, limit: 20, sort: 'ASC' },
    )
  ).entries
const archive = (id: string, destination: string) => archiveDestination(ctx, id, destination, async () => {})

test('autopayout is off for everything that the deployment offers', async () => {
  const { networks } = await getAutopayout(ctx, await open())
  expect(
    networks.map(({ chain, tokens }) => `${chain} ${tokens.map(({ token }) => token).join(' ')}`),
  ).toEqual(ctx.chains.map(({ name, tokens }) => `${name} ${tokens.map(({ symbol }) => symbol).join(' ')}`))
  for (const { tokens } of networks)
    for (const each of tokens)
      expect(each).toMatchObject({ enabled: false, destinationId: null, problem: null })
})

test('a token that is not listed is off and keeps its destination; only what changed is audited', async () => {
  const id = await open()
  const [one, other] = [await wallet(id), await wallet(id, 'base')]
  await set(id, usdc(one), usdc(other, { chain: 'stellar' }), usdc(null, { token: 'USDT', enabled: false }))
  await set(id, usdc(other))
  await set(id, usdc(other))
  expect(await settingOf(id)).toEqual({ token: 'USDC', enabled: true, destinationId: other, problem: null })
  expect(await settingOf(id, 'stellar')).toEqual({
    token: 'USDC',
    enabled: false,
    destinationId: other,
    problem: null,
  })
  const none = { enabled: false, destinationId: null }
  const on = (destinationId: string) => ({ enabled: true, destinationId })
  expect(await audited(id)).toMatchObject([
    {
      target: id,
      before: { 'ethereum:USDC': none, 'stellar:USDC': none },
      after: { 'ethereum:USDC': on(one), 'stellar:USDC': on(other) },
    },
    {
      before: { 'ethereum:USDC': on(one), 'stellar:USDC': on(other) },
      after: { 'ethereum:USDC': on(other), 'stellar:USDC': { ...on(other), enabled: false } },
    },
  ])
  expect(await audited(id)).toHaveLength(2)
})

test('everything that cannot be paid out is named by its field, and nothing changes', async () => {
  const [id, stranger] = [await open(), await open()]
  const [own, onBase, onTron, account, archived, foreign] = [
    await wallet(id),
    await wallet(id, 'base'),
    await wallet(id, 'tron'),
    await bank(id),
    await wallet(id),
    await wallet(stranger),
  ]
  await archive(id, archived)
  await set(id, usdc(own))
  const wrong = [
    usdc(own, { chain: 'polygon' }),
    usdc(own, { chain: '__proto__' }),
    usdc(own, { token: 'DAI' }),
    usdc(own),
    usdc(own),
    usdc(null, { token: 'USDT' }),
    usdc(foreign, { chain: 'base' }),
    usdc(newId(), { chain: 'tron', token: 'USDT' }),
    usdc('nothing', { chain: 'stellar', enabled: false }),
    usdc(onBase, { chain: 'stellar', token: 'USDT' }),
  ]
  await expect(set(id, ...wrong)).rejects.toMatchObject({
    status: 400,
    fields: [
      { field: 'payouts.0.chain', message: 'polygon is not available on this deployment' },
      { field: 'payouts.1.chain', message: '__proto__ is not available on this deployment' },
      { field: 'payouts.2.token', message: 'DAI is not available on ethereum' },
      { field: 'payouts.2.destinationId', message: 'is a wallet on ethereum, which has no DAI' },
      { field: 'payouts.4.token', message: 'USDC on ethereum is listed twice' },
      { field: 'payouts.5.destinationId', message: 'is required where autopayout is on' },
      { field: 'payouts.6.destinationId', message: 'is not a payout destination of this business' },
      { field: 'payouts.7.destinationId', message: 'is not a payout destination of this business' },
      { field: 'payouts.8.destinationId', message: 'is not a payout destination of this business' },
      { field: 'payouts.9.destinationId', message: 'is a wallet on base, which has no USDT' },
    ],
  })
  const refused = (setting: AutopayoutSetting) =>
    set(id, setting).then(
      () => null,
      (error) => error.fields[0],
    )
  const field = 'payouts.0.destinationId'
  expect(await refused(usdc(archived))).toMatchObject({ field, message: 'is archived' })
  expect(await refused(usdc(onTron))).toMatchObject({
    field,
    message: 'is a wallet on tron, which has no USDC',
  })
  expect(await refused(usdc(account))).toMatchObject({
    field,
    message: 'is a bank account: it can be paid once the business has a legal profile',
  })
  expect(await settingOf(id)).toMatchObject({ enabled: true, destinationId: own })
  expect(await audited(id)).toHaveLength(1)
  await giveProfile(id)
  expect(await refused(usdc(account))).toBeNull()
  const without = { ...ctx, paymentPartner: null }
  await expect(setAutopayout(without, actor, id, [usdc(account)])).rejects.toMatchObject({
    status: 503,
    error: 'partner_not_configured',
  })
})

test('a destination that autopayout goes to is not archived; once it is off, it is', async () => {
  const [id, other] = [await open(), await open()]
  const destination = await wallet(id)
  await set(other, usdc(await wallet(other)))
  await set(id, usdc(destination), usdc(destination, { chain: 'base' }))
  await expect(archive(id, destination)).rejects.toMatchObject({
    status: 409,
    error: 'destination_in_use',
    message: expect.stringContaining('USDC on base, USDC on ethereum'),
  })
  expect(await settingOf(id)).toMatchObject({ enabled: true, problem: null })
  await set(id)
  await archive(id, destination)
  await archive(id, destination)
  expect(await settingOf(id)).toEqual({
    token: 'USDC',
    enabled: false,
    destinationId: destination,
    problem: 'destination_archived',
  })
})

test('of an archive and a setting at once, one is refused', async () => {
  const id = await open()
  for (let i = 0; i < 10; i++) {
    const destination = await wallet(id)
    const results = await Promise.allSettled([set(id, usdc(destination)), archive(id, destination)])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  }
})

test('a token that autopayout cannot serve is left out of the networks of the business, with each reason', async () => {
  const id = await open()
  const networks = async (more: Partial<typeof ctx> = {}) =>
    (await listNetworks({ ...ctx, ...more }, id)).map(({ chain, tokens }) => `${chain} ${tokens.join(' ')}`)
  const all = ['ethereum USDC USDT', 'base USDC', 'tron USDT', 'stellar USDC USDT']
  const [account, onBase, onTron] = [await bank(id), await wallet(id, 'base'), await wallet(id, 'tron')]
  expect(await networks()).toEqual(all)
  await giveProfile(id)
  await set(id, usdc(account), usdc(onBase, { chain: 'stellar' }), usdc(onTron, { token: 'USDT' }))
  expect(await networks()).toEqual(all)

  const withoutUsdc = ['ethereum USDT', 'base USDC', 'tron USDT', 'stellar USDC USDT']
  expect(await networks({ paymentPartner: null })).toEqual(withoutUsdc)
  await ctx.db.query('delete from legal_profiles where business_id = $1', [id])
  expect(await networks()).toEqual(withoutUsdc)
  await giveProfile(id)

  const withoutBase = ctx.chains.filter(({ name }) => name !== 'base')
  expect(await networks({ chains: withoutBase })).toEqual(['ethereum USDC USDT', 'tron USDT', 'stellar USDT'])
  const tron = ctx.chains.map((chain) => (chain.name === 'tron' ? { ...chain, tokens: [] } : chain))
  expect(await networks({ chains: tron })).toEqual(['ethereum USDC', 'base USDC', 'stellar USDC USDT'])

  // By a hand in the database: the product refuses it.
  await ctx.db.query('update payout_destinations set archived_at = now() where id = any($1::uuid[])', [
    [account, onTron],
  ])
  expect(await networks()).toEqual(['base USDC', 'tron USDT', 'stellar USDC USDT'])
  await set(id)
  expect(await networks()).toEqual(all)
})
