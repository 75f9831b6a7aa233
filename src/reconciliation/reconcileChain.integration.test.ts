import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { putMulticall } from '../../test/support/answeringContract.ts'
import { runScript } from '../../test/support/command.ts'
import { solanaNode, stellarNode, tronNode } from '../../test/support/familyNodes.ts'
import { type FamilySweeping, seedOfTests, startFamilySweeping } from '../../test/support/familySweeping.ts'
import { howMany } from '../../test/support/full.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { multicallAddress } from '../chains/evm/multicall.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import { sweepActions } from '../chains/sweepActions.ts'
import { closeLedger } from '../ledger/closeLedger.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { reconcileChain } from './reconcileChain.ts'

/** @param looking called before each read of a chain */
async function checked(
  db: Db,
  chain: ConfiguredChain,
  balances: BalanceReader,
  looking: () => Promise<unknown> = async () => {},
) {
  const balancesOf = async (): Promise<BalanceReader> => ({
    ...balances,
    balances: async (...asked) => {
      await looking()
      return balances.balances(...asked)
    },
    ...(balances.many && {
      many: async (...asked) => {
        await looking()
        return (await balances.many?.(...asked)) ?? null
      },
    }),
  })
  const ctx = {
    db,
    log: createLog('test', 'silent'),
    balancesOf,
    pauseMs: 10,
    signal: new AbortController().signal,
  }
  const result = await reconcileChain(ctx, chain, 'now')
  if (!result) throw new Error('another check runs')
  return result
}

/** Money of the operator, in the books alone. */
const capital = (
  chain: string,
  symbol: string,
  amount: bigint,
  place: 'deposits' | 'treasury' = 'treasury',
): Entry => ({
  kind: 'adjustment',
  businessId: null,
  cause: { kind: 'adjustment', id: newId() },
  step: 1,
  postings: [
    { account: { name: `${place}:${chain}`, businessId: null, asset: tokenAsset(chain, symbol) }, amount },
    { account: { name: 'capital', businessId: null, asset: tokenAsset(chain, symbol) }, amount: -amount },
  ],
})

