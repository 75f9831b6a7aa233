import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { LeaderContext } from '../../indexers/context.ts'
import { commitPast } from '../../indexers/reread.ts'
import { revertPayments } from '../../indexers/revertPayments.ts'
import { rewind } from '../../indexers/rewind.ts'
import { howMany } from '../../test/support/full.ts'
import {
  createIndexed,
  forkAbove,
  header,
  type Indexed,
  read,
  sender,
  testChain,
  transfer,
  usdc,
  watched,
} from '../../test/support/indexed.ts'
import { madeBlock } from '../../test/support/madeNode.ts'
import { withWithdrawals } from '../../test/support/madeWithdrawals.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { monitoringContext } from '../../test/support/wideCaps.ts'
import { writesOf } from '../../test/support/writes.ts'
import { ProviderError } from '../chains/chain.ts'
import { evmAddress } from '../chains/evm/address.ts'
import { withdrawalsOf } from '../chains/evm/read/withdrawals.ts'
import type { TokenBalance } from '../chains/sending.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { monitorAddresses, type NewMonitoring } from './monitorAddresses.ts'
import { publishTransactionEvents } from './publishTransactionEvents.ts'
import { removeMonitored } from './removeMonitored.ts'

let indexed: Indexed
let db: ModelDb
let ctx: LeaderContext
const ethereum = { name: 'ethereum', family: 'evm' } as const
const token = `0x${'99'.repeat(20)}`

/** Facts that unknown tokens report; null: no provider answers. */
let reportedFacts: Partial<TokenBalance> | null = null
const asked: string[][] = []
const balances = {
  spendable: async (addresses: readonly string[]) => addresses.map(() => 0n),
  async balances(_address: string, contracts: readonly string[]) {
    asked.push([...contracts])
    const answer = reportedFacts
    if (answer === null) throw new ProviderError('no provider answers')
    return {
      native: 0n,
      tokens: contracts.map((contract) => ({
        contract,
        symbol: null,
        decimals: null,
        balance: null,
        problem: null,
        ...answer,
      })),
    }
  },
}
const oneByOne = createOneByOne()
const recording = () => ({ db, chains: [testChain()], oneByOne, accountsOf: async () => ({ balances }) })

beforeAll(async () => {
  indexed = await createIndexed()
  ;({ db } = indexed.database)
})
beforeEach(async () => {
  for (const table of [
    'monitored_movements',
    'events',
    'webhook_deliveries',
    'event_sequences',
    'token_facts',
  ])
    await db.query(`delete from ${table}`)
  await indexed.reset()
  await db.query('update monitored_addresses set removed_at = now() where removed_at is null')
  await db.query("update watches set removed_at = now() where purpose = 'monitor' and removed_at is null")
  ctx = indexed.context()
  reportedFacts = null
  asked.length = 0
})
afterAll(() => indexed?.database.drop())

async function monitor(
  address: string,
  more: Partial<NewMonitoring> & { metadata?: Record<string, unknown> } = {},
) {
  const { metadata, ...request } = more
  const { entries } = await monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
    chain: ethereum,
    addresses: [{ address, metadata }],
    ...request,
  })
  return entries[0]?.view.id ?? ''
}
const jobs = async (): Promise<OutboxJob<'monitoring'>[]> =>
  (
    await db.query<{ id: string; payload: OutboxJob<'monitoring'> }>(
      "select id::text, payload from outbox where queue = 'monitoring' order by id",
    )
  ).map(({ id, payload }) => ({ ...payload, outboxId: id }))
const work = async () => {
  for (const job of await jobs()) await publishTransactionEvents(recording(), job)
}
const events = () =>
  db.query<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where business_id = $1 order by sequence',
    [indexed.businessId],
  )
const words = async () =>
  (await events()).map(
    ({ type, data }) => `${type.replace('transaction.', '')} ${data.direction} ${data.movementKey}`,
  )
const back = () => rewind(ctx, forkAbove(0))

