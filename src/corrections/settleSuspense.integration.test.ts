import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  account,
  createSharedAccount,
  depositOf,
  paymentTo,
  type SharedAccount,
} from '../../test/support/sharedAccount.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { newId } from '../platform/ids.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { settleSuspense } from './settleSuspense.ts'
import { suspenseState } from './suspenseState.ts'
import { suspenseWorker } from './suspenseWorker.ts'

let shared: SharedAccount
const asset = tokenAsset('stellar', 'USDC')

beforeAll(async () => {
  shared = await createSharedAccount()
})
afterAll(() => shared?.close())
beforeEach(async () => {
  await shared.takeJobs()
})

const books = async () => ({
  held: await balanceOf(shared.ctx.db, { name: 'deposits:stellar', businessId: null, asset }),
  owed: await balanceOf(shared.ctx.db, { name: 'suspense', businessId: null, asset }),
})
/** A payment that names no deposit, and its job. */
async function suspended(amount: bigint, memo?: string): Promise<OutboxJob<'suspense'>> {
  await shared.read(
    paymentTo(account, amount, memo === undefined ? {} : { memo: { type: 'text', value: memo } }),
  )
  const [{ detectionId = '', outboxId = '', reason } = { reason: 'seen' as const }] = await shared.takeJobs()
  return { detectionId, outboxId, reason }
}
const setStatus = (detectionId: string, status: string) =>
  shared.ctx.db.query('update detections set status = $2 where id = $1', [detectionId, status])
const settle = (job: OutboxJob<'suspense'>) => settleSuspense(shared.ctx, job)

describe('a payment that names no deposit', () => {
  test('is posted once it is confirmed: the platform holds it, and owes it to an unknown owner', async () => {
    const before = await books()
    const job = await suspended(5n, 'for you')
    expect(await settle(job)).toMatchObject({
      change: 'credited',
      payment: { chain: 'stellar', token: 'USDC', amount: '5', memo: 'for you', memoType: 'text' },
    })
    expect(await books()).toEqual({ held: before.held + 5n, owed: before.owed + 5n })
  })

  test('is posted once, for any number of jobs, also concurrent ones', async () => {
    const before = await books()
    const job = await suspended(5n)
    const changes = await Promise.all(Array.from({ length: 5 }, () => settle(job)))
    expect(changes.filter((change) => change !== null)).toHaveLength(1)
    expect(await settle(job)).toBeNull()
    expect(await books()).toEqual({ held: before.held + 5n, owed: before.owed + 5n })
  })

  test('is not posted while it is only seen', async () => {
    const before = await books()
    const job = await suspended(5n)
    await setStatus(job.detectionId, 'seen')
    expect([await settle(job), await books()]).toEqual([null, before])
  })

  test('is reversed when a fork reverts it, and posted again when it comes back', async () => {
    const before = await books()
    const job = await suspended(5n)
    await settle(job)
    await setStatus(job.detectionId, 'reverted')
    expect(await settle(job)).toMatchObject({ change: 'reverted' })
    expect(await settle(job)).toBeNull()
    expect(await books()).toEqual(before)
    await setStatus(job.detectionId, 'confirmed')
    expect(await settle(job)).toMatchObject({ change: 'credited' })
    expect(await books()).toEqual({ held: before.held + 5n, owed: before.owed + 5n })
  })

  test.each(['with a job in between', 'without a job in between'])(
    'that comes back with another amount %s is posted with the new one',
    async (when) => {
      const before = await books()
      const job = await suspended(500n)
      await settle(job)
      await setStatus(job.detectionId, 'reverted')
      if (when === 'with a job in between') await settle(job)
      const { db } = shared.ctx
      await db.query(
        'update transfers set amount = 5 where id = (select transfer_id from detections where id = $1)',
        [job.detectionId],
      )
      await setStatus(job.detectionId, 'confirmed')
      expect(await settle(job)).toMatchObject({ change: 'credited', payment: { amount: '5' } })
      expect(await settle(job)).toBeNull()
      expect(await books()).toEqual({ held: before.held + 5n, owed: before.owed + 5n })
      // And it is reversed with the posted amount.
      await db.query(
        'update transfers set amount = 7 where id = (select transfer_id from detections where id = $1)',
        [job.detectionId],
      )
      await setStatus(job.detectionId, 'reverted')
      await settle(job)
      expect(await books()).toEqual(before)
    },
  )

  test('is not posted if a fork reverted it while its job waited for another one', async () => {
    const before = await books()
    const job = await suspended(5n)
    const { db } = shared.ctx
    let second: Promise<unknown> | undefined
    await db.tx(async (tx) => {
      await tx.query(
        'insert into suspense_payments (detection_id, posted) values ($1, false) on conflict do nothing',
        [job.detectionId],
      )
      await tx.query('select 1 from suspense_payments where detection_id = $1 for update', [job.detectionId])
      second = settle(job)
      await waitFor('the second to wait', async () => {
        const rows = await db.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rows.length > 0
      })
      await setStatus(job.detectionId, 'reverted')
    })
    expect([await second, await books()]).toEqual([null, before])
  })

  test('completes its job in the same transaction', async () => {
    await shared.read(paymentTo(account, 5n))
    const { db } = shared.ctx
    const [row] = await db.query<{ id: string; payload: { detectionId: string } }>(
      "select id::text, payload from outbox where queue = 'suspense'",
    )
    await settleSuspense(shared.ctx, { detectionId: row?.payload.detectionId ?? '', outboxId: row?.id ?? '' })
    expect(await db.query('select id from outbox')).toEqual([])
  })
})

test("a payment to a session's deposit is not posted here, for any job", async () => {
  const before = await books()
  await shared.watch(depositOf(5))
  await shared.read(paymentTo(depositOf(5), 9n))
  const detection = (await shared.detections()).find(({ to }) => to === depositOf(5))
  expect(await settle({ detectionId: detection?.id ?? '', outboxId: '0', reason: 'seen' })).toBeNull()
  expect(await books()).toEqual(before)
})

test('a job of a missing detection fails: it does not count as done', async () => {
  await expect(settle({ detectionId: newId(), outboxId: '0', reason: 'seen' })).rejects.toThrow()
})

test('the state counts waiting payments, without reverted ones', async () => {
  const waiting = async () =>
    (await suspenseState(shared.ctx.db)).find(({ chain, token }) => chain === 'stellar' && token === 'USDC')
      ?.payments ?? 0
  const before = await waiting()
  const [kept, reverted] = [await suspended(1n), await suspended(2n)]
  for (const job of [kept, reverted]) await settle(job)
  expect(await waiting()).toBe(before + 2)
  await setStatus(reverted.detectionId, 'reverted')
  await settle(reverted)
  expect(await waiting()).toBe(before + 1)
})

test('the worker logs it once, with transaction, amount and memo: an error when it comes, a warning when it is reverted', async () => {
  const lines: { level: string; msg: string; txId?: string; amount?: string; memo?: string }[] = []
  const log = createLog('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) })
  const work = suspenseWorker({ db: shared.ctx.db, log })
  const job = await suspended(5n, 'whose?')
  const run = () => work.process(job)
  await run()
  await run()
  await setStatus(job.detectionId, 'reverted')
  await run()
  expect(lines).toMatchObject([
    {
      msg: 'a payment names no session: it is held in suspense',
      amount: '5',
      memo: 'whose?',
      txId: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    { msg: 'a payment in suspense was reverted by a reorg', amount: '5' },
  ])
  expect(lines.map(({ level }) => level)).toEqual(['error', 'warn'])
})
