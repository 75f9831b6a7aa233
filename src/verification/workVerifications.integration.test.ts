import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { addCredit, madeContext, setPrice, setProductPrice } from '../../test/support/madeVerifications.ts'
import { tracedHere } from '../../test/support/tracedHere.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { dollars } from '../ledger/entry.ts'
import { newId } from '../platform/ids.ts'
import { pause } from '../platform/wait.ts'
import { assessRisk } from './assessRisk.ts'
import { claimDue } from './claimDue.ts'
import { createVerification } from './createVerification.ts'
import type { Outcome } from './model.ts'
import { outcomesOf } from './outcomesOf.ts'
import { readAnyRequest } from './readVerification.ts'
import { coveredPending } from './resumePending.ts'
import { sandboxVerifier } from './sandboxVerifier.ts'
import type { Verifier } from './verifier.ts'
import { workOn } from './workOn.ts'
import { workVerifications } from './workVerifications.ts'

/** The queue, with verifiers that do not behave. */

let database: TestDatabase
let stopping = new AbortController()
let working: Promise<void> = Promise.resolve()
const logged: string[] = []
const price = 1000n

beforeAll(async () => {
  database = await createTestDatabase(16)
  await setPrice(database.db, 'NG', 'passport', price)
  await setProductPrice(database.db, 'assessment', price)
})
afterEach(async () => {
  stopping.abort()
  await working
  logged.length = 0
  await database.db.query(
    `update verifications set status = 'error', reason_code = 'provider_unavailable', completed_at = now(), next_attempt_at = null
     where completed_at is null`,
  )
})
afterAll(() => database?.drop())

const contextOf = (verifier: Verifier | null) => madeContext(database.db, verifier, logged)

async function business(credit = 1000n * price): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id, 'test')
  if (credit > 0n) await addCredit(database.db, id, credit)
  return id
}

async function verification(businessId: string, idNumber = 'A1') {
  const wanted = { requestId: newId(), country: 'NG', idType: 'passport', idNumber, firstName: 'Canary' }
  return createVerification(contextOf(quick), { actor: systemActor('test'), businessId }, wanted)
}
const verifications = (businessId: string, count: number, idNumber?: string) =>
  Promise.all(Array.from({ length: count }, () => verification(businessId, idNumber)))

function work(verifier: Verifier | null): void {
  stopping = new AbortController()
  working = workVerifications(contextOf(verifier), stopping.signal)
}

const statusOf = async (businessId: string, id: string) =>
  (await readAnyRequest(database.db, businessId, id)).status
const isCompleted = async (businessId: string, id: string) => (await statusOf(businessId, id)) === 'completed'

const answering = (check: Verifier['check']): Verifier => ({ name: 'stand-in', check })
const quick = answering(async ({ id }) => ({ id, outcome: { status: 'completed' } }))
/** Silent for SILENT, and counts the checks that run at once. */
function partlySilent() {
  const silent = { now: 0, max: 0, started: 0 }
  const verifier = answering(async ({ id, person }, signal) => {
    if (person.idNumber !== 'SILENT') return { id, outcome: { status: 'completed' } }
    silent.started++
    silent.max = Math.max(silent.max, ++silent.now)
    await pause(60_000, signal)
    silent.now--
    throw new Error('no answer')
  })
  return { silent, verifier }
}

test('a business whose checks have no answer does not delay another one', async () => {
  const [slow, other] = [await business(), await business()]
  await verifications(slow, 60, 'SILENT')
  const { silent, verifier } = partlySilent()
  work(verifier)
  await waitFor('the share of the slow business', async () => silent.now === 8)
  const { id } = await verification(other)
  await waitFor('the end of the other one', () => isCompleted(other, id), 5000)
  expect(silent).toEqual({ now: 8, max: 8, started: 8 })
})

