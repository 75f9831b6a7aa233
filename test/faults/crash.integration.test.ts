import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { addressCodec } from '../../src/chains/codecs.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { type IncomingFailpoint, incomingFailpoints } from '../../src/platform/failpoints.ts'
import { watchAccount } from '../../src/suspense/watchAccount.ts'
import { rpc } from '../devnets/evm.ts'
import { effectsOn, leftovers } from '../support/outcome.ts'
import { createStack, type ProgramName, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'

let stack: Stack
const proofs = mkdtempSync(join(tmpdir(), 'cowry-failpoints-'))
const reached = new Set<string>()

beforeAll(async () => {
  // The pool is filled as soon as anything is taken, so that a fill that was cut short shows.
  stack = await createStack({ apart: true, confirmations: 2, env: { POOL_LOW_WATER: '390', WEBHOOK_TIMEOUT_MS: '1000' } })
})
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const amount = 5_000_000n
/** As if it were an account of the platform that deposits share. */
const platformAccount = '0x00000000000000000000000000000000005a5a5a'

interface Scenario {
  process: ProgramName
  /** Makes the process reach its failpoint; gets what it did before it was armed. */
  cause(session: SessionBody): Promise<unknown>
  /** Brings about what must be there before the process is armed. */
  before?(session: SessionBody): Promise<unknown>
  /** What holds while the killed one is not restarted yet. */
  killed?(session: SessionBody): Promise<unknown>
  /** What holds after the restart, besides that the session is paid once. */
  after?(session: SessionBody): Promise<unknown>
}

const pay = async (session: SessionBody) => {
  await stack.send(session.address, amount)
  await stack.mine()
}
const settle: Scenario = { process: 'worker', cause: pay }

/** One for each failpoint that the code names: the compiler refuses a missing one. */
const scenarios: Record<IncomingFailpoint, Scenario> = {
  'treasury.seed-stored': {
    process: 'treasury',
    before: async () => {
      await stack.stop('treasury')
      await stack.db.query('delete from seeds')
      await stack.db.query('delete from deposit_addresses where taken_at is null')
    },
    cause: async () => {},
    after: async () => expect(await stack.db.query('select count(*)::int as seeds from seeds')).toEqual([{ seeds: 1 }]),
  },
  'treasury.pool-filled': {
    process: 'treasury',
    before: async () => {
      await stack.stop('treasury')
      await stack.db.query('delete from deposit_addresses where taken_at is null')
    },
    cause: async () => {},
    after: async () => {
      const pool = () => stack.db.query<{ free: number }>('select count(*)::int as free from deposit_addresses where taken_at is null')
      await waitFor('a full pool', async () => ((await pool())[0]?.free ?? 0) >= 390)
      const [row] = await stack.db.query('select count(*)::int as rows, count(distinct address)::int as addresses from deposit_addresses')
      expect(row?.rows).toBe(row?.addresses)
    },
  },
  'api.idempotency-leased': {
    process: 'api',
    cause: () => keyedCreate('leased').catch(() => {}),
    after: async () => {
      expect((await keyedCreate('leased')).body).toMatchObject({ error: 'request_in_progress' })
      // As if the lease's minute had passed.
      await stack.db.query("update idempotency_keys set lease_until = now() - interval '1 second' where response_status is null")
      expect((await keyedCreate('leased')).status).toBe(201)
      expect(await stack.db.query("select count(*)::int as stored from pos_sessions where reference = 'leased'")).toEqual([{ stored: 1 }])
    },
  },
  'api.session-stored': {
    process: 'api',
    cause: () => keyedCreate('stored').catch(() => {}),
    after: async () => {
      const again = await keyedCreate('stored')
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect(await stack.db.query("select id from pos_sessions where reference = 'stored'")).toEqual([{ id: again.body.id }])
    },
  },
  'api.session-cancelled': {
    process: 'api',
    before: async () => {
      cancelled = await stack.createSession()
    },
    cause: () => cancel().catch(() => {}),
    after: async () => {
      expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      expect(
        await stack.db.query("select count(*)::int as events from events where type = 'session.cancelled' and data->>'id' = $1", [cancelled?.id]),
      ).toEqual([{ events: 1 }])
    },
  },
  'api.address-monitored': {
    process: 'api',
    cause: () => keyedMonitor().catch(() => {}),
    after: async () => {
      const again = await keyedMonitor()
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect(await stack.db.query("select id from watches where purpose = 'monitor' and address = $1", [bytesOf(monitored.stored)])).toEqual([
        { id: again.body.id },
      ])
    },
  },
  'indexer.leader-elected': { process: 'indexer', cause: async () => {} },
  'indexer.cursor-moved': {
    process: 'indexer',
    cause: pay,
    // The cursor's update, the header and whatever else the transaction had written went with it.
    killed: async (session) => {
      const head = await stack.height()
      expect(await readUpTo()).toEqual({ height: head - 1, covered: head - 1, header: head - 1 })
      expect(await detectionsOf(session)).toBe(0)
    },
    after: (session) => waitFor('the detection', async () => (await detectionsOf(session)) === 1),
  },
  'indexer.block-committed': { process: 'indexer', cause: pay },
  'indexer.rewound': {
    process: 'indexer',
    before: async (session) => {
      await pay(session)
      await stack.mine()
      await stack.sessionIs(session.id, 'paid')
    },
    cause: () => rpc(stack.devnet.rpcUrl, 'anvil_reorg', [2, []]),
    after: async (session) => {
      await waitFor('the reversal', async () => (await stack.session(session.id)).status === 'pending')
      await pay(session)
      await stack.mine(2)
      await stack.sessionIs(session.id, 'paid')
      await waitFor(
        'two session.paid, one reversed',
        async () => stack.receiver.types(session.id).filter((type) => type === 'session.paid').length === 2,
      )
      expect(stack.receiver.types(session.id).filter((type) => type === 'session.reversed')).toHaveLength(1)
    },
  },
  'indexer.reread': {
    process: 'indexer',
    // A stretch that the record shows as never read, with a payment in it that nobody has seen.
    before: async (session) => {
      await stack.caughtUp()
      await stack.stop('indexer')
      await pay(session)
      await stack.mine(2)
      await stack.db.query("update chain_cursors set height = $1 where chain = 'ethereum'", [await stack.height()])
    },
    cause: async () => {},
    killed: async (session) => {
      const head = await stack.height()
      expect(await readUpTo()).toEqual({ height: head, covered: head, header: head })
      expect(await detectionsOf(session)).toBe(1)
    },
    after: async (session) => {
      await waitFor('the payment in the session', async () => (await stack.session(session.id)).payments.length === 1)
      await stack.mine()
      await stack.caughtUp()
      // Told by the one that was killed; the next one found nothing that was never read.
      expect(stack.logs().split('blocks that were never read').length - 1).toBeLessThanOrEqual(1)
      expect(await metric(stack.processes.get('indexer'), 'cowry_chain_gap_blocks')).toBe(0)
    },
  },
  'indexer.import-piece': {
    process: 'indexer',
    before: async () => {
      await stack.send(monitored.imported, amount)
      await stack.mine()
      await stack.caughtUp()
      await stack.stop('indexer')
      imported = await monitor(monitored.imported, { fromBlock: await stack.height() })
    },
    cause: async () => {},
    killed: async () => expect(await stack.db.query('select count(*)::int as found from monitoring_imports where found = 1')).toEqual([{ found: 1 }]),
    after: async () => {
      await waitFor('the import', async () => (await stack.api('GET', `/monitoring/imports/${imported?.importId}`)).body.status === 'completed')
      await stack.mine(2)
      await toldOnce(imported)
    },
  },
  'monitoring.recorded': {
    process: 'worker',
    before: async () => {
      moved = await monitor(monitored.moved)
    },
    cause: async (session) => {
      await stack.send(monitored.moved, amount)
      await pay(session)
    },
    after: async () => {
      await stack.mine(2)
      await toldOnce(moved)
    },
  },
  'relay.published': settle,
  'relay.claimed': settle,
  'suspense.settled': {
    process: 'worker',
    before: () => watchAccount({ db: stack.db, codec: addressCodec('evm') }, 'evm', platformAccount),
    cause: async (session) => {
      await stack.send(platformAccount, amount)
      await pay(session)
    },
    after: async () => {
      await stack.mine(2)
      const account = { name: 'suspense', businessId: null, asset: 'ethereum:USDC' } as const
      await waitFor('the payment in suspense', async () => (await balanceOf(stack.db, account)) > 0n)
      await stack.idle()
      expect(await balanceOf(stack.db, account)).toBe(amount)
      expect(await stack.db.query("select count(*)::int as entries from ledger_entries where kind like 'suspense.%'")).toEqual([{ entries: 1 }])
    },
  },
  'session-payment.settled': settle,
  'webhook-delivery.woken': settle,
  'webhook-delivery.claimed': settle,
  'webhook-delivery.sent': settle,
  'webhook-delivery.recorded': settle,
}

/** How far the chain was read, by cursor, record of coverage and headers; the record has no gap. */
async function readUpTo() {
  const [row] = await stack.db.query(
    `select height::int, (upper(covered) - 1)::int as covered, (select max(height) from blocks b where b.chain = c.chain and canonical)::int as header
     from chain_cursors c where chain = 'ethereum' and (select count(*) from unnest(covered)) = 1`,
  )
  return row
}
async function detectionsOf(session: SessionBody): Promise<number> {
  const [row] = await stack.db.query<{ count: number }>('select count(*)::int from detections where subject_id = $1', [session.id])
  return row?.count ?? -1
}

interface MonitoredBody {
  id: string
  importId?: string
}
/** One for each failpoint of monitoring. */
const monitored = {
  stored: '0x0000000000000000000000000000000000005701',
  imported: '0x0000000000000000000000000000000000005702',
  moved: '0x0000000000000000000000000000000000005703',
} as const
let imported: MonitoredBody | undefined
let moved: MonitoredBody | undefined
const bytesOf = (address: string) => Buffer.from(addressCodec('evm').bytes(address))
const keyedMonitor = () =>
  stack.api<MonitoredBody>('POST', '/monitoring/addresses', { chain: 'ethereum', address: monitored.stored }, { 'idempotency-key': 'monitored' })
const monitor = async (address: string, more: object = {}) =>
  (await stack.api<MonitoredBody>('POST', '/monitoring/addresses', { chain: 'ethereum', address, ...more })).body

/** Detected and confirmed, once each, of an address that was paid once. */
async function toldOnce(entry: MonitoredBody | undefined): Promise<void> {
  const told = async () =>
    (await stack.db.query<{ type: string }>("select type from events where data->>'monitoredAddressId' = $1 order by sequence", [entry?.id])).map(
      ({ type }) => type,
    )
  await waitFor('the confirmation', async () => (await told()).includes('transaction.confirmed'))
  await stack.idle()
  expect(await told()).toEqual(['transaction.detected', 'transaction.confirmed'])
}

let cancelled: SessionBody | undefined
const cancel = () => stack.api('POST', `/pos/sessions/${cancelled?.id}/cancel`, undefined, { 'idempotency-key': 'cancelled' })
const keyedCreate = (key: string) =>
  stack.api<SessionBody>('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1', reference: key }, { 'idempotency-key': key })

