import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import type { Tx } from '../../src/platform/database/db.ts'
import { waitForTransactions } from '../../src/platform/database/waitForTransactions.ts'
import { newId } from '../../src/platform/ids.ts'
import { getTransfer } from '../../src/transfers/getTransfer.ts'
import { giveUpTransfer } from '../../src/transfers/giveUpTransfer.ts'
import { heldIntents } from '../../src/txmgr/dueIntents.ts'
import { giveUp } from '../../src/txmgr/giveUp.ts'
import { isSuspended } from '../../src/txmgr/hold.ts'
import { signPending } from '../../src/txmgr/signPending.ts'
import { proofs } from '../support/intentKeys.ts'
import { walletsWith } from '../support/purposes.ts'
import { waitFor } from '../support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../support/walletTransfers.ts'
import { streamOf } from './stream.ts'

/** A business is suspended at each step of its outgoing transfers. */

let transfers: WalletTransfers
let businessId: string

beforeAll(async () => {
  transfers = await startWalletTransfers()
  const [business] = await transfers.db.query<{ id: string }>(
    "select id from businesses where name = 'sender'",
  )
  businessId = business?.id ?? ''
})
beforeEach(() => approve())
afterEach(() => transfers.reset())
afterAll(() => transfers?.close())

const operator = systemActor('a test')
const set = (approval: 'approved' | 'suspended') =>
  setApproval(transfers, operator, businessId, approval, approval === 'approved' ? null : 'papers')
const suspend = () => set('suspended')
const approve = () => set('approved')
const approvalNow = async () =>
  (
    await transfers.db.query<{ approval: string }>('select approval from businesses where id = $1', [
      businessId,
    ])
  )[0]?.approval

/** Starts a suspension that has to wait. @returns whether it has finished */
async function suspensionThatWaits(): Promise<{ done: Promise<unknown>; isOver: () => boolean }> {
  const [began] = await transfers.db.query<{ at: string }>('select clock_timestamp()::text as at')
  let over = false
  const done = suspend().then(() => {
    over = true
  })
  // Wait until it polls for the end of transactions in progress.
  const asks = async () =>
    transfers.db.query(
      'select 1 from pg_stat_activity where datname = current_database() and query ~ $1 and query_start > $2::timestamptz',
      ["from pg_locks where locktype = 'virtualxid'", began?.at],
    )
  await waitFor('a waiting suspension', async () => over || (await asks()).length > 0)
  return { done, isOver: () => over }
}

/** Runs `work` during a constant stream of transactions about the business. */
async function duringStream(
  check: (tx: Tx) => Promise<boolean>,
  work: (stream: ReturnType<typeof streamOf>) => Promise<void>,
): Promise<void> {
  const stream = streamOf(transfers.db, check)
  try {
    await waitFor('a stream', async () => stream.checks() > 3)
    await work(stream)
  } finally {
    await stream.stop()
  }
}

test('a constantly writing business does not delay its suspension: later writes are refused, and those in progress have ended', () =>
  duringStream(
    async (tx) => !(await isSuspended(tx, businessId)),
    async (stream) => {
      await suspend()
      expect(stream.allowedInProgress()).toBe(0)
      await stream.running
    },
  ))

test("nor do transactions that store customers' payments without a check of the approval; those that read the approval before have ended", async () => {
  let allowedInProgress = 0
  const check = async (tx: Tx) => {
    await tx.query('select 1 from businesses where id = $1 for key share', [businessId])
    return true
  }
  await duringStream(check, async (stream) => {
    const goesOn = stream.checks()
    const waiting = transfers.db.tx(async (tx) => {
      if (!(await isSuspended(tx, businessId))) allowedInProgress++
      await waitFor('a visible suspension', async () => (await approvalNow()) === 'suspended')
      allowedInProgress--
    })
    await waitFor('the transaction that read the approval', async () => allowedInProgress === 1)
    await suspend()
    expect(allowedInProgress).toBe(0)
    await waiting
    await waitFor('further transactions of the stream', async () => stream.checks() > goesOn + 3)
  })
})

test('if a transaction in progress does not end, the answer reports it, and the business is suspended; transactions of others are not waited for', async () => {
  const [other] = await transfers.db.query<{ id: string }>(
    "insert into businesses (id, name) values ($1, 'another') returning id",
    [newId()],
  )
  let release = () => {}
  const untilReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const holdTransaction = (id = '') =>
    transfers.db.tx(async (tx) => [await isSuspended(tx, id), await untilReleased])
  const others = holdTransaction(other?.id)
  await suspend()
  await approve()
  const own = holdTransaction(businessId)
  const idle =
    "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
  await waitFor('both open transactions', async () => (await transfers.db.query(idle)).length === 2)
  const ended = waitForTransactions(transfers.db, 'businesses', businessId, 200)
  await expect(ended).rejects.toMatchObject({
    status: 503,
    error: 'unavailable',
    message: expect.stringContaining('repeat the request'),
  })
  const again = suspend()
  await waitFor('a visible suspension', async () => (await approvalNow()) === 'suspended')
  release()
  await Promise.all([others, own, again])
})