describe('a detection', () => {
  test('is published with all known facts, and with the memo', async () => {
    const id = await monitor(watched, { metadata: { orderId: 'A-1' } })
    await indexed.commit(ctx, [read(header(1), [transfer(1_500_000n)])])
    await work()
    const [event] = await events()
    expect(event).toEqual({
      type: 'transaction.detected',
      data: {
        id: expect.any(String),
        chain: 'ethereum',
        address: evmAddress.display(watched),
        direction: 'in',
        symbol: 'USDC',
        contract: evmAddress.display(usdc),
        amount: '1.5',
        baseUnits: '1500000',
        decimals: 6,
        from: evmAddress.display(sender),
        to: evmAddress.display(watched),
        txId: transfer(1n).txId,
        movementKey: 'log:0',
        blockHeight: 1,
        blockTime: header(1).time.toISOString(),
        requiredConfirmations: 3,
        monitoredAddressId: id,
        metadata: { orderId: 'A-1' },
      },
    })
  })

  test('is read in one message and published in another, with the deletion of its job', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(5n), transfer(6n, 'log:1')])])
    const [job] = await jobs()
    if (!job) throw new Error('no job')
    await db.query('select 1')
    expect(await writesOf(() => publishTransactionEvents(recording(), job))).toBe(2)
    expect([await words(), await jobs()]).toEqual([['detected in log:0', 'detected in log:1'], []])
  })

  test("that a block pays itself, a validator's withdrawal, has the id of its block; two to one address are two detections", async () => {
    await monitor(watched)
    const made = withWithdrawals(madeBlock(1), [
      [watched, 3n],
      [watched, 4_000_000_000n],
    ])
    const { id } = header(1)
    await indexed.commit(ctx, [read(header(1), withdrawalsOf(testChain(), { ...made.block, hash: id }))])
    await work()
    const paid = (key: number, amount: string) => ({
      direction: 'in',
      symbol: 'ETH',
      contract: null,
      txId: id,
      movementKey: `withdrawal:${key}`,
      amount,
    })
    expect(await events()).toMatchObject([
      { type: 'transaction.detected', data: paid(7, '0.000000003') },
      { type: 'transaction.detected', data: paid(8, '4') },
    ])
    // Read again, as by a rescan, they stay the same.
    await indexed.commit(ctx, [read(header(2))])
    const again = [read(header(1), withdrawalsOf(testChain(), { ...made.block, hash: id }))]
    expect(await commitPast(ctx, { from: 1, to: 1 }, again, 'again')).toMatchObject({
      found: 0,
      known: 2,
      unsupported: [],
    })
    await back()
    await work()
    expect((await words()).slice(2).sort()).toEqual(['reverted in withdrawal:7', 'reverted in withdrawal:8'])
  })

  test('is published in both directions, each to the business that monitors that side, and a transfer to oneself once', async () => {
    await monitor(watched)
    await monitor(sender)
    const [inOut, self] = [transfer(5n), transfer(6n, 'log:1', { from: watched })]
    await indexed.commit(ctx, [read(header(1), [inOut, self])])
    await work()
    expect((await words()).sort()).toEqual(['detected in log:0', 'detected out log:0', 'detected self log:1'])
  })

  test('of several blocks is published in the order of the chain', async () => {
    await monitor(watched)
    await indexed.commit(
      ctx,
      [3, 1, 2]
        .sort()
        .map((height) =>
          read(header(height), [
            transfer(1n, `log:${height}`, { txId: `0x${String(9 - height).padStart(64, '0')}` }),
          ]),
        ),
    )
    await work()
    expect(await words()).toEqual([
      'detected in log:1',
      'confirmed in log:1',
      'detected in log:2',
      'detected in log:3',
    ])
  })

  test('of an address removed meanwhile is still published to its end; a new one is not', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(1n)])])
    await removeMonitored({ db }, indexed.businessId, ethereum, watched)
    await indexed.commit(ctx, [read(header(2), [transfer(1n, 'log:1')]), read(header(3)), read(header(4))])
    await work()
    expect(await words()).toEqual(['detected in log:0', 'confirmed in log:0'])
    await back()
    await work()
    expect((await words()).at(-1)).toBe('reverted in log:0')
  })

  test('reverted by an operator is published like one reverted by a reorg', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(1n)])])
    await work()
    expect(await revertPayments(ctx, [{ height: 1, txId: transfer(1n).txId, movementKey: 'log:0' }])).toBe(1)
    await work()
    expect(await words()).toEqual(['detected in log:0', 'reverted in log:0'])
  })

  test('is published once, however often its job runs, also at the same time', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(1n)])])
    const [job] = await jobs()
    if (!job) throw new Error('no job')
    // As in four processes.
    await Promise.all(
      Array.from({ length: 4 }, () =>
        publishTransactionEvents({ ...recording(), oneByOne: createOneByOne() }, job),
      ),
    )
    expect(await words()).toEqual(['detected in log:0'])
    expect(await jobs()).toEqual([])
  })

  test('that waits for another of its business holds no connection', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(1n)])])
    const [job] = await jobs()
    if (!job) throw new Error('no job')
    let waiting: Promise<unknown> = Promise.resolve()
    // The server has the databases of other suites, too.
    const inTransaction = () =>
      db.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
    await db.tx(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtextextended('monitoring ' || $1, 0))", [
        indexed.businessId,
      ])
      waiting = Promise.all(Array.from({ length: 50 }, () => publishTransactionEvents(recording(), job)))
      await waitFor('one that waits', async () => ((await inTransaction())[0]?.n ?? 0) > 0)
      // More jobs than the pool has connections: with a transaction each, no other caller would be served.
      for (let i = 0; i < 20; i++) expect(await inTransaction()).toEqual([{ n: 1 }])
    })
    await waiting
    expect(await words()).toEqual(['detected in log:0'])
  })

  test('of one business is not published to another that names it in a job', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [read(header(1), [transfer(1n)])])
    const [job] = await jobs()
    if (!job) throw new Error('no job')
    await publishTransactionEvents(recording(), {
      ...job,
      businessId: '01a1f93f-821b-7439-bb21-110bf7cf8615',
    })
    expect(await db.query('select 1 from events')).toEqual([])
  })

  test('beyond a hundred of one block is published by jobs of a hundred', async () => {
    await monitor(watched)
    await indexed.commit(ctx, [
      read(
        header(1),
        Array.from({ length: 250 }, (_, index) => transfer(1n, `log:${index}`)),
      ),
    ])
    expect((await jobs()).map(({ detectionIds }) => detectionIds.length)).toEqual([100, 100, 50])
    await work()
    expect(await words()).toHaveLength(250)
  })
})

