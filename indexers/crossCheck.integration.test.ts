import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { CrossCheck, CrossCheckVerdict, Transfer } from '../src/chains/chain.ts'
import { monitorAddresses } from '../src/monitoring/monitorAddresses.ts'
import { newId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import {
  blockId,
  createIndexed,
  header,
  type Indexed,
  read,
  transfer,
  twoProviders,
  watched,
} from '../test/support/indexed.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { monitoringContext } from '../test/support/wideCaps.ts'
import type { IndexerContext, LeaderContext } from './context.ts'
import { crossCheckPayments } from './crossCheck.ts'
import { FencedError } from './cursor.ts'
import { createReportedFinality } from './finality.ts'
import { commitPast } from './reread.ts'
import { rewind } from './rewind.ts'

let indexed: Indexed
let ctx: LeaderContext
const stopping: AbortController[] = []

beforeAll(async () => {
  indexed = await createIndexed()
  await indexed.watch(watched)
  const { db } = indexed.database
  const other = newId()
  await insertBusiness(db, other, 'Other', { fee: 0, margin: 0 })
  for (const [index, businessId] of [indexed.businessId, other].entries()) {
    const addresses = [{ address: wallets[index] ?? '' }]
    await monitorAddresses(monitoringContext(db, 1), businessId, {
      chain: { name: 'ethereum', family: 'evm' },
      addresses,
    })
  }
})
beforeEach(async () => {
  await indexed.reset()
  ctx = indexed.context(twoProviders)
})
afterEach(() => {
  for (const each of stopping.splice(0)) each.abort()
})
afterAll(() => indexed?.database.drop())

interface Asked {
  id: string
  height: number
  source: string
  keys: string[]
}

/** Cross-checks with a second provider that answers as given; ends with the test. */
function crossChecking(
  say: (
    block: Asked,
    transfers: readonly Transfer[],
  ) => CrossCheckVerdict | CrossCheck | Promise<CrossCheckVerdict>,
  { leader = ctx, crossCheckMs = 60_000 } = {},
) {
  const stop = new AbortController()
  stopping.push(stop)
  const asked: Asked[] = []
  const counted = { disagreements: 0, unanswered: 0 }
  const reported: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void reported.push(JSON.parse(line).msg) })
  const leaderContext: Partial<IndexerContext> = {
    ...leader,
    reader: {
      crossCheck: async ({ id, height, source }: Asked, transfers: readonly Transfer[]) => {
        const block = { id, height, source, keys: transfers.map(({ movementKey }) => movementKey).sort() }
        asked.push(block)
        const said = await say(block, transfers)
        return typeof said === 'string' ? { said, found: said === 'agrees' ? transfers : [] } : said
      },
      verify: async () => {},
    } as unknown as IndexerContext['reader'],
    metrics: {
      awaitingAgreement: { set: () => {} },
      disagreements: { inc: () => void counted.disagreements++ },
      unanswered: { inc: () => void counted.unanswered++ },
    } as unknown as IndexerContext['metrics'],
    log,
    pollMs: 5,
    crossCheckMs,
    signal: stop.signal,
  }
  const finality = createReportedFinality()
  // Every provider has all blocks.
  finality.report({ finalized: null, head: 1000 })
  const running = crossCheckPayments({ ...(leaderContext as IndexerContext), finality })
  return { asked, counted, reported, running, stop: () => stop.abort() }
}
const statuses = async () => (await indexed.statuses()).map(({ status }) => status)
const allConfirmed = () =>
  waitFor('confirmed', async () => (await statuses()).every((status) => status === 'confirmed'))