test('suspended before planning, a transfer is held: no terms, no nonce, shown as held; it proceeds after approval', async () => {
  const one = await transfers.asked()
  await suspend()
  await one.reconcile()
  expect([await one.transactions(), await one.row()]).toMatchObject([
    [],
    { status: 'created', held: true, settled: false },
  ])
  expect(await getTransfer(transfers, businessId, one.id)).toMatchObject({
    status: 'pending',
    reason: 'held',
    txHash: null,
  })
  expect((await heldIntents(transfers.db, businessId)).map(({ id }) => id)).toContain(one.id)
  await approve()
  await one.send()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'broadcast', held: false },
    [{ sends: 1 }],
  ])
  expect(await getTransfer(transfers, businessId, one.id)).toMatchObject({ status: 'pending', reason: null })
})

test('suspended while its terms are read from the chain, a transfer is not planned', async () => {
  const one = await transfers.asked()
  const asked: string[] = []
  transfers.hooks.change = async (method, _params, truth) => {
    if (asked.length === 0) await suspend()
    asked.push(method)
    return truth()
  }
  await one.reconcile()
  expect(asked.length).toBeGreaterThan(0)
  expect(await one.transactions()).toEqual([])
  expect(await transfers.db.query('select 1 from intent_nonces where intent_id = $1', [one.id])).toEqual([])
})

test('suspended between plan and signature, a transfer is neither signed nor failed', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  expect(await one.transactions()).toMatchObject([{ sent: null }])
  await suspend()
  await one.treasury()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'created', reason: null },
    [{ sent: null, isVoid: false }],
  ])
  await approve()
  await one.treasury()
  expect(await one.transactions()).toMatchObject([{ signed: { txId: expect.any(String) } }])
})

test('a suspension waits for a signature in progress, and the signed transaction is not sent', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  let suspension: Awaited<ReturnType<typeof suspensionThatWaits>> | undefined
  let overInside: boolean | undefined
  transfers.hooks.inTreasury = async () => {
    suspension = await suspensionThatWaits()
    overInside = suspension.isOver()
  }
  await one.treasury()
  await suspension?.done
  expect(overInside).toBe(false)
  expect(await one.row()).toMatchObject({ status: 'signed', held: true })
  await one.reconcile()
  expect([await one.transactions(), await one.count()]).toMatchObject([[{ sends: 0 }], 0n])
})

test('suspended between signature and broadcast, a transfer is not sent; after approval, the same signed bytes are sent', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await one.treasury()
  const [signed] = await one.transactions()
  await suspend()
  await one.reconcile()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'signed', held: true },
    [{ sends: 0 }],
  ])
  await approve()
  await one.reconcile()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'broadcast' },
    [{ sends: 1, sent: signed?.sent }],
  ])
})

