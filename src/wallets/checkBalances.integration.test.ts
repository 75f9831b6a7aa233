import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk'
import { type EvmDevnet, startEvmDevnet } from '../../test/devnets/evm.ts'
import { putMulticall } from '../../test/support/answeringContract.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addressOf, keyOf } from '../../test/support/evmIntents.ts'
import { type Change, changed, sendingOn } from '../../test/support/evmSending.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { one, openStellarSending, type StellarSending } from '../../test/support/stellarSending.ts'
import { urlAs } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { addressCodec } from '../chains/codecs.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { multicallAddress } from '../chains/evm/multicall.ts'
import { knownChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import { formatUnits } from '../money/amount.ts'
import { openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { type BalanceCheckContext, checkBalances } from './checkBalances.ts'
import { checkSoon, noteSender } from './checkSoon.ts'

/** Wallets on real devnets, checked by two workers at once, each with its own role of the database. */

const everyMs = 3_600_000
const chains = (['bsc', 'stellar'] as const).flatMap((name) => knownChain(name) ?? [])
type Name = 'bsc' | 'stellar'

let database: TestDatabase
let evm: EvmDevnet
let stellar: StellarSending
let workers: BalanceCheckContext[]
let close: () => Promise<unknown>
let change: Change
let ids: { business: string; key: string }
let keys = 7000
const node = () => sendingOn(evm)

beforeAll(async () => {
  ;[database, evm, stellar] = await Promise.all([
    createTestDatabase(),
    startEvmDevnet({ chain: 'bsc', blockSeconds: 0 }),
    openStellarSending(),
  ])
  ids = { business: newId(), key: newId() }
  const { db } = database
  await insertBusiness(db, ids.business, 'sender')
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [ids.key],
  )
  const by = sendingOn(evm, {}, [changed(evm.rpcUrl, 'node', (...asked) => change(...asked))])
  const readers: Record<string, BalanceReader> = { bsc: evmBalanceReader(by.ctx), stellar: stellar.reader }
  const pools = [1, 2].map(() => openDb(urlAs('worker', database.url), 5))
  workers = pools.map((pool) => ({
    db: pool,
    log: createLog('test', 'silent'),
    chains,
    everyMs,
    balancesOf: async (chain) => readers[chain] as BalanceReader,
  }))
  close = () => Promise.all([...pools.map((pool) => pool.close()), by.ctx.providers.close()])
})
beforeEach(async () => {
  change = (_method, _params, truth) => truth()
  await database.db.query("update businesses set approval = 'pending'")
  await database.db.query('delete from wallet_balances')
})
afterAll(async () => {
  await close?.()
  await Promise.all([stellar?.close(), evm?.stop(), database?.drop()])
})

interface TestWallet {
  walletId: string
  businessId: string
  chain: Name
  address: string
  /** Puts this much above its threshold in it, in base units; below it, if negative. */
  holds(aboveThreshold: bigint): Promise<unknown>
}
const limitOf = (chain: Name) => knownChain(chain)?.lowBalance ?? 0n

async function wallet(chain: Name): Promise<TestWallet> {
  const [walletId, key] = [newId(), keyOf(keys++)]
  const pair = chain === 'stellar' ? await stellar.holder() : null
  const address = pair ? pair.publicKey() : addressOf(key)
  await database.db.query(
    "insert into wallets (id, business_id, chain, address, public_key, name, source, key_id, sealed) values ($1, $2, $3, $4, '', 'till', 'private_key', $5, '')",
    [walletId, ids.business, chain, address, ids.key],
  )
  const holds = (above: bigint) =>
    pair ? holdsOnStellar(pair, limitOf(chain) + above) : node().fund(address, limitOf(chain) + above)
  return { walletId, businessId: ids.business, chain, address, holds }
}

/** Two base reserves, and this much that can be spent. The fee of a payment leaves it, too. */
async function holdsOnStellar(pair: Keypair, free: bigint): Promise<void> {
  const balance = BigInt((await stellar.balances(pair.publicKey())).native?.replace('.', '') ?? 0)
  const excess = balance - one - free
  const pay = (destination: string, amount: bigint) =>
    Operation.payment({ destination, asset: Asset.native(), amount: formatUnits(amount, 7) })
  if (excess > 0n) await stellar.does(pair, pay(stellar.faucet.publicKey(), excess - 100n))
  else await stellar.does(stellar.faucet, pay(pair.publicKey(), -excess))
}

const due = () => database.db.query('update wallet_balances set check_at = now() where check_at is not null')
/** A round of both workers at once. */
const round = async () => void (await Promise.all(workers.map(checkBalances)))
const checked = async () => {
  await due()
  await round()
}
const events = async ({ walletId }: TestWallet) =>
  (
    await database.db.query<{ data: object }>(
      "select data from events where type = 'wallet.low_balance' and data->>'walletId' = $1 order by sequence",
      [walletId],
    )
  ).map(({ data }) => data)
const note = (each: TestWallet) => database.db.tx((tx) => noteSender(tx, each))

// On stellar above the fee of a payment.
describe.each([
  ['bsc', 1n],
  ['stellar', 1000n],
] as const)('a wallet on %s', (chain, step) => {
  test('that sends and has less than the threshold is announced once by two workers, and again when it was topped up and is low again', async () => {
    const it = await wallet(chain)
    await it.holds(0n)
    await note(it)
    await checked()
    // Just enough.
    expect(await events(it)).toEqual([])
    await it.holds(-step)
    for (let times = 0; times < 3; times++) await checked()
    const { native } = knownChain(chain) ?? { native: { symbol: '', decimals: 0 } }
    const show = (amount: bigint) => formatUnits(amount, native.decimals)
    const announced = {
      ...{ walletId: it.walletId, name: 'till', chain, symbol: native.symbol },
      address: addressCodec(chain === 'bsc' ? 'evm' : 'stellar').display(it.address),
      ...{ balance: show(limitOf(chain) - step), threshold: show(limitOf(chain)) },
    }
    expect(await events(it)).toEqual([announced])
    await it.holds(5n * step)
    await checked()
    expect(await events(it)).toHaveLength(1)
    await it.holds(-2n * step)
    for (let times = 0; times < 2; times++) await checked()
    expect(await events(it)).toEqual([announced, { ...announced, balance: show(limitOf(chain) - 2n * step) }])
  })
})

test('a wallet is checked when it sends, when a transfer has settled, and otherwise at its time', async () => {
  const it = await wallet('bsc')
  await it.holds(1n)
  await note(it)
  await round()
  await it.holds(-1n)
  // Another request in the same hour is not a reason, and its time has not come.
  await note(it)
  await round()
  expect(await events(it)).toEqual([])
  await database.db.tx(async (tx) => checkSoon(tx, it))
  await round()
  expect(await events(it)).toHaveLength(1)
})

test('idle, archived and suspended wallets cost no question to a node, and are not announced', async () => {
  const [idle, archived, never] = [await wallet('bsc'), await wallet('bsc'), await wallet('bsc')]
  for (const each of [idle, archived]) await note(each)
  await round()
  await database.db.query(
    "update wallet_balances set sent_at = now() - interval '31 days' where wallet_id = $1",
    [idle.walletId],
  )
  await database.db.query('update wallets set archived_at = now() where id = $1', [archived.walletId])
  await checked()
  const asked: string[] = []
  change = (method, _params, truth) => {
    asked.push(method)
    return truth()
  }
  await checked()
  expect(asked).toEqual([])
  // It has sent before: it was announced before, and is when it sends again only after it was topped up.
  await note(idle)
  await checked()
  expect(
    [await events(idle), await events(archived), await events(never)].map(({ length }) => length),
  ).toEqual([1, 1, 0])
  const suspended = await wallet('bsc')
  await note(suspended)
  await database.db.query("update businesses set approval = 'suspended'")
  await checked()
  expect(await events(suspended)).toEqual([])
})

test('while no node answers nothing is announced, and the wallets are checked again within a minute', async () => {
  const it = await wallet('bsc')
  await note(it)
  change = async () => {
    throw new Error('down')
  }
  await round()
  const [row] = await database.db.query<{ seconds: number }>(
    'select extract(epoch from check_at - now())::float as seconds from wallet_balances where wallet_id = $1',
    [it.walletId],
  )
  expect(row?.seconds).toBeLessThanOrEqual(60)
  change = (_method, _params, truth) => truth()
  await checked()
  expect(await events(it)).toHaveLength(1)
})

test('a check that another one has overtaken writes nothing: its answer is old', async () => {
  const it = await wallet('bsc')
  await it.holds(1n)
  await note(it)
  await round()
  const [first, second] = workers as [BalanceCheckContext, BalanceCheckContext]
  let answered: () => void = () => {}
  const goOn = new Promise<void>((resolve) => {
    answered = resolve
  })
  const slow: BalanceCheckContext = {
    ...first,
    balancesOf: async () => ({
      async spendable(addresses) {
        await goOn
        return addresses.map(() => 0n)
      },
    }),
  }
  const checks = async () =>
    (
      await database.db.query<{ checks: number }>('select checks from wallet_balances where wallet_id = $1', [
        it.walletId,
      ])
    )[0]?.checks
  const before = (await checks()) ?? 0
  await due()
  const old = checkBalances({ ...slow, chains: chains.filter(({ name }) => name === 'bsc') })
  // Rows that are being made due are locked, and a claim skips them.
  await waitFor('the claim of the slow check', async () => (await checks()) === before + 1)
  await due()
  await checkBalances(second)
  expect(await checks()).toBe(before + 2)
  answered()
  await old
  expect(await events(it)).toEqual([])
})

test('two hundred wallets of a business are checked in one call', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, () => wallet('bsc')))
  for (const each of all) await note(each)
  await putMulticall(evm.rpcUrl, multicallAddress)
  const asked: string[] = []
  change = (method, _params, truth) => {
    asked.push(method)
    return truth()
  }
  const [first] = workers as [BalanceCheckContext]
  await checkBalances(first)
  expect(asked).toEqual(['eth_call'])
  const [count] = await database.db.query<{ low: number }>(
    'select count(*)::int as low from wallet_balances where low_since is not null',
  )
  expect(count).toEqual({ low: 200 })
})
