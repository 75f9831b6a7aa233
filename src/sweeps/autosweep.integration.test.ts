import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { openBusiness } from '../businesses/operateBusinesses.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { listNetworks } from '../sessions/listNetworks.ts'
import { getAutosweep, type SweepSetting, setAutosweep } from './autosweep.ts'

let database: TestDatabase
let ctx: { db: ModelDb; chains: readonly ConfiguredChain[] }
const actor = systemActor('test')

beforeAll(async () => {
  database = await createTestDatabase()
  const node = 'http://127.0.0.1:1'
  const { chains } = configuredChains({
    ETHEREUM_RPC_URLS: node,
    BSC_RPC_URLS: node,
    SOLANA_RPC_URLS: node,
    STELLAR_RPC_URLS: node,
    TRON_RPC_URLS: node,
  })
  ctx = { db: database.db, chains }
})
afterAll(() => database?.drop())

const open = async () =>
  (await openBusiness(ctx, actor, { name: 'B', ownerEmail: 'a@example.com' })).business.id
const usdc = (more: Partial<SweepSetting> = {}): SweepSetting => ({
  chain: 'ethereum',
  token: 'USDC',
  enabled: true,
  threshold: '25.5',
  ...more,
})
const set = (id: string, ...sweeps: SweepSetting[]) => setAutosweep(ctx, actor, id, sweeps)
const settingOf = async (id: string, chain = 'ethereum', token = 'USDC') =>
  (await getAutosweep(ctx, id)).networks
    .find((each) => each.chain === chain)
    ?.tokens.find((each) => each.token === token)
const audited = async (id: string) =>
  (await listAudit(ctx, { businessId: id, action: 'autosweep.changed' }, { page: 1, limit: 20, sort: 'ASC' }))
    .entries

test('autosweep is off for everything that the deployment offers; stellar needs no sweeps', async () => {
  const { networks } = await getAutosweep(ctx, await open())
  expect(networks.map(({ chain, collection }) => [chain, collection])).toEqual([
    ['ethereum', 'sweep'],
    ['bsc', 'sweep'],
    ['solana', 'sweep'],
    ['tron', 'sweep'],
    ['stellar', 'direct'],
  ])
  const settings = networks.flatMap(({ tokens }) =>
    tokens.map(({ enabled, threshold }) => `${enabled} ${threshold}`),
  )
  expect(new Set(settings)).toEqual(new Set(['false 0']))
})

test('a threshold is exact, in the unit of the token on its chain', async () => {
  const id = await open()
  await set(
    id,
    usdc({ threshold: '0.000001' }),
    usdc({ chain: 'bsc', threshold: '1234567890123456789012345678901234567890.000000000000000001' }),
  )
  expect(await settingOf(id)).toEqual({ token: 'USDC', enabled: true, threshold: '0.000001' })
  expect((await settingOf(id, 'bsc'))?.threshold).toBe(
    '1234567890123456789012345678901234567890.000000000000000001',
  )
  const rows = await ctx.db.query(
    'select chain, threshold::text from sweep_settings where business_id = $1 order by threshold',
    [id],
  )
  expect(rows).toEqual([
    { chain: 'ethereum', threshold: '1' },
    { chain: 'bsc', threshold: '1234567890123456789012345678901234567890000000000000000001' },
  ])
  // The longest amount that the contract lets in.
  const longest = '9'.repeat(60)
  await set(id, usdc({ chain: 'bsc', threshold: longest }))
  expect((await settingOf(id, 'bsc'))?.threshold).toBe(longest)
})