test('retries do not delay first attempts of the same business, nor first attempts its retries', async () => {
  const slow = await business()
  const rows = await verifications(slow, 40, 'SILENT')
  const { id: retried } = await verification(slow)
  const retries = [...rows.slice(0, 10).map(({ id }) => id), retried]
  const { silent, verifier } = partlySilent()
  await database.db.query(
    "update verifications set attempts = 3, next_attempt_at = now() - interval '1 hour' where id = any($1)",
    [retries.slice(0, 10)],
  )
  await database.db.query(
    "update verifications set attempts = 3, next_attempt_at = now() - interval '2 hours' where id = $1",
    [retried],
  )
  work(verifier)
  await waitFor('the retry among first attempts', () => isCompleted(slow, retried), 5000)
  await waitFor('both shares', async () => silent.now === 12)
  expect(silent.max).toBe(12)
})

test('businesses take turns: one with many checks has no more of them at once than another', async () => {
  const [many, few] = [await business(), await business()]
  await verifications(many, 30)
  const last = (await verifications(few, 3)).map(({ id }) => id)
  const order: string[] = []
  work(
    answering(async ({ id }) => {
      order.push(id)
      return { id, outcome: { status: 'completed' } }
    }),
  )
  await waitFor('all', async () => order.length === 33)
  expect(last.map((id) => order.indexOf(id)).every((at) => at < 12)).toBe(true)
})

test('a verifier that ignores the signal holds no check and no stop', async () => {
  const deaf = answering(() => new Promise(() => {}))
  const businessId = await business()
  const row = await verification(businessId)
  expect(await outcomesOf({ ...contextOf(deaf), verifier: deaf }, row, AbortSignal.timeout(20))).toEqual([])
  expect(logged.join()).toContain('no answer in time')
  work(deaf)
  await waitFor('its claim', async () => (await statusOf(businessId, row.id)) === 'processing')
  stopping.abort()
  await working
})

test('without a verifier what has waited for a day ends, and gives its price back; nothing is checked', async () => {
  const businessId = await business(2n * price)
  const [old, young] = await verifications(businessId, 2)
  const waiting = await assessRisk(
    contextOf(quick),
    { actor: systemActor('test'), businessId },
    { requestId: newId() },
  )
  await database.db.query("update verifications set queued_at = now() - interval '25 hours' where id = $1", [
    old?.id,
  ])
  work(null)
  await waitFor('the end of the old one', async () => (await statusOf(businessId, old?.id ?? '')) === 'error')
  expect(await statusOf(businessId, young?.id ?? '')).toBe('queued')
  expect(await statusOf(businessId, waiting.id)).toBe('pending_credit')
})

test.each<[string, unknown]>([
  ['a status that does not exist', { status: 'passed' }],
  ['a reason that does not exist', { status: 'failed', reasonCode: 'too_young' }],
  ['a reason of the prototype', { status: 'failed', reasonCode: 'constructor' }],
  ['no reason', { status: 'not_found' }],
  ['an answer of another kind', { status: 'completed', answer: 'allow' }],
  ['nothing', undefined],
])('%s is no outcome', async (_name, outcome) => {
  const row = await verification(await business())
  const verifier = answering(async ({ id }) => ({ id, outcome: outcome as Outcome }))
  expect(await outcomesOf({ ...contextOf(verifier), verifier }, row, AbortSignal.timeout(5000))).toEqual([])
})

test("a verifier's own text is neither stored nor logged", async () => {
  const businessId = await business()
  const [named, failing] = await verifications(businessId, 2)
  work(
    answering(async ({ id, person }) => {
      if (id === failing?.id)
        throw Object.assign(new TypeError(`cannot check ${person.firstName}`), { code: 'EREGISTER' })
      return {
        id,
        outcome: {
          status: 'failed',
          reasonCode: 'document_expired',
          reason: `the passport of ${person.firstName}`,
        } as Outcome,
      }
    }),
  )
  await waitFor('its end', async () => (await statusOf(businessId, named?.id ?? '')) === 'failed')
  await waitFor('the failure', async () => logged.join().includes('TypeError EREGISTER'))
  expect(await readAnyRequest(database.db, businessId, named?.id ?? '')).toMatchObject({
    reason: 'The document has expired',
  })
  expect(logged.join()).not.toContain('Canary')
})

