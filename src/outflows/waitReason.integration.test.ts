import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { deciding, type ScreeningStandIn, startScreeningStandIn } from '../../test/partners/screening.ts'
import { addBusiness, addMember, addPerson, type Person } from '../../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { howMany } from '../../test/support/full.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { giveBalance, makePayout } from '../../test/support/madePayout.ts'
import { outflowEventsFor } from '../../test/support/outflowEvents.ts'
import { urlAs } from '../../test/support/template.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { setApproval } from '../businesses/operateBusinesses.ts'
import { sealAccount } from '../destinations/sealedAccount.ts'
import { post } from '../ledger/post.ts'
import { cancelPayout } from '../payouts/cancelPayout.ts'
import { markPayoutPaid } from '../payouts/markPayoutPaid.ts'
import { readSettings } from '../platform/config.ts'
import { type ModelDb, openModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { pause } from '../platform/wait.ts'
import { requireWithinPayoutLimits } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { pauseSending, resumeSending } from '../txmgr/pause.ts'
import type { OutflowsContext } from './context.ts'
import { moveOutflow, type OutflowChange } from './moveOutflow.ts'
import { lockClaimed, type Outflow, readOutflows } from './outflow.ts'
import type { Screening } from './screening/requestScreening.ts'
import { screenOutflow } from './screening/screenOutflow.ts'
import { startScreening } from './screening/startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'
import { type NewOutflow, storeOutflow } from './storeOutflow.ts'
import { waitReason } from './waitReason.ts'

// What keeps a payout from leaving, and how its wait ends, with the rights that the worker has in the
// database.

const appKey = new Secret(randomBytes(32).toString('base64'))
const outflowEvents = outflowEventsFor(appKey)
const hourMs = 3_600_000
const million = 1_000_000n

let database: TestDatabase
let db: ModelDb
let worker: ModelDb
let ctx: OutflowsContext
let businessId: string
let owners: [Person, Person]
let wallet: string

beforeAll(async () => {
  database = await createTestDatabase(10)
  db = database.db
  worker = openModelDb(urlAs('worker', database.url), 10)
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})
beforeEach(async () => {
  owners = [await addPerson({ db }), await addPerson({ db })]
  businessId = await addBusiness({ db }, owners[0])
  await addMember({ db }, businessId, 'owner', owners[1])
  await giveBalance(db, businessId, { chain: 'ethereum', token: 'USDC' }, 100n * million)
  wallet = await makeDestination(db, businessId)
  const maker = { madeBy: 'worker', prover: provers.worker } as const
  const accountsOf = async (chain: string) => {
    throw new Error(`${chain} is not read here`)
  }
  const nothing = {
    partner: null,
    screening: null,
    coinUsd: new Map(),
    pollMs: null,
    observe: () => {},
    accountsOf,
  }
  ctx = {
    db: worker,
    log: createLog('test', 'silent'),
    chains: [],
    purposes: [],
    environment: 'test',
    appKey,
    outflowEvents,
    maker,
    ...nothing,
  }
})

async function read(id: string): Promise<Outflow> {
  const [outflow] = await readOutflows(db, 'id = $1', [id])
  if (!outflow) throw new Error(`no outflow ${id}`)
  return outflow
}
const pay = async (more: Partial<NewOutflow> = {}, to = wallet) =>
  read(await makePayout(db, businessId, to, more))
const waits = (outflow: Outflow) => waitReason(ctx, outflow)
const reasonOf = async (outflow: Outflow) => (await waits(outflow))?.reason ?? null
const eventsOf = async (id: string) =>
  (
    await db.query<{ type: string }>("select type from events where data->>'id' = $1 order by sequence", [id])
  ).map(({ type }) => type)
/** The balance and what is held, in millionths. */
async function balances() {
  const rows = await db.query<{ name: string; amount: string }>(
    `select a.name, (-sum(p.amount))::text as amount from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.business_id = $1 group by a.name`,
    [businessId],
  )
  return Object.fromEntries(rows.map(({ name, amount }) => [name, BigInt(amount)]))
}
const setLimits = (limits: Record<string, string>) =>
  db.query(
    `insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 24, $2)
     on conflict (business_id) do update set limits = excluded.limits`,
    [
      businessId,
      JSON.stringify(
        Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, { value, next: null }])),
      ),
    ],
  )

