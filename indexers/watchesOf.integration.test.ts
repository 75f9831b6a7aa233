import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { monitorAddresses, type NewMonitoring } from '../src/monitoring/monitorAddresses.ts'
import { removeMonitored } from '../src/monitoring/removeMonitored.ts'
import { openDirect } from '../src/platform/database/db.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import {
  blockId,
  createIndexed,
  header,
  type Indexed,
  read,
  sender,
  transfer,
  watched,
} from '../test/support/indexed.ts'
import {
  account,
  createSharedAccount,
  depositOf,
  paymentTo,
  type SharedAccount,
} from '../test/support/sharedAccount.ts'
import { monitoringContext } from '../test/support/wideCaps.ts'
import type { LeaderContext } from './context.ts'
import { commitPast } from './reread.ts'
import { rewind } from './rewind.ts'
import { watchFlags } from './watchFlags.ts'
import { loadWatchList } from './watchList.ts'

let indexed: Indexed
let db: ModelDb
let ctx: LeaderContext
let sessionId: string
const ethereum = { name: 'ethereum', family: 'evm' } as const
const unknown = `0x${'99'.repeat(20)}`

beforeAll(async () => {
  indexed = await createIndexed()
  ;({ db } = indexed.database)
  sessionId = await indexed.watch(watched)
})
beforeEach(async () => {
  await indexed.reset()
  await db.query('update monitored_addresses set removed_at = now() where removed_at is null')
  await db.query("update watches set removed_at = now() where purpose = 'monitor' and removed_at is null")
  ctx = indexed.context()
})
afterAll(() => indexed?.database.drop())

async function monitor(address: string, more: Partial<NewMonitoring> = {}): Promise<string> {
  const { entries } = await monitorAddresses(monitoringContext(db, 1000), indexed.businessId, {
    chain: ethereum,
    addresses: [{ address }],
    ...more,
  })
  return entries[0]?.view.id ?? ''
}
/** The detections: subject, direction and transfer. */
const found = async () =>
  (
    await db.query<{ subject_id: string; direction: string; key: string }>(
      `select d.subject_id, d.direction, t.movement_key as key from detections d join transfers t on t.id = d.transfer_id where d.status <> 'reverted' order by 3, 2, 1`,
    )
  ).map((row) => `${row.subject_id} ${row.direction} ${row.key}`)
const stored = async () =>
  (await db.query<{ key: string }>('select movement_key as key from transfers order by 1')).map(
    ({ key }) => key,
  )
const jobs = async () =>
  (await db.query<{ queue: string }>('select queue from outbox order by queue')).map(({ queue }) => queue)
const commit = (...blocks: ReturnType<typeof read>[]) => indexed.commit(ctx, blocks)
const ofUnknown = (height: number, ...keys: string[]) => ({
  ...read(header(height)),
  payments: keys.map((key) => ({ transfer: transfer(1n, key, { contract: unknown }), asset: null })),
})

describe('a transfer', () => {
  test('that concerns a session and a monitored address is stored once, with a detection for each', async () => {
    const id = await monitor(watched)
    await commit(read(header(1), [transfer(5n)]))
    expect((await found()).sort()).toEqual([`${sessionId} in log:0`, `${id} in log:0`].sort())
    expect([await stored(), await jobs()]).toEqual([['log:0'], ['monitoring', 'session-payment']])
  })

  test('that leaves a session’s address concerns no watch, and is not stored', async () => {
    expect(await commit(read(header(1), [transfer(5n, 'log:0', { from: watched, to: sender })]))).toEqual({
      detected: 0,
      confirmed: 0,
    })
    expect(await stored()).toEqual([])
  })

  test('of an unknown token is stored only for watches of all tokens', async () => {
    const id = await monitor(sender, { tokens: 'all' })
    await monitor(watched)
    await commit(ofUnknown(1, 'log:0'))
    expect(await found()).toEqual([`${id} out log:0`])
    expect(await db.query('select token, contract from transfers')).toEqual([
      { token: null, contract: unknown },
    ])
  })

  test('in a block below the watch’s first is not detected, nor one after its removal', async () => {
    const id = await monitor(sender)
    await db.query('update watches set from_height = 2 where id = $1', [id])
    const paid = (height: number) => read(header(height), [transfer(1n, `log:${height}`, { to: unknown })])
    await commit(read(header(1)), read(header(2)))
    await commitPast(ctx, { from: 1, to: 2 }, [paid(1), paid(2)], 'again')
    await removeMonitored({ db }, indexed.businessId, ethereum, sender)
    await commit(paid(3))
    expect([await found(), await stored()]).toEqual([[`${id} out log:2`], ['log:2']])
  })

  test('that a fork brings below the watch’s first height is detected: the watch existed before the block was read', async () => {
    await commit(...[7, 8, 9, 10].map((height) => read(header(height))))
    const id = await monitor(sender)
    await rewind(ctx, { height: 8, id: blockId('aa', 8) })
    const paid = (height: number) =>
      read(header(height, 'bb', height === 9 ? 'aa' : 'bb'), [transfer(1n, `log:${height}`, { to: unknown })])
    await commit(paid(9))
    await commit(paid(10), paid(11))
    expect((await found()).sort()).toEqual([`${id} out log:10`, `${id} out log:11`, `${id} out log:9`])
  })

  test('that a fork brings back is detected again for both of its watches', async () => {
    await monitor(sender)
    await commit(read(header(1), [transfer(5n)]))
    await db.query("update detections set status = 'reverted'")
    await db.query('update transfers set canonical = false')
    await db.query('update chain_cursors set height = 0')
    await commit(read(header(1), [transfer(5n)]))
    expect(await db.query('select distinct generation, status from detections')).toEqual([
      { generation: 2, status: 'seen' },
    ])
  })
})