const commit = (...blocks: ReturnType<typeof read>[]) => indexed.commit(ctx, blocks)
const wallets = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`)
/** Blocks with one transfer each. */
const each = (from: number, to: number, more: Partial<Transfer> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    read(header(from + index), [
      transfer(5n, 'log:0', { txId: `0x${String(from + index).padStart(64, '0')}`, ...more }),
    ]),
  )
const moved = (wallet = wallets[0] ?? '') => ({ from: wallet, to: `0x${'77'.repeat(20)}` })
const deep = () => [2, 3, 4].map((height) => read(header(height)))

test('a payment is credited when another provider agrees, without a new block', async () => {
  await commit(read(header(1), [transfer(5n), transfer(6n, 'log:1')], { source: 'one' }), ...deep())
  const { asked } = crossChecking(() => 'agrees')
  await allConfirmed()
  expect(asked[0]).toEqual({ id: blockId('aa', 1), height: 1, source: 'one', keys: ['log:0', 'log:1'] })
})

test('a payment that is not deep enough is agreed to, and credited by its depth', async () => {
  await commit(read(header(1), [transfer(5n)]))
  crossChecking(() => 'agrees')
  await waitFor(
    'agreement',
    async () =>
      (await indexed.database.db.query('select 1 from detections where agreed_at is not null')).length === 1,
  )
  expect(await statuses()).toEqual(['seen'])
  expect((await commit(...deep())).confirmed).toBe(1)
})

test('a dispute delays only the payments of its block, and is logged once', async () => {
  await commit(
    read(header(1), [transfer(5n)]),
    read(header(2), [transfer(6n, 'log:0', { txId: `0x${'02'.repeat(32)}` })]),
    ...deep().slice(1),
    read(header(5)),
  )
  const { asked, counted, reported } = crossChecking(({ height }) => (height === 1 ? 'disagrees' : 'agrees'))
  await waitFor('the other one', async () => (await statuses()).includes('confirmed'))
  await waitFor('another request', async () => asked.filter(({ height }) => height === 1).length > 3)
  expect(await statuses()).toEqual(['seen', 'confirmed'])
  expect(counted.disagreements).toBeGreaterThan(1)
  expect(reported).toHaveLength(1)
})

test.each(['cannot say', 'has it not'] as const)(
  'a provider that answers "%s" is not in dispute: after a while the payment is credited without it, and counted in a metric',
  async (said) => {
    await commit(read(header(1), [transfer(5n)]), ...deep())
    const patient = crossChecking(() => said)
    await waitFor('being asked', async () => patient.asked.length > 3)
    expect([await statuses(), patient.counted.unanswered]).toEqual([['seen'], 0])
    patient.stop()
    await patient.running
    const { counted } = crossChecking(() => said, { crossCheckMs: 1 })
    await allConfirmed()
    expect(counted.unanswered).toBe(1)
  },
)

test('agreement covers only compared payments: one found in the block later waits for its own', async () => {
  await commit(read(header(1), [transfer(5n)]), ...deep())
  let first = true
  const { asked } = crossChecking(() => {
    if (!first) return 'cannot say'
    first = false
    return 'agrees'
  })
  await allConfirmed()
  await commitPast(ctx, { from: 1, to: 1 }, [read(header(1), [transfer(5n), transfer(6n, 'log:1')])], 'again')
  await waitFor('the second question', async () => asked.length > 1)
  expect(await statuses()).toEqual(['confirmed', 'seen'])
})

test('a payment found later in a block with an agreed one is cross-checked together with it', async () => {
  await commit(read(header(1), [transfer(5n)]), ...deep())
  const { asked } = crossChecking(() => 'agrees')
  await allConfirmed()
  await commitPast(ctx, { from: 1, to: 1 }, [read(header(1), [transfer(5n), transfer(6n, 'log:1')])], 'again')
  await waitFor('the second question', async () => asked.length > 1)
  expect(asked[1]?.keys).toEqual(['log:0', 'log:1'])
})

describe('payments of a block that was read from two providers, one after the other', () => {
  /** What each provider reports of block 1. */
  const tells: Record<string, Transfer[]> = {}
  /** A reader of two nodes never reads the source itself. */
  const ofTwo = ({ source }: Asked, transfers: readonly Transfer[]): CrossCheck => {
    const theirs = tells[source === 'one' ? 'two' : 'one'] ?? []
    const found = transfers.filter((each) =>
      theirs.some(({ movementKey }) => movementKey === each.movementKey),
    )
    return {
      said: found.length === transfers.length && theirs.length === found.length ? 'agrees' : 'disagrees',
      found,
    }
  }
  const readBy = (source: string) => read(header(1), tells[source], { source })

  test.each([
    ['one', 'two'],
    ['two', 'one'],
  ])('are confirmed only by the other provider: %s reported first, %s added one', async (first, second) => {
    tells[first] = [transfer(5n)]
    tells[second] = [transfer(5n), transfer(600n, 'log:1')]
    await commit(readBy(first), ...deep())
    await commitPast(ctx, { from: 1, to: 1 }, [readBy(second)], 'again')
    const { asked } = crossChecking(ofTwo)
    await waitFor('the first', async () => (await statuses()).includes('confirmed'))
    await waitFor('another request', async () => asked.length > 5)
    expect(await statuses()).toEqual(['confirmed', 'seen'])
    const [row] = await indexed.database.db.query<{ key: string }>(
      'select t.movement_key as key from detections d join transfers t on t.id = d.transfer_id where d.disputed_at is not null',
    )
    expect(row?.key).toBe('log:1')
    // Agreed payments stay as they are.
    expect(new Set(asked.slice(2).map(({ source }) => source))).toEqual(new Set([second]))
  })

  test('that only the second provider had are credited once the first one has them', async () => {
    tells.one = [transfer(5n)]
    tells.two = [transfer(5n), transfer(6n, 'log:1')]
    await commit(readBy('one'), ...deep())
    await commitPast(ctx, { from: 1, to: 1 }, [readBy('two')], 'again')
    crossChecking(ofTwo)
    await waitFor('the first', async () => (await statuses()).includes('confirmed'))
    tells.one = tells.two
    await allConfirmed()
  })
})

test('questions about an unresolved dispute become rare, with one per round for all addresses of its block', async () => {
  const many = Array.from({ length: 30 }, (_, index) => `0x${(index + 64).toString(16).repeat(20)}`)
  for (const address of many) await indexed.watch(address)
  await commit(
    read(
      header(1),
      many.map((to, index) => transfer(5n, `log:${index}`, { to })),
    ),
    ...deep(),
  )
  const times: number[] = []
  const { asked } = crossChecking((_, transfers) => {
    times.push(performance.now())
    // All but the last one are there.
    return { said: 'disagrees', found: transfers.filter(({ movementKey }) => movementKey !== 'log:29') }
  })
  await waitFor('seven questions', async () => times.length > 6)
  expect((await statuses()).filter((status) => status === 'confirmed')).toHaveLength(29)
  const rests = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  for (const [index, rest] of rests.entries()) expect(rest).toBeGreaterThanOrEqual(5 * 2 ** index - 2)
  expect(asked.every(({ keys }) => keys.length === 30)).toBe(true)
})

test('one provider is enough in time, however long the pauses have become', async () => {
  await commit(read(header(1), [transfer(5n)]), ...deep())
  const { asked, counted } = crossChecking(() => 'has it not', { crossCheckMs: 700 })
  await allConfirmed()
  expect(counted.unanswered).toBe(1)
  // 5, 10, 20, 40, 80, 160 and 320 ms, and then the rest of 700.
  expect(asked.length).toBeLessThanOrEqual(9)
})

test('a block that replaces a disputed one in a reorg does not wait for its pauses', async () => {
  await commit(read(header(0)), read(header(1), [transfer(5n)]), ...deep())
  const { asked } = crossChecking(({ id }) => (id === blockId('bb', 1) ? 'agrees' : 'disagrees'))
  // The next one comes 5 s after the eleventh.
  await waitFor('a long pause', async () => asked.length > 10)
  const { db } = indexed.database
  await rewind(ctx, header(0))
  const started = performance.now()
  await commit(read(header(1, 'bb', 'aa'), [transfer(5n)]))
  await waitFor(
    'agreement',
    async () => (await db.query('select 1 from detections where agreed_at is not null')).length === 1,
  )
  expect(performance.now() - started).toBeLessThan(4000)
})

test('payments do not wait for transfers of monitored addresses, however many and however slow', async () => {
  await commit(
    ...each(1, 60, moved()),
    ...each(61, 61),
    ...[62, 63, 64].map((height) => read(header(height))),
  )
  let answer: (said: CrossCheckVerdict) => void = () => {}
  const hangs = new Promise<CrossCheckVerdict>((resolve) => {
    answer = resolve
  })
  const { running, stop } = crossChecking(({ height }) => (height === 61 ? 'agrees' : hangs))
  await waitFor('the payment', async () => (await statuses()).includes('confirmed'))
  expect((await statuses()).indexOf('confirmed')).toBe(60)
  answer('agrees')
  await allConfirmed()
  stop()
  await running
})

test('blocks in dispute do not starve others', async () => {
  await commit(...each(1, 70), ...[71, 72, 73].map((height) => read(header(height))))
  const { asked } = crossChecking(({ height }) => (height === 65 ? 'agrees' : 'disagrees'))
  await waitFor('the undisputed one', async () => (await statuses()).includes('confirmed'))
  await waitFor('all', async () => new Set(asked.map(({ height }) => height)).size === 70)
  await waitFor('another request', async () => asked.filter(({ height }) => height === 70).length > 1)
})

test('many transfers of one business do not starve another business: they take turns', async () => {
  await commit(...each(1, 60, moved()), ...each(61, 61, moved(wallets[1])))
  const { asked } = crossChecking(() => 'cannot say')
  await waitFor('being asked', async () => asked.length > 2)
  expect(asked.slice(0, 2).map(({ height }) => height)).toEqual([1, 61])
})

test('a replaced leader agrees to nothing, and stops with an error', async () => {
  await commit(read(header(1), [transfer(5n)]), ...deep())
  const { running } = crossChecking(() => 'agrees', { leader: { ...ctx, epoch: 6n } })
  await expect(running).rejects.toThrow(FencedError)
  expect(await statuses()).toEqual(['seen'])
})

test('with one provider no question is asked, and depth is enough', async () => {
  ctx = indexed.context()
  const { asked, running, stop } = crossChecking(() => 'agrees')
  await commit(read(header(1), [transfer(5n)]), ...deep())
  await allConfirmed()
  stop()
  await running
  expect(asked).toEqual([])
})

test('a payment detected with two providers is not credited because one was removed: the other is read', async () => {
  await commit(read(header(1), [transfer(5n)]), ...deep())
  ctx = indexed.context()
  const { asked, counted, running, stop } = crossChecking(() => 'disagrees')
  await waitFor('asked', async () => asked.length > 1)
  expect(await statuses()).toEqual(['seen'])
  expect(counted.disagreements).toBeGreaterThan(0)
  stop()
  await running
})