describe('a pending payout', () => {
  test('leaves at once where nothing keeps it', async () => expect(await waits(await pay())).toBeNull())

  test('waits where it needs an approval that no owner has given', async () => {
    expect(await waits(await pay({ needsApproval: true }))).toEqual({
      reason: 'approval_missing',
      nextInMs: 30_000,
      ends: false,
    })
  })

  test('waits while its business is suspended, and on mainnets until it is approved', async () => {
    const payout = await pay()
    await setApproval({ db }, systemActor('test'), businessId, 'suspended', 'papers')
    expect(await waits(payout)).toEqual({ reason: 'held', nextInMs: 30_000, ends: false })
    await db.query("update businesses set approval = 'pending' where id = $1", [businessId])
    expect(await reasonOf(payout)).toBeNull()
    ctx = { ...ctx, environment: 'live' }
    expect(await reasonOf(payout)).toBe('held')
    await setApproval({ db }, systemActor('test'), businessId, 'approved', null)
    expect(await reasonOf(payout)).toBeNull()
  })

  test('waits until its destination is usable, and shows why once', async () => {
    const { id } = await pay(
      {},
      await makeDestination(db, businessId, { usableFrom: new Date(Date.now() + 24 * hourMs) }),
    )
    await stepOutflow(ctx, id)
    const waiting = await read(id)
    expect([waiting.status, waiting.reason, waiting.revision]).toEqual(['pending', 'cooling_off', 2])
    const wait = Date.parse(waiting.nextAt ?? '') - Date.now()
    expect(wait > 23.9 * hourMs && wait <= 24 * hourMs).toBe(true)
    await db.query('update outflows set next_at = now() where id = $1', [id])
    await stepOutflow(ctx, id)
    expect((await read(id)).revision).toBe(2)
    await db.query('update payout_destinations set usable_from = now() where id = $1', [
      waiting.destinationId,
    ])
    expect(await waits(await read(id))).toBeNull()
  })

  test('fails where its destination was archived, and its money is available again', async () => {
    const before = await balances()
    const { id } = await pay()
    await db.query('update payout_destinations set archived_at = now() where id = $1', [wallet])
    await stepOutflow(ctx, id)
    expect(await read(id)).toMatchObject({ status: 'failed', reason: 'destination_archived', nextAt: null })
    expect(await balances()).toEqual({ ...before, payouts_held: 0n })
    expect(await eventsOf(id)).toEqual(['payout.failed'])
  })

  test('waits while its chain is paused', async () => {
    const payout = await pay()
    await pauseSending(db, 'ethereum', 'a test')
    expect(await waits(payout)).toEqual({ reason: 'outgoing_paused', nextInMs: 30_000, ends: false })
    await resumeSending(db, 'ethereum')
    expect(await waits(payout)).toBeNull()
  })
})

describe('automatic payouts', () => {
  test('wait for the limit of a day, also when many workers step at a time', async () => {
    await setLimits({ maxPerDay: '3' })
    const payouts = await Promise.all(Array.from({ length: 8 }, () => pay({ automatic: true })))
    const reasons = await Promise.all(payouts.map(reasonOf))
    expect(reasons.toSorted()).toEqual([...Array(5).fill('daily_limit'), null, null, null])
    // One that counts leaves whenever it is stepped again, and makes room when it does not leave.
    const [first] = payouts.filter((_, index) => reasons[index] === null)
    const [next] = payouts.filter((_, index) => reasons[index] !== null)
    if (!first || !next) throw new Error('none')
    expect([await reasonOf(first), await reasonOf(next)]).toEqual([null, 'daily_limit'])
    await cancelPayout({ db, appKey, outflowEvents }, businessId, first.id, async () => {})
    expect(await reasonOf(next)).toBeNull()
  })

  test('wait for a limit of a payout, and need no approval', async () => {
    await setLimits({ maxPerPayout: '0.99', approvalAbove: '0' })
    const payout = await pay({ automatic: true })
    expect(await reasonOf(payout)).toBe('payout_limit')
    await setLimits({ maxPerPayout: '1', approvalAbove: '0' })
    expect(await reasonOf(payout)).toBeNull()
  })
})

