import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { muxed } from '../src/chains/stellar/address.ts'
import { watchAccount } from '../src/corrections/watchAccount.ts'
import { newId } from '../src/platform/ids.ts'
import type { DetectionRow } from '../src/watches/purposes.ts'
import { forkAbove } from '../test/support/indexed.ts'
import {
  account,
  createSharedAccount,
  depositOf,
  paymentTo,
  type SharedAccount,
} from '../test/support/sharedAccount.ts'
import { publish } from './publish.ts'
import { rewind } from './rewind.ts'

/** Deposits that share one platform account, with an id each: who owns a payment, and which jobs it gets. */

let shared: SharedAccount

beforeAll(async () => {
  shared = await createSharedAccount()
})
afterAll(() => shared?.close())
beforeEach(async () => {
  await shared.takeJobs()
})

const lastOf = async (address: string) =>
  (await shared.detections()).filter(({ to }) => to === address).at(-1)
const brief = async () =>
  (await shared.takeJobs()).map(({ queue, reason, sessionId, detectionId }) => [
    queue,
    reason,
    sessionId ?? detectionId,
  ])

describe('a payment', () => {
  test("to a session's deposit belongs only to the session, though the account is watched too", async () => {
    const session = await shared.watch(depositOf(0))
    await shared.read(paymentTo(depositOf(0), 5n))
    expect(await shared.detections()).toMatchObject([
      { to: depositOf(0), status: 'confirmed', subject: session, mine: true },
    ])
    expect(await brief()).toEqual([['session-payment', 'seen', session]])
  })

  test.each([
    ['the account itself', account],
    ['an unused deposit', depositOf(1)],
    ['an unknown id', muxed(account, 2n ** 64n - 1n)],
  ])('to %s is found without an owner, and goes to the suspense queue', async (_what, to) => {
    await shared.read(paymentTo(to, 7n))
    const found = await lastOf(to)
    expect(found).toMatchObject({ status: 'confirmed', mine: false })
    expect(await brief()).toEqual([['suspense', 'seen', found?.id]])
  })

  test('to another account, with the same id, is not found', async () => {
    const before = (await shared.detections()).length
    await shared.read(paymentTo(muxed('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', 5n), 7n))
    expect([(await shared.detections()).length, await shared.takeJobs()]).toEqual([before, []])
  })

  test("keeps the sender's memo", async () => {
    const to = muxed(account, 77n)
    await shared.read(paymentTo(to, 7n, { memo: { type: 'text', value: 'order 77' } }))
    const rows = await shared.ctx.db.query('select memo, memo_type from transfers where to_address = $1', [
      to,
    ])
    expect(rows).toEqual([{ memo: 'order 77', memo_type: 'text' }])
  })
})

test('payments of one ledger enqueue one job per session, and one per payment in suspense', async () => {
  const [one, two] = [await shared.watch(depositOf(10)), await shared.watch(depositOf(11))]
  const more = (to: string) => paymentTo(to, 1n)
  await shared.read(...[depositOf(10), depositOf(10), depositOf(11), account, account].map(more))
  const jobs = await shared.takeJobs()
  expect(
    jobs
      .filter(({ queue }) => queue === 'session-payment')
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual([one, two].sort())
  expect(
    new Set(jobs.filter(({ queue }) => queue === 'suspense').map(({ detectionId }) => detectionId)).size,
  ).toBe(2)
})

test('a revert by a fork enqueues the same jobs as the payments', async () => {
  const session = await shared.watch(depositOf(20))
  await shared.read()
  const [cursor] = await shared.ctx.db.query<{ height: string; id: string }>(
    "select c.height, b.id from chain_cursors c join blocks b on b.chain = c.chain and b.height = c.height where c.chain = 'stellar'",
  )
  await shared.read(paymentTo(depositOf(20), 1n), paymentTo(account, 2n))
  const detected = (await shared.detections()).slice(-2)
  await shared.takeJobs()
  // Each ledger is final at once, and nothing goes below a final block: as if it had not been recorded yet.
  await shared.ctx.db.query("update chain_cursors set finalized_height = $1 where chain = 'stellar'", [
    cursor?.height,
  ])
  await rewind(shared.ctx, forkAbove(Number(cursor?.height), cursor?.id))
  const unowned = detected.find(({ mine }) => !mine)
  expect((await brief()).sort()).toEqual(
    [
      ['session-payment', 'reverted', session],
      ['suspense', 'reverted', unowned?.id],
    ].sort(),
  )
})

test('no detections enqueue no job', async () => {
  await shared.ctx.db.tx((tx) => publish(tx, [], 'seen'))
  expect(await shared.takeJobs()).toEqual([])
})

test('two detections of one session enqueue one job, those in suspense one each', async () => {
  const [session, business] = [newId(), newId()]
  const row = (businessId: string | null): DetectionRow => ({
    id: newId(),
    subjectId: session,
    businessId,
    purpose: businessId === null ? 'suspense' : 'session',
    isUnknownToken: false,
    traceparent: null,
    requestId: null,
  })
  const rows = [row(business), row(business), row(null), row(null)]
  await shared.ctx.db.tx((tx) => publish(tx, rows, 'confirmed'))
  expect(await brief()).toEqual([
    ['session-payment', 'confirmed', session],
    ['suspense', 'confirmed', rows[2]?.id],
    ['suspense', 'confirmed', rows[3]?.id],
  ])
})

test('the account is watched once, for any number of treasury starts', async () => {
  for (let i = 0; i < 3; i++) await watchAccount(shared.ctx, 'stellar', account)
  const rows = await shared.ctx.db.query(
    "select business_id, purpose from watches where purpose = 'suspense' and address = $1",
    [Buffer.from(shared.ctx.codec.bytes(account))],
  )
  expect(rows).toEqual([{ business_id: null, purpose: 'suspense' }])
})