test('an answer for another one ends neither', async () => {
  const businessId = await business()
  const [one, other] = await verifications(businessId, 2)
  let checks = 0
  work(
    answering(async ({ id }) => {
      checks++
      return { id: (id === one?.id ? other : one)?.id ?? '', outcome: { status: 'completed' } }
    }),
  )
  await waitFor('both checks', async () => checks >= 2)
  stopping.abort()
  await working
  for (const row of [one, other]) expect(await statusOf(businessId, row?.id ?? '')).toBe('processing')
})

test('of two answers the first counts: one outcome, one charge, one event', async () => {
  const businessId = await business()
  const row = await verification(businessId, 'TEST-TWICE')
  const ctx = { ...contextOf(sandboxVerifier), verifier: sandboxVerifier }
  expect(await outcomesOf(ctx, row, AbortSignal.timeout(5000))).toHaveLength(2)
  await workOn(ctx, row, AbortSignal.timeout(5000))
  expect(await statusOf(businessId, row.id)).toBe('completed')
  const events = await database.db.query("select type from events where data->>'id' = $1", [row.id])
  expect(events).toEqual([{ type: 'verification.completed' }])
  const entries = await database.db.query(
    'select kind from ledger_entries where reference = $1 order by step',
    [row.id],
  )
  expect(entries).toEqual([{ kind: 'verification.held' }, { kind: 'verification.taken' }])
})

test('processes that claim at once take each check once', async () => {
  const rows = await verifications(await business(), 24)
  const claims = {
    attempt: 'first',
    max: 24,
    maxPerBusiness: 24,
    running: new Map(),
    onlyOld: false,
  } as const
  const claimed = await Promise.all(Array.from({ length: 12 }, () => claimDue(database.db, claims)))
  const ids = (of: { id: string }[]) => of.map(({ id }) => id).sort()
  expect(ids(claimed.flat())).toEqual(ids(rows))
})

test('the search for credit reads one assessment of each business, not all that wait', async () => {
  const poor = await business(0n)
  await database.db.query(
    `insert into verifications (id, kind, business_id, request_id, price, status, data_key, next_attempt_at)
     select gen_random_uuid(), 'assessment', $1, 'many-' || n, 1000, 'pending_credit', '\\x00', null from generate_series(1, 3000) n`,
    [poor],
  )
  await database.db.query('analyze verifications')
  const plan = await database.db.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, timing off, costs off) ${coveredPending}`,
    [dollars],
  )
  const [, buffers = '0'] = /shared hit=(\d+)/.exec(plan.map((row) => row['QUERY PLAN']).join('\n')) ?? []
  expect(Number(buffers)).toBeLessThan(60)
})

test('the first attempt of a check is a part of the trace of its request, a later one is linked to it', async () => {
  const traced = await tracedHere()
  try {
    const businessId = await business()
    const { id } = await traced.request(() => verification(businessId))
    let tries = 0
    work(
      answering(async (check) => {
        if (++tries === 1) throw new Error('down')
        return { id: check.id, outcome: { status: 'completed' } }
      }),
    )
    const first = await traced.step('step verifications')
    expect([first.how, first.span.attributes['cowry.row.id']]).toEqual(['part', id])
    await waitFor('the failed attempt', async () => tries === 1)
    await database.db.query('update verifications set next_attempt_at = now() where id = $1', [id])
    await waitFor('the second attempt', () => isCompleted(businessId, id))
    const [row] = await database.db.query<{ traceparent: string }>(
      'select traceparent from verifications where id = $1',
      [id],
    )
    expect(row?.traceparent).toBe(traced.cause.traceparent)
    expect((await traced.linked('step verifications')).traceId).not.toBe(first.span.traceId)
  } finally {
    await traced.stop()
  }
})