test('payouts and refunds that are requested at a time do not exceed a limit of a day together', async () => {
  await setLimits({ maxPerDay: '5' })
  const taken = { chain: 'ethereum', token: 'USDC', amount: million }
  const target = { ...taken, address: `0x${'34'.repeat(20)}`, memo: null }
  const asked = Array.from({ length: 16 }, (_, index) =>
    db.tx(async (tx) => {
      await requireWithinPayoutLimits(ctx, tx, businessId, taken)
      const kind = index % 2 ? 'refund' : 'payout'
      const wanted = { kind, businessId, status: 'pending', ...taken, wallet: target, bank: null } as const
      const { entries } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, wanted)
      await post(tx, entries)
    }),
  )
  const done = await Promise.allSettled(asked)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(done.flatMap((each) => (each.status === 'rejected' ? [each.reason.error] : []))).toEqual(
    Array(11).fill('limit_exceeded'),
  )
})

test('a business that is approved again has its held payouts stepped at once, and no other', async () => {
  const [held, cooling] = [
    await pay(),
    await pay({}, await makeDestination(db, businessId, { usableFrom: new Date(Date.now() + 86_400_000) })),
  ]
  await stepOutflow(ctx, cooling.id)
  await setApproval({ db }, systemActor('test'), businessId, 'suspended', 'a test')
  await stepOutflow(ctx, held.id)
  const isDue = async ({ id }: Outflow) =>
    (await db.query('select 1 from outflows where id = $1 and next_at <= now()', [id])).length > 0
  expect([await read(held.id), await isDue(held)]).toEqual([
    expect.objectContaining({ status: 'pending', reason: 'held' }),
    false,
  ])
  await setApproval({ db }, systemActor('test'), businessId, 'approved', null)
  expect([await isDue(held), await isDue(cooling)]).toEqual([true, false])
  expect(await reasonOf(await read(held.id))).toBeNull()
})