test('a suspension waits for a send that is being counted: no transfer is sent for the first time after it', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await one.treasury()
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // A lock on the transaction delays the count, after the check of the approval.
  const keeping = transfers.db.tx(async (tx) => {
    await tx.query('select 1 from intent_attempts where intent_id = $1 for update', [one.id])
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const looking = one.reconcile()
  const atLocks = (where: string) =>
    transfers.db.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${where}`,
    )
  let suspension: Awaited<ReturnType<typeof suspensionThatWaits>> | undefined
  try {
    await waitFor(
      'a waiting count',
      async () => (await atLocks("query like 'update intent_attempts set sends%'")).length > 0,
    )
    suspension = await suspensionThatWaits()
    expect(suspension.isOver()).toBe(false)
  } finally {
    released.resolve()
  }
  await Promise.all([keeping, looking, suspension.done])
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'broadcast', held: false },
    [{ sends: 1 }],
  ])
})

test('a sent transfer is reconciled to its outcome during the suspension, and is neither sent again nor replaced', async () => {
  const one = await transfers.asked(7n)
  const before = await transfers.recipientHas()
  await one.send()
  await suspend()
  for (let checks = 0; checks < 10; checks++) await one.reconcile()
  await one.treasury()
  expect([await one.transactions(), await one.row()]).toMatchObject([
    [{ sends: 1 }],
    { status: 'broadcast', held: false },
  ])
  expect(await one.transactions()).toHaveLength(1)
  await transfers.node.mine(3)
  await one.reconcile()
  expect(await one.row()).toMatchObject({ status: 'confirmed' })
  expect((await transfers.recipientHas()) - before).toBeGreaterThanOrEqual(7n)
})

test('suspended while the chain is queried about a pending transfer, no higher fee is requested; after approval, it is', async () => {
  const one = await transfers.asked()
  await one.send()
  let suspended = false
  transfers.hooks.inNonce = async () => {
    if (!suspended) await suspend()
    suspended = true
  }
  await one.reconcile()
  expect([suspended, await one.transactions()]).toMatchObject([true, [{ number: 0 }]])
  await approve()
  await one.reconcile()
  expect(await one.transactions()).toMatchObject([{ number: 0 }, { number: 1, sent: null }])
})

test.each(['planned', 'signed'] as const)(
  'a held transfer that is %s can be given up: it has nothing left to send, and its nonce is free',
  async (step) => {
    const one = await transfers.asked()
    await one.reconcile()
    if (step === 'signed') await one.treasury()
    const given = transfers.db.tx((tx) => giveUp(transfers.ctx, tx, one.id))
    if (step === 'planned') {
      await given
      return
    }
    await expect(given).rejects.toMatchObject({ status: 409, error: 'transfer_not_held' })
    await suspend()
    expect(await transfers.db.tx((tx) => giveUp(transfers.ctx, tx, one.id))).toMatchObject({ id: one.id })
    expect(await one.row()).toMatchObject({ status: 'failed', reason: 'given_up', settled: true, txId: null })
    expect(await one.transactions()).toMatchObject([{ isVoid: true, signed: null }])
    expect(await transfers.db.query('select 1 from intent_nonces where intent_id = $1', [one.id])).toEqual([])
    await approve()
    await one.reconcile()
    expect(await one.count()).toBe(0n)
  },
)

test("approved while it is being given up, a transfer proceeds; a transfer signed by a caller's key cannot be given up", async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await suspend()
  const given = (id: string) =>
    giveUpTransfer({ db: transfers.db, purposes: transfers.ctx.purposes }, operator, businessId, id)
  let giving: Promise<unknown> | undefined
  await transfers.db.tx(async (tx) => {
    await tx.query(
      "update businesses set approval = 'approved' where id = (select id from businesses where id = $1 for update)",
      [businessId],
    )
    giving = given(one.id)
    giving.catch(() => {})
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
    await waitFor('the lock', async () => (await transfers.db.query(waiting, [own?.pid])).length > 0)
  })
  await expect(giving).rejects.toMatchObject({ status: 409, error: 'transfer_not_held' })
  expect(await one.row()).toMatchObject({ status: 'created', reason: null })
  await one.send()
  expect(await one.row()).toMatchObject({ status: 'broadcast' })

  const other = await transfers.asked()
  await transfers.db.query("update intents set signer = 'caller', wallet_id = null where id = $1", [other.id])
  await suspend()
  await expect(given(other.id)).rejects.toMatchObject({ status: 409, error: 'transfer_not_ours' })
  expect(await other.row()).toMatchObject({ status: 'created', held: true })
})

test('a transfer that was unminable and resigned is held, shown and given up like one that was never sent', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await one.treasury()
  expect(await one.ownerSends()).toBe('accepted')
  await transfers.node.mine(1)
  await one.reconcile()
  await transfers.node.mine(20)
  await one.reconcile()
  await one.waits(3600)
  await one.reconcile()
  expect(await one.row()).toMatchObject({ status: 'created', resigns: 1 })
  await one.reconcile()
  await one.treasury()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'signed' },
    [
      { isVoid: true, sends: 1 },
      { isVoid: false, sends: 0 },
    ],
  ])
  await suspend()
  await one.reconcile()
  expect([await one.row(), await getTransfer(transfers, businessId, one.id)]).toMatchObject([
    { held: true },
    { status: 'pending', reason: 'held' },
  ])
  expect((await heldIntents(transfers.db, businessId)).map(({ id }) => id)).toContain(one.id)
  expect(await transfers.db.tx((tx) => giveUp(transfers.ctx, tx, one.id))).toMatchObject({ id: one.id })
  await approve()
  await one.reconcile()
  expect([await one.count(), await one.row()]).toMatchObject([
    1n,
    { status: 'failed', reason: 'given_up', txId: null },
  ])
})

test('a sent transfer cannot be given up, held or not', async () => {
  const one = await transfers.asked()
  await one.send()
  await suspend()
  await expect(transfers.db.tx((tx) => giveUp(transfers.ctx, tx, one.id))).rejects.toMatchObject({
    status: 409,
    error: 'transfer_not_held',
    message: expect.stringContaining('broadcast'),
  })
})

test('on a deployment with mainnets, only transfers of approved businesses are planned and signed', async () => {
  const one = await transfers.asked()
  await transfers.db.query("update businesses set approval = 'pending' where id = $1", [businessId])
  const live = { ...transfers.ctx, environment: 'live' as const }
  const { reconcileIntent } = await import('../../src/txmgr/reconcile.ts')
  await reconcileIntent(live, one.id)
  expect(await one.transactions()).toEqual([])
  await one.reconcile()
  expect(await one.transactions()).toHaveLength(1)
  const opened: string[] = []
  const openWallet = async (_tx: unknown, id: string) => {
    opened.push(id)
    throw new Error('no wallet should be opened')
  }
  await signPending({
    ...live,
    proofs,
    signing: async () => null,
    signers: walletsWith(openWallet),
    signed: () => {},
  })
  expect([opened, await one.row()]).toMatchObject([[], { status: 'created' }])
  await one.treasury()
  expect(await one.row()).toMatchObject({ status: 'signed' })
})
