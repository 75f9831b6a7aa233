import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { incomingFailpoints } from '../../src/capabilities.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { watchAccount } from '../../src/corrections/watchAccount.ts'
import { restoreMargin } from '../../src/custody/depositPool.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import type { IncomingFailpoint } from '../../src/platform/failpoints.ts'
import { rpc } from '../devnets/evm.ts'
import { type Effects, effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type ProgramName, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { through } from './sending.ts'

/*
 * Each process is killed at each of its failpoints in turn, and each successor finds the leftovers of the
 * killed ones. The last one keeps running. Every failpoint has a session, which must be paid exactly once in
 * the end.
 */

let stack: Stack
const proofs = mkdtempSync(join(tmpdir(), 'cowry-failpoints-'))
const reached = new Set<string>()
const sessions = new Map<IncomingFailpoint, SessionBody>()

beforeAll(async () => {
  // The pool is refilled after every address taken, so that an interrupted refill shows.
  stack = await createStack({
    processes: ['api', 'indexer'],
    confirmations: 2,
    env: { POOL_LOW_WATER: '390', WEBHOOK_TIMEOUT_MS: '1000' },
  })
  for (const name of incomingFailpoints) sessions.set(name, await stack.createSession({ amount: '5' }))
})
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const amount = 5_000_000n
/** Stands for a shared deposit account of the platform. */
const platformAccount = '0x00000000000000000000000000000000005a5a5a'

/** The process of each failpoint; the type checker reports missing ones. */
const programs: Record<IncomingFailpoint, ProgramName> = {
  'treasury.seed-stored': 'treasury',
  'treasury.pool-filled': 'treasury',
  'treasury.pool-renewed': 'treasury',
  'api.idempotency-leased': 'api',
  'api.session-stored': 'api',
  'api.session-cancelled': 'api',
  'api.address-monitored': 'api',
  'api.addition-stored': 'api',
  'indexer.leader-elected': 'indexer',
  'indexer.cursor-moved': 'indexer',
  'indexer.block-committed': 'indexer',
  'indexer.rewound': 'indexer',
  'indexer.reread': 'indexer',
  'indexer.import-piece': 'indexer',
  'relay.published': 'worker',
  'relay.claimed': 'worker',
  'relay.taken': 'worker',
  'session-payment.settled': 'worker',
  'suspense.settled': 'worker',
  'monitoring.recorded': 'worker',
  'additions.piece': 'worker',
  'additions.stored': 'worker',
  'webhook-delivery.woken': 'worker',
  'webhook-delivery.claimed': 'worker',
  'webhook-delivery.sent': 'worker',
  'webhook-delivery.recorded': 'worker',
}

const sessionOf = (name: IncomingFailpoint): SessionBody => {
  const session = sessions.get(name)
  if (!session) throw new Error(`no session of ${name}`)
  return session
}

/**
 * Starts a process that is killed at a failpoint, which `cause` makes it reach. @param as its name, if the
 * regular process keeps running
 */
async function killAt(
  name: IncomingFailpoint,
  cause: (doomed: Stack) => Promise<unknown> = async () => {},
  as: string = programs[name],
): Promise<void> {
  const proof = join(proofs, name)
  const doomed = stack.launch(programs[name], { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof }, { as })
  // Several start at the same time.
  await Promise.race([doomed.ready(120_000).catch(() => {}), doomed.ended])
  await cause(through(stack, doomed))
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

const pay = async (session: SessionBody) => {
  await stack.send(session.address, amount)
  await stack.mine()
}

/** Pays while no worker runs, and waits for the row that the next one finds. */
async function payBeforeStart(session: SessionBody): Promise<void> {
  await pay(session)
  const due =
    "select 1 from outbox where queue = 'session-payment' and try = 0 and dead_at is null and relay_after <= now()"
  await waitFor(
    'a row that no worker has taken',
    async () => (await detectionsOf(session)) === 1 && (await stack.db.query(due)).length > 0,
  )
}

/** How far the chain was read by cursor, coverage and headers; undefined if coverage has gaps. */
async function readUpTo() {
  const [row] = await stack.db.query(
    `select height::int, (upper(covered) - 1)::int as covered, (select max(height) from blocks b where b.chain = c.chain and canonical)::int as header
     from chain_cursors c where chain = 'ethereum' and (select count(*) from unnest(covered)) = 1`,
  )
  return row
}
async function detectionsOf(session: SessionBody): Promise<number> {
  const [row] = await stack.db.query<{ count: number }>(
    'select count(*)::int from detections where subject_id = $1',
    [session.id],
  )
  return row?.count ?? -1
}

interface MonitoredBody {
  id: string
  importId?: string
}
/** Addresses for the failpoints of monitoring. */
const monitored = {
  stored: '0x0000000000000000000000000000000000005701',
  imported: '0x0000000000000000000000000000000000005702',
  moved: '0x0000000000000000000000000000000000005703',
} as const
const bytesOf = (address: string) => Buffer.from(addressCodec('evm').bytes(address))
const keyedMonitor = (at: Stack = stack) =>
  at.api<MonitoredBody>(
    'POST',
    '/monitoring/addresses',
    { chain: 'ethereum', address: monitored.stored },
    { 'idempotency-key': 'monitored' },
  )
/** More addresses than a request monitors directly: the worker stores them. */
const addition = (place: number) =>
  Array.from(
    { length: 1001 },
    (_, index) => `0x${(0xadd000 + place * 10_000 + index).toString(16).padStart(40, '0')}`,
  )
const keyedAddition = (place: number, at: Stack = stack) =>
  at.api<{ id: string; status: string }>(
    'POST',
    '/monitoring/addresses/bulk',
    { chain: 'ethereum', addresses: addition(place).map((address) => ({ address })) },
    { 'idempotency-key': `addition-${place}` },
  )
const watchesOfAddition = async (place: number) =>
  (
    await stack.db.query("select id from watches where purpose = 'monitor' and address = any($1::bytea[])", [
      addition(place).map(bytesOf),
    ])
  ).length
const monitor = async (address: string, more: object = {}) =>
  (await stack.api<MonitoredBody>('POST', '/monitoring/addresses', { chain: 'ethereum', address, ...more }))
    .body

/** Expects one detected and one confirmed event for an address that was paid once. */
async function expectEventsOnce(entry: MonitoredBody | undefined): Promise<void> {
  const published = async () =>
    (
      await stack.db.query<{ type: string }>(
        "select type from events where data->>'monitoredAddressId' = $1 order by sequence",
        [entry?.id],
      )
    ).map(({ type }) => type)
  await waitFor('the confirmation', async () => (await published()).includes('transaction.confirmed'))
  await stack.idle()
  expect(await published()).toEqual(['transaction.detected', 'transaction.confirmed'])
}

const keyedCreate = (key: string, at: Stack = stack) =>
  at.api<SessionBody>(
    'POST',
    '/pos/sessions',
    { chain: 'ethereum', token: 'USDC', amount: '1', reference: key },
    { 'idempotency-key': key },
  )

test('the treasury is killed at each of its failpoints: there is one seed, and a full pool without duplicates', async () => {
  await stack.db.query('delete from seeds')
  await stack.db.query('delete from deposit_addresses where taken_at is null')
  await killAt('treasury.seed-stored')
  await stack.db.query("update deposit_pool set identity = 'restored'")
  await killAt('treasury.pool-renewed')
  expect(await stack.db.query('select identity, first_index from deposit_pool')).toEqual([
    { identity: 'restored', first_index: '0' },
  ])
  await killAt('treasury.pool-filled')
  await stack.start('treasury')
  expect(await stack.db.query('select count(*)::int as seeds from seeds')).toEqual([{ seeds: 1 }])
  const pool = () =>
    stack.db.query<{ free: number }>(
      'select count(*)::int as free from deposit_addresses where taken_at is null',
    )
  await waitFor('a full pool', async () => ((await pool())[0]?.free ?? 0) >= 390)
  const [row] = await stack.db.query(
    'select count(*)::int as rows, count(distinct address)::int as addresses from deposit_addresses',
  )
  expect(row?.rows).toBe(row?.addresses)
  expect(
    await stack.db.query('select 1 from deposit_addresses where taken_at is null and index < $1', [
      restoreMargin,
    ]),
  ).toEqual([])
})

test('an API is killed at each of its failpoints: another one answers the repeated request, and its effect happens once', async () => {
  const cancelled = await stack.createSession()
  const cancel = (at: Stack = stack) =>
    at.api('POST', `/pos/sessions/${cancelled.id}/cancel`, undefined, { 'idempotency-key': 'cancelled' })
  const asked: Partial<Record<IncomingFailpoint, (at: Stack) => Promise<unknown>>> = {
    'api.idempotency-leased': (at) => keyedCreate('leased', at),
    'api.session-stored': (at) => keyedCreate('stored', at),
    'api.session-cancelled': cancel,
    'api.address-monitored': keyedMonitor,
    'api.addition-stored': (at) => keyedAddition(0, at),
  }
  await Promise.all(
    incomingFailpoints
      .filter((name) => programs[name] === 'api')
      .map(async (name) => {
        await killAt(
          name,
          async (doomed) => expect(await asked[name]?.(doomed).catch(() => 'unanswered')).toBe('unanswered'),
          name,
        )
        // At once: the others may take longer than the lease's minute.
        if (name === 'api.idempotency-leased')
          expect((await keyedCreate('leased')).body).toMatchObject({ error: 'request_in_progress' })
      }),
  )

  // Simulates the end of the lease's minute.
  await stack.db.query(
    "update idempotency_keys set lease_until = now() - interval '1 second' where response_status is null",
  )
  expect((await keyedCreate('leased')).status).toBe(201)
  expect(
    await stack.db.query("select count(*)::int as stored from pos_sessions where reference = 'leased'"),
  ).toEqual([{ stored: 1 }])

  const again = await keyedCreate('stored')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(await stack.db.query("select id from pos_sessions where reference = 'stored'")).toEqual([
    { id: again.body.id },
  ])

  expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  expect(
    await stack.db.query(
      "select count(*)::int as events from events where type = 'session.cancelled' and data->>'id' = $1",
      [cancelled.id],
    ),
  ).toEqual([{ events: 1 }])

  const entry = await keyedMonitor()
  expect([entry.status, entry.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(
    await stack.db.query("select id from watches where purpose = 'monitor' and address = $1", [
      bytesOf(monitored.stored),
    ]),
  ).toEqual([{ id: entry.body.id }])

  const added = await keyedAddition(0)
  expect([added.status, added.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
  expect(await stack.db.query('select id from monitoring_additions')).toEqual([{ id: added.body.id }])
})

test('the worker is killed at each of its failpoints', async () => {
  await watchAccount({ db: stack.db, codec: addressCodec('evm') }, 'evm', platformAccount)
  const moved = await monitor(monitored.moved)
  const first: Partial<Record<IncomingFailpoint, () => Promise<unknown>>> = {
    'suspense.settled': () => stack.send(platformAccount, amount),
    'monitoring.recorded': () => stack.send(monitored.moved, amount),
    'additions.piece': async () => expect((await keyedAddition(1)).status).toBe(202),
  }
  // The first ones find a job of an addition, which is not done without a job.
  for (const name of incomingFailpoints.filter((each) => programs[each] === 'worker')) {
    // A row that comes between the two halves of a scan gets a job and is not taken: this one is due at the
    // start.
    if (name === 'relay.taken') await payBeforeStart(sessionOf(name))
    await killAt(name, async () => {
      await first[name]?.()
      if (name !== 'relay.taken') await pay(sessionOf(name))
    })
    // All or nothing: no row of its first piece remains.
    if (name === 'additions.piece') expect(await watchesOfAddition(1)).toBe(0)
  }
  await stack.start('worker')
  for (const place of [0, 1]) {
    const { id } = (await keyedAddition(place)).body
    await waitFor(
      'the addition',
      async () => (await stack.api('GET', `/monitoring/additions/${id}`)).body.status === 'completed',
    )
    expect((await stack.api('GET', `/monitoring/additions/${id}`)).body).toMatchObject({
      added: 1001,
      existing: 0,
      progress: 1,
    })
    expect(await watchesOfAddition(place)).toBe(1001)
  }
  await stack.mine(2)
  await expectEventsOnce(moved)
  const account = { name: 'suspense', businessId: null, asset: 'ethereum:USDC' } as const
  await waitFor('the payment in suspense', async () => (await balanceOf(stack.db, account)) > 0n)
  await stack.idle()
  expect(await balanceOf(stack.db, account)).toBe(amount)
  expect(
    await stack.db.query("select count(*)::int as entries from ledger_entries where kind like 'suspense.%'"),
  ).toEqual([{ entries: 1 }])
})

test('the indexer is killed at each of its failpoints', async () => {
  await stack.caughtUp()
  await stack.stop('indexer')
  const inCommit = sessionOf('indexer.cursor-moved')
  await killAt('indexer.cursor-moved', () => pay(inCommit))
  // The cursor, the header and all other writes of the transaction were rolled back.
  const before = (await stack.height()) - 1
  expect(await readUpTo()).toEqual({ height: before, covered: before, header: before })
  expect(await detectionsOf(inCommit)).toBe(0)

  await killAt('indexer.block-committed', () => pay(sessionOf('indexer.block-committed')))
  expect(await detectionsOf(inCommit)).toBe(1)

  const forked = sessionOf('indexer.rewound')
  await killAt('indexer.rewound', async () => {
    await pay(forked)
    await stack.mine()
    await stack.sessionIs(forked.id, 'paid')
    await stack.caughtUp()
    await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [2, []])
  })

  let imported: MonitoredBody | undefined
  await killAt('indexer.import-piece', async () => {
    await waitFor('the reversal', async () => (await stack.session(forked.id)).status === 'pending')
    await pay(forked)
    await stack.send(monitored.imported, amount)
    await stack.mine(2)
    await stack.sessionIs(forked.id, 'paid')
    await stack.caughtUp()
    imported = await monitor(monitored.imported, { fromBlock: (await stack.height()) - 1 })
  })
  expect(
    await stack.db.query('select count(*)::int as found from monitoring_imports where found = 1'),
  ).toEqual([{ found: 1 }])
  const countOf = (type: string) => stack.receiver.types(forked.id).filter((each) => each === type).length
  // They are delivered at the same time, and arrive in any order.
  await waitFor(
    'two session.paid, and the reversal',
    async () => countOf('session.paid') === 2 && countOf('session.reversed') > 0,
  )
  expect(countOf('session.reversed')).toBe(1)

  await killAt('indexer.leader-elected')

  // A range that coverage shows as unread, with an undetected payment.
  const unread = sessionOf('indexer.reread')
  await pay(unread)
  await stack.mine(2)
  const head = await stack.height()
  await stack.db.query("update chain_cursors set height = $1 where chain = 'ethereum'", [head])
  await killAt('indexer.reread')
  expect(await readUpTo()).toEqual({ height: head, covered: head, header: head })
  expect(await detectionsOf(unread)).toBe(1)

  await stack.start('indexer')
  await waitFor(
    'the payment in the session',
    async () => (await stack.session(unread.id)).payments.length === 1,
  )
  await waitFor(
    'the import',
    async () =>
      (await stack.api('GET', `/monitoring/imports/${imported?.importId}`)).body.status === 'completed',
  )
  await stack.mine(2)
  await expectEventsOnce(imported)
  await stack.caughtUp()
  // Logged only by the killed one; the next one found no unread range.
  expect(stack.logs().split('blocks that were never read').length - 1).toBeLessThanOrEqual(1)
  expect(await metric(stack.processes.get('indexer'), 'cowry_chain_gap_blocks')).toBe(0)
})

let effects: Map<string, Effects>

test('afterwards every session can be paid, and no work is left over', async () => {
  for (const session of sessions.values())
    if ((await stack.session(session.id)).payments.length === 0) await stack.send(session.address, amount)
  await stack.mine(3)
  for (const { id } of sessions.values()) await stack.sessionIs(id, 'paid')
  await stack.idle()
  await expectNothingLeftOver(stack)
  effects = await effectsOn(
    stack,
    [...sessions.values()].map(({ id }) => id),
  )
})

test.each(incomingFailpoints)(
  'SIGKILL at %s: exactly one detection and one credit, at least one delivery',
  (name) => {
    expect(reached).toContain(name)
    const effect = effects.get(sessionOf(name).id)
    expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid' })
    expect(effect?.paidEvents).toBe(name === 'indexer.rewound' ? 2 : 1)
    expect(effect?.paidDeliveries).toBeGreaterThanOrEqual(1)
  },
)

test('every failpoint in the code was reached, and no delivery was forged', () => {
  expect([...reached].sort()).toEqual([...incomingFailpoints].sort())
  expect(stack.receiver.forged).toEqual([])
})