const families = [
  { name: 'solana', token: 'USDC', coin: 'SOL', start: solanaNode, one: 1_000_000_000n },
  { name: 'tron', token: 'USDT', coin: 'TRX', start: tronNode, one: 1_000_000n },
]
/** The long form has the family whose nodes answer for one address at a time, too. */
describe.each(families.slice(0, howMany(1, 2)))('on $name', ({ token, coin, start, one }) => {
  let sweeping: FamilySweeping

  beforeAll(async () => {
    sweeping = await startFamilySweeping(await start())
    await sweeping.fund(coin, 500n * one)
    await sweeping.enable(token)
  })
  afterAll(() => sweeping?.close())
  /** The indexer reads on. */
  beforeEach(() =>
    sweeping.db.query('update chain_cursors set updated_at = now() where chain = $1', [
      sweeping.node.chain.name,
    ]),
  )

  const check = (looking: () => Promise<unknown> = async () => {}) =>
    checked(sweeping.worker, sweeping.node.chain, sweeping.node.accounts.balances, looking)

  test('books and chain agree: before a sweep, in the middle of one, and after it', async () => {
    const { address } = await sweeping.deposit(
      { symbol: token, amount: 4_000_000n },
      { symbol: coin, amount: 30n * one },
    )
    expect(await check()).toMatchObject({ drift: [], problem: null })
    for (let round = 0; round < 3; round++) {
      await sweeping.work()
      await sweeping.reconcile()
      await sweeping.sign()
      await sweeping.reconcile()
      // Sent, and in no block or in one that the books do not know.
      expect(await check()).toMatchObject({ drift: [], problem: null })
      await sweeping.node.mine()
      expect(await check()).toMatchObject({ drift: [], problem: null })
    }
    await sweeping.run()
    expect(await sweeping.held(address, token)).toBe(0n)
    const { addresses, drift } = await check()
    expect([addresses, drift]).toEqual([expect.any(Number), []])
    expect(addresses).toBeGreaterThan(1)
  })

  test('an operator compares by hand', async () => {
    const { name } = sweeping.node.chain
    const run = (...args: string[]) =>
      runScript('reconcile', args, () => ({ DATABASE_URL: sweeping.database.url, ...sweeping.node.env }))
    expect(await run(name)).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${name}: \\d+ addresses, no differences\n$`)),
      err: '',
    })
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage: cowry reconcile <chain>\n'),
    })
    expect(await run('ethereum')).toMatchObject({ code: 2, err: 'ethereum is not configured\n' })
  })

  test('a payment that is seen and not confirmed is no difference; one that no indexer saw is, until the books have it', async () => {
    const made = await sweeping.session()
    const contract = sweeping.contractOf(token)
    const txId = await sweeping.node.pay(made.address, contract, 5_000_000n)
    expect((await check()).drift).toEqual([
      { address: made.address, symbol: token, expected: 0n, found: 5_000_000n },
    ])
    await sweeping.detected(made.sessionId, made.address, {
      symbol: token,
      amount: 5_000_000n,
      txId,
      status: 'seen',
    })
    expect((await check()).drift).toEqual([])
    await sweeping.node.pay(made.address, contract, 1n)
    expect((await check()).drift).toEqual([
      { address: made.address, symbol: token, expected: 0n, found: 5_000_001n },
    ])
    await sweeping.db.query('update detections set status = $2 where subject_id = $1', [
      made.sessionId,
      'reverted',
    ])
    const { id, drift } = await check()
    expect(drift).toEqual([{ address: made.address, symbol: token, expected: 0n, found: 5_000_001n }])
    expect(
      await sweeping.db.query(
        'select address, symbol, expected, found from chain_drifts where check_id = $1',
        [id],
      ),
    ).toEqual([{ address: made.address, symbol: token, expected: '0', found: '5000001' }])
    // Put right, so that it is not found again below.
    await sweeping.db.query(
      "update detections set status = 'confirmed', confirmed_at = now() where subject_id = $1",
      [made.sessionId],
    )
    await sweeping.detected(made.sessionId, made.address, {
      symbol: token,
      amount: 1n,
      txId: 'the one that was missed',
    })
    await sweeping.settle(made.sessionId)
    expect((await check()).drift).toEqual([])
  })

  test('a payment that the indexer reads between two checks is no difference', async () => {
    const made = await sweeping.session()
    const txId = await sweeping.node.pay(made.address, sweeping.contractOf(token), 6_000_000n)
    let looks = 0
    const { drift } = await check(async () => {
      looks += 1
      // After the first read of each address.
      if (looks === 4)
        await sweeping.detected(made.sessionId, made.address, { symbol: token, amount: 6_000_000n, txId })
    })
    expect(drift).toEqual([])
    expect(looks).toBeGreaterThan(4)
    await sweeping.settle(made.sessionId)
  })

  test('an entry of deposits that no address has is found', async () => {
    const book = (amount: bigint) =>
      sweeping.db.tx((tx) => post(tx, [capital(sweeping.node.chain.name, token, amount, 'deposits')]))
    await book(3n)
    expect((await check()).drift).toEqual([{ address: null, symbol: token, expected: 3n, found: 0n }])
    await book(-3n)
    expect((await check()).drift).toEqual([])
  })

  test('while the indexer stands still nothing is compared, and that is no difference', async () => {
    await sweeping.db.query(
      "update chain_cursors set updated_at = now() - interval '1 hour' where chain = $1",
      [sweeping.node.chain.name],
    )
    expect(await check()).toMatchObject({
      drift: [],
      problem: 'the indexer does not read the chain at present',
    })
  })

  test('what leaves the treasury or a deposit address without a row is found by the next check', async () => {
    const { chain, accounts } = sweeping.node
    const { address } = await sweeping.deposit({ symbol: coin, amount: 20n * one })
    expect((await check()).drift).toEqual([])
    const stolen = async (from: string, key: Secret, to: string) => {
      const action = {
        kind: 'transfer' as const,
        from,
        to,
        token: null,
        amount: 2n * one,
        memo: null,
        gasPrice: null,
        gasLimit: null,
      }
      const { terms } = await accounts.sender.plan(action)
      await accounts.sender.broadcast(sweeping.builder.sign(action, terms, null, [key]))
      await sweeping.node.finish()
    }
    const keys = sweeping.keys
    const outside = (await sweeping.session()).address
    await stolen(sweeping.treasuryAddress, keys.treasuryKey(chain.family), outside)
    const found = (await check()).drift
    expect(found.map((each) => [each.address, each.symbol])).toEqual([
      [sweeping.treasuryAddress, coin],
      [outside, coin],
    ])
    expect(found[0]?.expected).toBeGreaterThan((found[0]?.found ?? 0n) + 2n * one - 1n)
    expect(found[1]).toMatchObject({ expected: 0n, found: 2n * one })
    const key = await keys.depositKey(sweeping.db, chain.family, address)
    await stolen(address, key ?? new Secret(''), outside)
    expect((await check()).drift).toContainEqual({
      address,
      symbol: coin,
      expected: 20n * one,
      found: await sweeping.held(address, coin),
    })
  })
})

describe('on an EVM chain', () => {
  let sweeping: Sweeping
  const ether = 10n ** 18n

  beforeAll(async () => {
    sweeping = await startSweeping('ethereum')
    await putMulticall(sweeping.devnet.rpcUrl, multicallAddress)
  })
  afterAll(() => sweeping?.close())
  const check = () => checked(sweeping.worker, sweeping.chain, evmBalanceReader(sweeping.node.ctx))
  /** The indexer has read all blocks. */
  const indexed = async () => {
    const head = Number(await sweeping.node.call('eth_blockNumber'))
    await sweeping.db.query(
      "update chain_cursors set height = $1, updated_at = now() where chain = 'ethereum'",
      [head],
    )
  }

  test('balances are those after the block that the indexer has read: a later payment is no difference, until the indexer has missed it', async () => {
    const float = await sweeping.native(sweeping.treasuryAddress)
    await sweeping.db.tx((tx) => post(tx, [capital('ethereum', 'ETH', float)]))
    await sweeping.enable('USDT')
    const { address } = await sweeping.deposit(
      { symbol: 'USDT', amount: 8_000_000n },
      { symbol: 'ETH', amount: ether },
    )
    await indexed()
    const head = Number(await sweeping.node.call('eth_blockNumber'))
    expect(await check()).toMatchObject({ drift: [], problem: null, height: head })
    await sweeping.run()
    await indexed()
    expect(await check()).toMatchObject({ drift: [], problem: null })
    await sweeping.pay(address, sweeping.devnet.usdc, 3n)
    expect((await check()).drift).toEqual([])
    await indexed()
    const { id, drift, height } = await check()
    expect(drift).toEqual([{ address, symbol: 'USDC', expected: 0n, found: 3n }])
    // The close of the ledger has the same.
    const closed = await closeLedger({ db: sweeping.worker }, 'now')
    expect(closed?.drifts).toEqual([
      { kind: 'chain', accountId: null, subject: `ethereum:USDC at ${address}`, expected: '0', found: '3' },
    ])
    expect(closed?.close.chains).toMatchObject([
      { chain: 'ethereum', checkId: id, height: BigInt(height ?? 0), drifts: 1, isOverdue: false },
    ])
  })

  test('what leaves the treasury by its key alone is found', async () => {
    const before = await sweeping.native(sweeping.treasuryAddress)
    await sweeping.setNative(sweeping.treasuryAddress, before - 1n)
    await sweeping.node.mine()
    await indexed()
    expect((await check()).drift).toContainEqual({
      address: sweeping.treasuryAddress,
      symbol: 'ETH',
      expected: before,
      found: before - 1n,
    })
  })
})

describe('on stellar', () => {
  let sweeping: FamilySweeping
  const one = 10_000_000n

  beforeAll(async () => {
    const seed = await seedOfTests()
    sweeping = await startFamilySweeping(await stellarNode(seed))
    await sweeping.capital('XLM', await sweeping.held(sweeping.treasuryAddress, 'XLM'))
    await sweeping.enable('USDC')
  })
  afterAll(() => sweeping?.close())
  beforeEach(() => sweeping.db.query("update chain_cursors set updated_at = now() where chain = 'stellar'"))
  const check = () => checked(sweeping.worker, sweeping.node.chain, sweeping.node.accounts.balances)

  test('the account of all deposits is the treasury: nothing is swept, and its books are those of both accounts', async () => {
    await sweeping.deposit({ symbol: 'USDC', amount: 5n * one })
    await sweeping.deposit({ symbol: 'USDC', amount: 7n * one }, { symbol: 'XLM', amount: 3n * one })
    await sweeping.run()
    expect(await sweepActions(sweeping.node.chain)).toBeNull()
    for (const table of ['sweep_sources', 'sweeps'])
      expect(await sweeping.db.query(`select 1 from ${table}`)).toEqual([])
    expect(await sweeping.intents()).toEqual([])
    expect(await sweeping.held(sweeping.treasuryAddress, 'USDC')).toBe(12n * one)
    expect([
      await sweeping.books('deposits:stellar', 'USDC'),
      await sweeping.books('treasury:stellar', 'USDC'),
    ]).toEqual([12n * one, 0n])
    expect(await check()).toMatchObject({ addresses: 1, drift: [], problem: null, height: null })
  })

  test('a payment that no indexer saw is found; one that is seen is on its way', async () => {
    const made = await sweeping.session()
    const txId = await sweeping.node.pay(made.address, sweeping.contractOf('USDC'), 2n * one)
    expect((await check()).drift).toEqual([
      { address: sweeping.treasuryAddress, symbol: 'USDC', expected: 12n * one, found: 14n * one },
    ])
    await sweeping.detected(made.sessionId, made.address, {
      symbol: 'USDC',
      amount: 2n * one,
      txId,
      status: 'seen',
    })
    expect((await check()).drift).toEqual([])
  })
})