describe('the screening of the operator', () => {
  let standIn: ScreeningStandIn
  let stops: (() => Promise<void>)[]
  const screeningOf = (url: string, secret = standIn.secret): Screening => {
    const settings = { SCREENING_URL: url, SCREENING_SECRET: secret }
    const made = startScreening({
      settings: (of) => readSettings('worker', of, settings),
      onStop: (stop) => void stops.push(stop),
    })
    if (!made) throw new Error('no screening')
    return made
  }

  beforeEach(async () => {
    stops = []
    standIn = await startScreeningStandIn()
    ctx = { ...ctx, screening: screeningOf(standIn.url) }
  })
  afterEach(async () => {
    await standIn.close()
    await Promise.all(stops.map((stop) => stop()))
  })

  test('gets one request for what it allows, and another one for another target', async () => {
    const payout = await pay()
    expect([await waits(payout), await waits(payout)]).toEqual([null, null])
    expect(standIn.asked).toEqual([
      {
        type: 'outflow.screening',
        data: {
          ...{
            id: payout.id,
            kind: 'payout',
            businessId,
            sessionId: null,
            amount: '1',
            source: { chain: 'ethereum', token: 'USDC' },
          },
          destination: {
            kind: 'wallet',
            chain: 'ethereum',
            token: 'USDC',
            address: expect.stringMatching(/^0x/),
            memo: null,
            memoType: null,
          },
          createdAt: payout.createdAt.toISOString(),
        },
      },
    ])
    await db.query('update outflows set to_address = $2 where id = $1', [payout.id, `0x${'12'.repeat(20)}`])
    expect(await waits(await read(payout.id))).toBeNull()
    expect([standIn.asked.length, standIn.forged]).toEqual([2, 0])
  })

  test('gets the account of a bank, which no row shows', async () => {
    const [id, number, networkId] = [newId(), '5501928374', 'gt']
    const sealed = sealAccount(
      appKey,
      { id, businessId, networkId },
      { number: new Secret(number), holder: 'Ada' },
    )
    await db.query(
      `insert into payout_destinations (id, business_id, kind, fingerprint, network_id, bank_name, country, currency, sealed_account, usable_from)
       values ($1, $2, 'bank', $3, $4, 'Guaranty Trust Bank', 'NG', 'NGN', $5, now())`,
      [id, businessId, Buffer.from(id), networkId, sealed],
    )
    const outflow = await pay()
    const bank = { partner: 'yellowcard', networkId, currency: 'NGN', price: null }
    expect(await screenOutflow(ctx, { ...outflow, destinationId: id, wallet: null, bank })).toBeNull()
    expect(standIn.asked[0]).toMatchObject({
      data: {
        destination: {
          ...{
            kind: 'bank',
            networkId,
            bankName: 'Guaranty Trust Bank',
            country: 'NG',
            currency: 'NGN',
            accountNumber: number,
            accountName: 'Ada',
          },
        },
      },
    })
    const rows = await db.query<{ row: string }>('select s::text as row from outflow_screenings s')
    expect(rows.some(({ row }) => row.includes(number))).toBe(false)
  })

  test('denies: the payout fails, and is not screened again', async () => {
    standIn.answer = deciding('deny', { reason: 'on a list' })
    const { id } = await pay()
    await stepOutflow(ctx, id)
    expect(await read(id)).toMatchObject({ status: 'failed', reason: 'screening_denied' })
    const [row] = await db.query('select decision, reason from outflow_screenings where outflow_id = $1', [
      id,
    ])
    expect([row, standIn.asked.length]).toEqual([{ decision: 'deny', reason: 'on a list' }, 1])
  })

  type Answer = ScreeningStandIn['answer']
  const holds: [string, { answer?: Answer; screening?: () => Screening }][] = [
    ['it holds', { answer: deciding('hold') }],
    ['it answers something unknown', { answer: deciding('maybe') }],
    ['it answers no JSON', { answer: (response) => void response.end('allow') }],
    [
      'it answers an error',
      { answer: (response) => void response.writeHead(500).end('{"decision":"allow"}') },
    ],
    ['it answers too much', { answer: deciding('allow', { padding: 'x'.repeat(5000) }) }],
    [
      'it redirects',
      { answer: (response) => void response.writeHead(307, { location: `${standIn.url}/elsewhere` }).end() },
    ],
    [
      'it does not answer in time',
      { answer: () => {}, screening: () => ({ ...screeningOf(standIn.url), timeoutMs: 200 }) },
    ],
    ['it breaks off', { answer: (response) => void response.destroy() }],
    [
      'our secret is another one',
      { screening: () => screeningOf(standIn.url, `whsec_${Buffer.alloc(32, 1).toString('base64')}`) },
    ],
    ['it is down', { screening: () => screeningOf('http://127.0.0.1:9/screen') }],
  ]
  test.each(holds)(
    'the payout waits where %s, and goes on when it is allowed',
    async (_what, { answer, screening }) => {
      const payout = await pay()
      const good = ctx.screening
      if (answer) standIn.answer = answer
      if (screening) ctx = { ...ctx, screening: screening() }
      expect(await waits(payout)).toEqual({ reason: 'screening', nextInMs: 10_000, ends: false })
      // Once: it is not followed elsewhere.
      expect(standIn.asked.length + standIn.forged).toBeLessThanOrEqual(1)
      expect([await waits(payout), await waits(payout)]).toMatchObject([
        { nextInMs: 20_000 },
        { nextInMs: 40_000 },
      ])
      await db.query('update outflow_screenings set tries = 100 where outflow_id = $1', [payout.id])
      expect(await waits(payout)).toMatchObject({ nextInMs: 900_000 })
      standIn.answer = deciding('allow')
      ctx = { ...ctx, screening: good }
      expect(await waits(payout)).toBeNull()
    },
  )

  test('is dialled at its own host alone', async () => {
    const heard: string[] = []
    const other = createServer((socket) => {
      heard.push('dialled')
      socket.destroy()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve))
    const { port } = other.address() as { port: number }
    const { dispatcher } = ctx.screening as Screening
    await expect(
      dispatcher.request({ origin: `http://127.0.0.2:${port}`, path: '/', method: 'GET' }),
    ).rejects.toThrow('no public address')
    expect(heard).toEqual([])
    await new Promise((resolve) => other.close(resolve))
  })
})