test('a token that is not listed is off and keeps its threshold; only what changed is audited', async () => {
  const [id, other] = [await open(), await open()]
  await set(other, usdc())
  await set(id, usdc(), usdc({ token: 'USDT', threshold: '0' }))
  await set(id, usdc({ token: 'USDT', threshold: '0' }))
  await set(id, usdc({ token: 'USDT', threshold: '0.00' }))
  expect([await settingOf(id), await settingOf(id, 'ethereum', 'USDT')]).toMatchObject([
    { enabled: false, threshold: '25.5' },
    { enabled: true, threshold: '0' },
  ])
  const on = { enabled: true, threshold: '25.5' }
  expect(await audited(id)).toMatchObject([
    {
      target: id,
      before: {
        'ethereum:USDC': { enabled: false, threshold: '0' },
        'ethereum:USDT': { enabled: false, threshold: '0' },
      },
      after: { 'ethereum:USDC': on, 'ethereum:USDT': { enabled: true, threshold: '0' } },
    },
    { before: { 'ethereum:USDC': on }, after: { 'ethereum:USDC': { enabled: false, threshold: '25.5' } } },
  ])
  expect(await settingOf(other)).toEqual({ token: 'USDC', ...on })
})

test('everything that cannot be swept is named, and nothing changes', async () => {
  const id = await open()
  await set(id, usdc())
  const wrong = set(
    id,
    usdc({ chain: 'polygon' }),
    usdc({ chain: '__proto__' }),
    usdc({ token: 'DAI' }),
    usdc({ threshold: '0.0000001' }),
    usdc({ threshold: '1' }),
    usdc({ chain: 'stellar' }),
  )
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    fields: [
      { field: 'sweeps.0.chain', message: 'polygon is not available on this deployment' },
      { field: 'sweeps.1.chain', message: '__proto__ is not available on this deployment' },
      { field: 'sweeps.2.token', message: 'DAI is not available on ethereum' },
      { field: 'sweeps.3.threshold', message: 'may have 6 decimals at most' },
      { field: 'sweeps.4.token', message: 'USDC on ethereum is listed twice' },
      { field: 'sweeps.5.chain', message: 'stellar needs no sweeps: its payments arrive in the treasury' },
    ],
  })
  expect(await settingOf(id)).toMatchObject({ enabled: true, threshold: '25.5' })
  expect(await audited(id)).toHaveLength(1)
})

test('concurrent changes are audited with the settings before them', async () => {
  const id = await open()
  await Promise.all(Array.from({ length: 12 }, (_, n) => set(id, usdc({ threshold: `${n + 1}` }))))
  const said = (await audited(id)) as Record<'before' | 'after', Record<string, { threshold: string }>>[]
  const chain = said.map(({ before, after }) => [
    before['ethereum:USDC']?.threshold,
    after['ethereum:USDC']?.threshold,
  ])
  expect(chain.map(([before]) => before)).toEqual(['0', ...chain.slice(0, -1).map(([, after]) => after)])
  expect((await settingOf(id))?.threshold).toBe(chain.at(-1)?.[1])
})

test('a chain without sweeps is left out of the networks of a business that has autosweep on there, and takes no such setting', async () => {
  const id = await open()
  const [ethereum] = ctx.chains
  if (!ethereum) throw new Error('ethereum is not configured')
  // A family that a later version reads before it can sweep it.
  const later = { ...ethereum, name: 'later', family: 'later' } as unknown as ConfiguredChain
  const soon = { ...ctx, chains: [...ctx.chains, later], paymentPartner: null }
  const networks = async () =>
    (await listNetworks(soon, id)).map(({ chain, tokens }) => `${chain} ${tokens.join(' ')}`)
  const all = ['ethereum USDC USDT', 'bsc USDC USDT', 'solana USDC USDT', 'tron USDT', 'stellar USDC USDT']
  expect(await networks()).toEqual([...all, 'later USDC USDT'])
  await expect(setAutosweep(soon, actor, id, [usdc({ chain: 'later' })])).rejects.toMatchObject({
    fields: [{ field: 'sweeps.0.chain', message: 'later has no sweeps yet' }],
  })
  const store = (chain: string, token: string) =>
    ctx.db.query(
      'insert into sweep_settings (business_id, chain, token, enabled) values ($1, $2, $3, true)',
      [id, chain, token],
    )
  await store('later', 'USDC')
  expect(await networks()).toEqual([...all, 'later USDT'])
  await store('later', 'USDT')
  for (const { name, tokens } of ctx.chains) for (const { symbol } of tokens) await store(name, symbol)
  expect(await networks()).toEqual(all)
})