describe('a removed address', () => {
  const paid = (fork: string, height = 1, more = {}) =>
    read(header(height, fork, height === 1 ? 'aa' : fork), [transfer(1n, 'log:0', { to: unknown, ...more })])
  const back = () => rewind(ctx, { height: 0, id: blockId('aa', 0) })
  const remove = () => removeMonitored({ db }, indexed.businessId, ethereum, sender)
  const states = async () =>
    (
      await db.query<{ line: string }>(
        `select concat_ws(' ', left(t.block_id, 4), d.status, d.generation) as line from detections d join transfers t on t.id = d.transfer_id order by 1`,
      )
    ).map(({ line }) => line)

  test('gets its transfer again after a fork, in another block or the same, and no other transfer', async () => {
    await monitor(sender)
    await commit(paid('aa'))
    await remove()
    await back()
    expect(await states()).toEqual(['0xaa reverted 1'])
    await commit(paid('bb'))
    expect(await states()).toEqual(['0xaa reverted 1', '0xbb seen 1'])
    await back()
    await commit(paid('aa'))
    expect(await states()).toEqual(['0xaa seen 2', '0xbb reverted 1'])
    await commit(paid('aa', 2, { txId: `0x${'02'.repeat(32)}` }))
    expect(await states()).toEqual(['0xaa seen 2', '0xbb reverted 1'])
  })

  describe('that was added again', () => {
    /** The detections by watch, branch and transfer, with their status. */
    const detections = async () =>
      (
        await db.query<{ line: string }>(
          `select concat_ws(' ', d.subject_id, left(t.block_id, 4), t.movement_key, d.status, d.generation) as line
           from detections d join transfers t on t.id = d.transfer_id order by d.subject_id, t.block_id, 1`,
        )
      ).map(({ line }) => line)
    const again = (fork: string) => commitPast(ctx, { from: 1, to: 1 }, [paid(fork)], 'again')

    test('gets a transfer that a fork reverts and brings back once: under the earlier watch', async () => {
      const first = await monitor(sender)
      await commit(paid('aa'))
      await remove()
      const second = await monitor(sender)
      await back()
      await commit(paid('bb'))
      expect(await detections()).toEqual([`${first} 0xaa log:0 reverted 1`, `${first} 0xbb log:0 seen 1`])
      await db.query('update watches set from_height = 1 where id = $1', [second])
      expect(await again('bb')).toMatchObject({ found: 0 })
      await back()
      await commit(paid('aa'))
      expect(await detections()).toEqual([`${first} 0xaa log:0 seen 2`, `${first} 0xbb log:0 reverted 1`])
      await commit(paid('aa', 2, { txId: `0x${'02'.repeat(32)}` }))
      expect((await detections()).filter((line) => line.startsWith(second))).toEqual([
        `${second} 0xaa log:0 seen 1`,
      ])
    })

    test('after the fork also gets it once, also when the same block comes back and is read again', async () => {
      const first = await monitor(sender)
      await commit(paid('aa'))
      await remove()
      await back()
      await monitor(sender)
      await commit(paid('aa'))
      expect(await again('aa')).toMatchObject({ found: 0 })
      expect(await detections()).toEqual([`${first} 0xaa log:0 seen 2`])
    })

    test('from a past block gets the transfer under the new watch, and only that one gets it when it comes back', async () => {
      const first = await monitor(sender)
      await commit(paid('aa'))
      await remove()
      const second = await monitor(sender, { fromBlock: 1 })
      expect(await again('aa')).toMatchObject({ found: 1 })
      await back()
      await commit(paid('bb'))
      const reverted = [`${first} 0xaa log:0 reverted 1`, `${second} 0xaa log:0 reverted 1`]
      expect(await detections()).toEqual([...reverted, `${second} 0xbb log:0 seen 1`])
      await remove()
      expect(await again('bb')).toMatchObject({ found: 0 })
      await back()
      await commit(paid('cc'))
      expect(await detections()).toEqual([
        ...reverted,
        `${second} 0xbb log:0 reverted 1`,
        `${second} 0xcc log:0 seen 1`,
      ])
    })

    test('from a past block does not get a transfer that a fork brought to the earlier watch, below its first block', async () => {
      const first = await monitor(sender)
      await commit(paid('aa'))
      await remove()
      await db.query('update watches set from_height = 5 where id = $1', [first])
      await back()
      await commit(paid('bb'))
      await monitor(sender, { fromBlock: 1 })
      expect(await again('bb')).toMatchObject({ found: 0 })
      expect(await detections()).toEqual([`${first} 0xaa log:0 reverted 1`, `${first} 0xbb log:0 seen 1`])
    })

    test('for all tokens gets those that the earlier watch was not for', async () => {
      const first = await monitor(sender)
      await commit(paid('aa'))
      await remove()
      const second = await monitor(sender, { tokens: 'all' })
      await back()
      await commit({ ...paid('bb'), payments: [...paid('bb').payments, ...ofUnknown(1, 'log:1').payments] })
      expect(await detections()).toEqual([
        `${first} 0xaa log:0 reverted 1`,
        `${first} 0xbb log:0 seen 1`,
        `${second} 0xbb log:1 seen 1`,
      ])
    })
  })

  test('stays in the watch list while a fork has its transfer, for any leader', async () => {
    const bytes = Buffer.from(sender.slice(2), 'hex')
    const direct = await openDirect(indexed.database.url, 'a test')
    try {
      await monitor(sender)
      await commit(paid('aa'))
      await remove()
      const standby = await loadWatchList(direct, 'evm', 'ethereum')
      expect(standby.has(bytes)).toBe(false)
      await back()
      await standby.readReverted()
      expect([standby.flags(bytes), (await loadWatchList(direct, 'evm', 'ethereum')).flags(bytes)]).toEqual([
        watchFlags.monitored,
        watchFlags.monitored,
      ])
    } finally {
      await direct.close()
    }
  })
})