describe('a payout that waits for an approval', () => {
  const ask = () => pay({ status: 'awaiting_approval', askedByAccount: owners[0].id })
  const decide = (id: string, decision: string) =>
    db.query(
      'update approvals set decision = $2, decided_by = $3, decided_at = now() where subject_id = $1',
      [id, decision, owners[1].id],
    )

  test('is stepped again before its approval expires', async () => {
    const { id } = await ask()
    await db.query("update approvals set expires_at = now() + interval '1 minute' where subject_id = $1", [
      id,
    ])
    await stepOutflow(ctx, id)
    const waiting = await read(id)
    expect([
      waiting.status,
      waiting.revision,
      Date.parse(waiting.nextAt ?? '') - Date.now() <= 60_000,
    ]).toEqual(['awaiting_approval', 1, true])
  })

  test.each([
    ['approved', () => {}, 'pending', null],
    ['refused', () => {}, 'failed', 'approval_refused'],
    [
      null,
      (id: string) => db.query('update approvals set expires_at = now() where subject_id = $1', [id]),
      'failed',
      'approval_expired',
    ],
    [
      null,
      () => db.query('delete from members where account_id = $1', [owners[0].id]),
      'failed',
      'approval_void',
    ],
    [
      'approved',
      () => db.query('delete from members where account_id = $1', [owners[1].id]),
      'failed',
      'approval_void',
    ],
  ] as const)('%s', async (decision, more, status, reason) => {
    const before = await balances()
    const { id } = await ask()
    if (decision) await decide(id, decision)
    await more(id)
    await stepOutflow(ctx, id)
    expect(await read(id)).toMatchObject({ status, reason })
    if (status === 'failed') expect(await balances()).toEqual({ ...before, payouts_held: 0n })
  })

  test('fails after it, too, when the approver has lost the right', async () => {
    const { id } = await ask()
    await decide(id, 'approved')
    await stepOutflow(ctx, id)
    expect(await reasonOf(await read(id))).toBeNull()
    await db.query('delete from members where account_id = $1', [owners[1].id])
    expect(await waits(await read(id))).toEqual({
      reason: 'approval_void',
      nextInMs: 0,
      ends: 'approval_over',
    })
  })
})

describe('a worker that takes a payout', () => {
  /** As the legs do: stores that it may leave, before anything can. */
  async function take(outflow: Outflow): Promise<void> {
    const [claimed] = await worker.query<{ nextAt: string }>(
      `update outflows set next_at = clock_timestamp() + interval '1 minute' where id = $1 and next_at <= now() returning next_at::text as "nextAt"`,
      [outflow.id],
    )
    if (!claimed) throw new Error('not due')
    await worker.tx(async (tx) => {
      const now = await lockClaimed(tx, { ...outflow, nextAt: claimed.nextAt })
      if (!now) throw new Error('changed')
      await moveOutflow(ctx, tx, now, { status: 'processing', nextInMs: 1000 })
    })
  }
  const others: [string, string, (of: Outflow) => Promise<unknown>][] = [
    [
      'marked as paid',
      'cancelled',
      ({ id }) =>
        markPayoutPaid(
          { db, appKey, outflowEvents },
          businessId,
          id,
          { revision: 1, proof: 'Receipt' },
          async () => {},
        ),
    ],
    [
      'cancelled',
      'cancelled',
      ({ id }) => cancelPayout({ db, appKey, outflowEvents }, businessId, id, async () => {}),
    ],
  ]

  test.each(others)('while it is %s: exactly one of the two happens', async (_what, status, change) => {
    const seen = new Set<string>()
    const rounds = howMany(12, 100)
    for (let round = 0; round < rounds; round++) {
      const outflow = await pay()
      const [first, second] =
        round % 2 === 0
          ? [() => change(outflow), () => take(outflow)]
          : [() => take(outflow), () => change(outflow)]
      const begun = first()
      // The second is later, by more each time; in the end each once when the other is done.
      const before = round < rounds - 2 ? pause(round * 2) : begun.catch(() => {})
      const done = (await Promise.allSettled([begun, before.then(second)])).map((each) => each.status)
      const after = await read(outflow.id)
      expect([done.toSorted(), ['processing', status].includes(after.status), after.revision]).toEqual([
        ['fulfilled', 'rejected'],
        true,
        2,
      ])
      expect(await eventsOf(outflow.id)).toEqual([
        after.status === 'processing' ? 'payout.sent' : `payout.${status}`,
      ])
      const ends = await db.query('select 1 from ledger_entries where reference = $1 and step = 2', [
        outflow.id,
      ])
      expect(ends).toHaveLength(after.status === 'processing' ? 0 : 1)
      seen.add(after.status)
    }
    expect(seen.size).toBe(2)
  })

  test('is reported as sent once, however often it is tried', async () => {
    const { id } = await pay()
    const move = (change: OutflowChange) =>
      worker.tx(async (tx) => void (await moveOutflow(ctx, tx, await read(id), change)))
    for (const status of ['processing', 'pending', 'processing', 'unknown', 'processing'] as const)
      await move({ status, nextInMs: 1000 })
    await move({ status: 'failed', release: 'chain_failed' })
    expect(await eventsOf(id)).toEqual(['payout.sent', 'payout.unknown', 'payout.failed'])
  })
})