describe('an unknown token', () => {
  const unknown = () => ({
    ...read(header(1)),
    payments: [{ transfer: transfer(1234n, 'log:7', { contract: token }), asset: null }],
  })
  const brief = async () =>
    (await events()).map(({ data: { symbol, amount, baseUnits, decimals } }) => ({
      symbol,
      amount,
      baseUnits,
      decimals,
    }))

  test('is published with the facts it reports, which are read once', async () => {
    reportedFacts = { symbol: 'PEPE', decimals: 3 }
    await monitor(watched, { tokens: 'all' })
    await indexed.commit(ctx, [unknown()])
    await work()
    await indexed.commit(ctx, [read(header(2)), read(header(3))])
    await work()
    const expected = { symbol: 'PEPE', amount: '1.234', baseUnits: '1234', decimals: 3 }
    expect(await brief()).toEqual([expected, expected])
    expect(asked).toEqual([[token]])
  })

  test('that the indexer knew and this worker does not is published with the facts it reports', async () => {
    reportedFacts = { symbol: 'PEPE', decimals: 3 }
    await monitor(watched, { tokens: 'all' })
    const asset = { symbol: 'NEW', decimals: 3, contract: token }
    await indexed.commit(ctx, [
      { ...read(header(1)), payments: [{ transfer: transfer(1234n, 'log:7', { contract: token }), asset }] },
    ])
    expect((await jobs()).map(({ unknownTokens }) => unknownTokens)).toEqual([false])
    await work()
    expect(await brief()).toEqual([{ symbol: 'PEPE', amount: '1.234', baseUnits: '1234', decimals: 3 }])
  })

  test('that reports nothing usable is published in base units', async () => {
    reportedFacts = { problem: 'no_decimals' }
    await monitor(watched, { tokens: 'all' })
    await indexed.commit(ctx, [unknown()])
    await work()
    expect(await brief()).toEqual([{ symbol: 'UNKNOWN', amount: '1234', baseUnits: '1234', decimals: null }])
    await publishTransactionEvents(recording(), {
      businessId: indexed.businessId,
      detectionIds: (await db.query<{ id: string }>('select id from detections')).map(({ id }) => id),
      outboxId: '0',
    })
    expect(asked).toHaveLength(1)
    await db.query("update token_facts set read_at = now() - interval '25 hours'")
    reportedFacts = { symbol: 'LATE', decimals: 0 }
    await indexed.commit(ctx, [read(header(2)), read(header(3))])
    await work()
    expect((await brief()).at(-1)).toEqual({ symbol: 'LATE', amount: '1234', baseUnits: '1234', decimals: 0 })
  })

  test('waits for a provider; known tokens do not', async () => {
    await monitor(watched, { tokens: 'all' })
    await indexed.commit(ctx, [
      { ...unknown(), payments: [...unknown().payments, ...read(header(1), [transfer(5n)]).payments] },
    ])
    const both = await jobs()
    expect(
      both.map(({ unknownTokens, detectionIds }) => [unknownTokens, detectionIds.length]).sort(),
    ).toEqual([
      [false, 1],
      [true, 1],
    ])
    const outcomes = await Promise.allSettled(both.map((job) => publishTransactionEvents(recording(), job)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await words()).toEqual(['detected in log:0'])
    expect(await jobs()).toHaveLength(1)
  })
})

const actions = fc.array(fc.constantFrom('extend', 'extend', 'extend', 'fork', 'work', 'reverse', 'half'), {
  minLength: 5,
  maxLength: 16,
})

/** Blocks come and go and jobs run in any order; then all remaining jobs run. */
async function play(steps: readonly string[], flip: () => boolean): Promise<void> {
  let height = 0
  const known: OutboxJob<'monitoring'>[] = []
  const run = async (some: readonly OutboxJob<'monitoring'>[]) => {
    for (const job of some) await publishTransactionEvents(recording(), job)
  }
  const does: Record<string, () => Promise<unknown>> = {
    async extend() {
      height++
      const moved = flip()
        ? [transfer(BigInt(height), 'log:0', { txId: `0x${String(height).padStart(64, '0')}` })]
        : []
      await indexed.commit(ctx, [read(header(height), moved)])
    },
    async fork() {
      // The same blocks may return: an abandoned fork.
      height = Math.max(0, height - (flip() ? 1 : 3))
      await rewind(ctx, forkAbove(height))
    },
    async work() {
      const fresh = await jobs()
      known.push(...fresh)
      await run(fresh)
    },
    reverse: () => run(known.toReversed()),
    async half() {
      const fresh = await jobs()
      await Promise.all([run(fresh.filter((_, index) => index % 2 === 0)), run(known)])
    },
  }
  for (const step of steps) await does[step]?.()
  await run(await jobs())
}

test("through any reorgs, with jobs in any order or run twice, each detection's events form a legal sequence that ends with the truth", async () => {
  await monitor(watched)
  await monitor(sender)
  await fc.assert(
    fc.asyncProperty(actions, fc.infiniteStream(fc.boolean()), async (steps, coin) => {
      for (const table of ['monitored_movements', 'events', 'webhook_deliveries'])
        await db.query(`delete from ${table}`)
      await indexed.reset()
      await play(steps, () => coin.next().value === true)
      expect(await jobs()).toEqual([])
      const published = Map.groupBy(await events(), ({ data }) => String(data.id))
      const truth = await db.query<{ id: string; status: 'seen' | 'confirmed' | 'reverted' }>(
        'select id, status from detections',
      )
      for (const { id, status } of truth) {
        const word = (published.get(id) ?? [])
          .map(({ type }) => type.replace('transaction.', '').charAt(0))
          .join('')
        expect(word).toMatch(/^(dc?r)*(dc?)?$/)
        expect(word.at(-1) ?? 'r').toBe({ seen: 'd', confirmed: 'c', reverted: 'r' }[status])
      }
      expect([...published.keys()].filter((id) => !truth.some((each) => each.id === id))).toEqual([])
    }),
    { numRuns: howMany(15, 200) },
  )
})