describe('blocks that are read again', () => {
  test('yield existing transfers for a new watch, and nothing twice', async () => {
    await commit(read(header(1), [transfer(5n), transfer(6n, 'log:1', { to: unknown })]))
    expect(await stored()).toEqual(['log:0'])
    const id = await monitor(sender, { fromBlock: 1 })
    const again = () =>
      commitPast(
        ctx,
        { from: 1, to: 1 },
        [read(header(1), [transfer(5n), transfer(6n, 'log:1', { to: unknown })])],
        'again',
      )
    expect(await again()).toMatchObject({ found: 2, known: 0, unsupported: [] })
    expect((await found()).sort()).toEqual(
      [`${sessionId} in log:0`, `${id} out log:0`, `${id} out log:1`].sort(),
    )
    expect(await again()).toMatchObject({ found: 0, known: 2, unsupported: [] })
  })

  test('do not report as missing what is no longer watched: transfers of a removed address, and of tokens not asked for', async () => {
    const id = await monitor(sender, { tokens: 'all' })
    await commit({
      ...ofUnknown(1, 'log:1'),
      payments: [...ofUnknown(1, 'log:1').payments, ...read(header(1), [transfer(5n)]).payments],
    })
    const again = () => commitPast(ctx, { from: 1, to: 1 }, [read(header(1), [transfer(5n)])], 'again')
    expect((await again()).unsupported.map(({ movementKey }) => movementKey)).toEqual(['log:1'])
    await db.query('update watches set all_tokens = false where id = $1', [id])
    expect((await again()).unsupported).toEqual([])
    await removeMonitored({ db }, indexed.businessId, ethereum, sender)
    const nothing = await commitPast(ctx, { from: 1, to: 1 }, [read(header(1))], 'again')
    expect(nothing.unsupported.map(({ movementKey }) => movementKey)).toEqual(['log:0'])
  })
})

describe('an account that addresses share', () => {
  let shared: SharedAccount
  beforeAll(async () => {
    shared = await createSharedAccount()
  })
  afterAll(() => shared?.close())

  test('when monitored, gets transfers to and from all of them, and leaves sessions and suspense unchanged', async () => {
    const session = await shared.watch(depositOf(7))
    const { businessId } = (
      await shared.ctx.db.query<{ businessId: string }>('select id as "businessId" from businesses')
    )[0] ?? { businessId: '' }
    const stellar = { name: 'stellar', family: 'stellar' } as const
    const { entries } = await monitorAddresses(monitoringContext(shared.ctx.db, 10), businessId, {
      chain: stellar,
      addresses: [{ address: account }, { address: depositOf(8) }],
    })
    const [whole, eighth] = entries.map(({ view }) => view.id)
    const from = depositOf(1)
    await shared.read(
      paymentTo(depositOf(7), 7n, { from }),
      paymentTo(depositOf(8), 8n, { from: 'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H' }),
    )
    const rows = await shared.ctx.db.query<{ line: string }>(
      `select concat_ws(' ', w.purpose, case when w.purpose = 'suspense' then '' else d.subject_id::text end, d.direction, t.amount) as line
       from detections d join transfers t on t.id = d.transfer_id join watches w on w.id = d.watch_id`,
    )
    expect(rows.map(({ line }) => line).sort()).toEqual(
      [
        `session ${session} in 7`,
        `monitor ${whole} self 7`,
        'suspense  in 8',
        `monitor ${whole} in 8`,
        `monitor ${eighth} in 8`,
      ].sort(),
    )
  })
})