test.each(incomingFailpoints)('SIGKILL at %s: exactly one detection and one credit, at least one delivery, nothing stuck', async (name) => {
  const scenario = scenarios[name]
  const session = await stack.createSession({ amount: '5' })
  await scenario.before?.(session)
  await stack.stop(scenario.process)

  const proof = join(proofs, name)
  const doomed = stack.launch(scenario.process, { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof })
  await Promise.race([doomed.ready(), doomed.ended])
  await scenario.cause(session)
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
  await scenario.killed?.(session)

  await stack.start(scenario.process)
  await scenario.after?.(session)
  if ((await stack.session(session.id)).payments.length === 0 && scenario.cause !== pay) await stack.send(session.address, amount)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid', 'none', 30_000)
  await stack.idle(30_000)
  const effects = (await effectsOn(stack, [session.id])).get(session.id)
  expect(effects).toMatchObject({ detections: 1, credits: 1, status: 'paid' })
  expect(effects?.paidEvents).toBe(name === 'indexer.rewound' ? 2 : 1)
  expect(effects?.paidDeliveries).toBeGreaterThanOrEqual(1)
  expect(await leftovers(stack)).toEqual({ outbox: 0, pendingDeliveries: 0, unsettled: 0 })
})

test('every failpoint that the code names was reached, and no delivery was forged', () => {
  expect([...reached].sort()).toEqual([...incomingFailpoints].sort())
  expect(stack.receiver.forged).toEqual([])
})
