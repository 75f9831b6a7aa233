import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { setApproval } from '../../src/accounts/operateBusinesses.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import type { Tx } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { waitForTransactions } from '../../src/platform/waitForTransactions.ts'
import { getTransfer } from '../../src/transfers/getTransfer.ts'
import { giveUpTransfer } from '../../src/transfers/giveUpTransfer.ts'
import { heldIntents } from '../../src/txmgr/dueIntents.ts'
import { giveUp } from '../../src/txmgr/giveUp.ts'
import { isSuspended } from '../../src/txmgr/hold.ts'
import { signPending } from '../../src/txmgr/signPending.ts'
import { proofs } from '../support/intentKeys.ts'
import { waitFor } from '../support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../support/walletTransfers.ts'
import { streamOf } from './stream.ts'

/** A business is suspended at each step of its transfers' way out. */

let transfers: WalletTransfers
let businessId: string

beforeAll(async () => {
  transfers = await startWalletTransfers()
  const [business] = await transfers.db.query<{ id: string }>("select id from businesses where name = 'sender'")
  businessId = business?.id ?? ''
})
beforeEach(() => approve())
afterEach(() => transfers.reset())
afterAll(() => transfers?.close())

const operator = systemActor('a test')
const set = (approval: 'approved' | 'suspended') => setApproval(transfers, operator, businessId, approval, approval === 'approved' ? null : 'papers')
const suspend = () => set('suspended')
const approve = () => set('approved')
const approvalNow = async () =>
  (await transfers.db.query<{ approval: string }>('select approval from businesses where id = $1', [businessId]))[0]?.approval

/** A suspension that has begun and has to wait. @returns whether it was over by now */
async function suspensionThatWaits(): Promise<{ done: Promise<unknown>; isOver: () => boolean }> {
  const [began] = await transfers.db.query<{ at: string }>('select clock_timestamp()::text as at')
  let over = false
  const done = suspend().then(() => {
    over = true
  })
  // Then it has asked who is under way, and asks for their end.
  const asks = async () =>
    transfers.db.query('select 1 from pg_stat_activity where datname = current_database() and query ~ $1 and query_start > $2::timestamptz', [
      "from pg_locks where locktype = 'virtualxid'",
      began?.at,
    ])
  await waitFor('a suspension that waits', async () => over || (await asks()).length > 0)
  return { done, isOver: () => over }
}

/** While others store what concerns the business without a pause. */
async function duringStream(look: (tx: Tx) => Promise<boolean>, work: (stream: ReturnType<typeof streamOf>) => Promise<void>): Promise<void> {
  const stream = streamOf(transfers.db, look)
  try {
    await waitFor('a stream', async () => stream.looks() > 3)
    await work(stream)
  } finally {
    await stream.stop()
  }
}

test('a business that writes without a pause does not delay its suspension: what comes next is refused, and what was under way has ended', () =>
  duringStream(
    async (tx) => !(await isSuspended(tx, businessId)),
    async (stream) => {
      await suspend()
      expect(stream.mayUnderWay()).toBe(0)
      await stream.running
    },
  ))

test('nor do they who store what customers pay it, and ask for no leave: those who read it before have ended', async () => {
  let mayUnderWay = 0
  const look = async (tx: Tx) => {
    await tx.query('select 1 from businesses where id = $1 for key share', [businessId])
    return true
  }
  await duringStream(look, async (stream) => {
    const goesOn = stream.looks()
    const waiting = transfers.db.tx(async (tx) => {
      if (!(await isSuspended(tx, businessId))) mayUnderWay++
      await waitFor('a suspension that is seen', async () => (await approvalNow()) === 'suspended')
      mayUnderWay--
    })
    await waitFor('one who read it', async () => mayUnderWay === 1)
    await suspend()
    expect(mayUnderWay).toBe(0)
    await waiting
    await waitFor('the stream that goes on', async () => stream.looks() > goesOn + 3)
  })
})

test('where what was under way does not end, that is answered, and the business is suspended; others are not waited for', async () => {
  const [other] = await transfers.db.query<{ id: string }>("insert into businesses (id, name) values ($1, 'another') returning id", [newId()])
  let release = () => {}
  const kept = new Promise<void>((resolve) => {
    release = resolve
  })
  const keep = (id = '') => transfers.db.tx(async (tx) => [await isSuspended(tx, id), await kept])
  const others = keep(other?.id)
  await suspend()
  await approve()
  const own = keep(businessId)
  const idle = "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
  await waitFor('both keep theirs', async () => (await transfers.db.query(idle)).length === 2)
  const ended = waitForTransactions(transfers.db, 'businesses', businessId, 200)
  await expect(ended).rejects.toMatchObject({ status: 503, error: 'unavailable', message: expect.stringContaining('repeat the request') })
  const again = suspend()
  await waitFor('a suspension that is seen', async () => (await approvalNow()) === 'suspended')
  release()
  await Promise.all([others, own, again])
})

test('suspended before it is planned, a transfer is held: no terms, no nonce, shown as held; it goes on when the business is approved', async () => {
  const one = await transfers.asked()
  await suspend()
  await one.look()
  expect([await one.transactions(), await one.row()]).toMatchObject([[], { status: 'created', held: true, settled: false }])
  expect(await getTransfer(transfers, businessId, one.id)).toMatchObject({ status: 'pending', reason: 'held', txHash: null })
  expect((await heldIntents(transfers.db, businessId)).map(({ id }) => id)).toContain(one.id)
  await approve()
  await one.send()
  expect([await one.row(), await one.transactions()]).toMatchObject([{ status: 'broadcast', held: false }, [{ sends: 1 }]])
  expect(await getTransfer(transfers, businessId, one.id)).toMatchObject({ status: 'pending', reason: null })
})

test('suspended while the chain is asked for its terms, a transfer gets none', async () => {
  const one = await transfers.asked()
  const asked: string[] = []
  transfers.hooks.change = async (method, _params, truth) => {
    if (asked.length === 0) await suspend()
    asked.push(method)
    return truth()
  }
  await one.look()
  expect(asked.length).toBeGreaterThan(0)
  expect(await one.transactions()).toEqual([])
  expect(await transfers.db.query('select 1 from intent_nonces where intent_id = $1', [one.id])).toEqual([])
})

test('suspended between plan and signature, a transfer is neither signed nor failed', async () => {
  const one = await transfers.asked()
  await one.look()
  expect(await one.transactions()).toMatchObject([{ sent: null }])
  await suspend()
  await one.treasury()
  expect([await one.row(), await one.transactions()]).toMatchObject([{ status: 'created', reason: null }, [{ sent: null, isVoid: false }]])
  await approve()
  await one.treasury()
  expect(await one.transactions()).toMatchObject([{ signed: { txId: expect.any(String) } }])
})

test('a suspension waits for a signature that is being made, and what was signed stays here', async () => {
  const one = await transfers.asked()
  await one.look()
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
  await one.look()
  expect([await one.transactions(), await one.count()]).toMatchObject([[{ sends: 0 }], 0n])
})

test('suspended between signature and broadcast, a transfer is not sent; approved, it is sent as it was signed', async () => {
  const one = await transfers.asked()
  await one.look()
  await one.treasury()
  const [signed] = await one.transactions()
  await suspend()
  await one.look()
  expect([await one.row(), await one.transactions()]).toMatchObject([{ status: 'signed', held: true }, [{ sends: 0 }]])
  await approve()
  await one.look()
  expect([await one.row(), await one.transactions()]).toMatchObject([{ status: 'broadcast' }, [{ sends: 1, sent: signed?.sent }]])
})

test('a suspension waits for a send that is being counted: no transfer is first sent after it', async () => {
  const one = await transfers.asked()
  await one.look()
  await one.treasury()
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The count is kept waiting by a lock on what it counts, after the business was found not suspended.
  const keeping = transfers.db.tx(async (tx) => {
    await tx.query('select 1 from intent_attempts where intent_id = $1 for update', [one.id])
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const looking = one.look()
  const atLocks = (where: string) =>
    transfers.db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${where}`)
  let suspension: Awaited<ReturnType<typeof suspensionThatWaits>> | undefined
  try {
    await waitFor('a count that waits', async () => (await atLocks("query like 'update intent_attempts set sends%'")).length > 0)
    suspension = await suspensionThatWaits()
    expect(suspension.isOver()).toBe(false)
  } finally {
    released.resolve()
  }
  await Promise.all([keeping, looking, suspension.done])
  expect([await one.row(), await one.transactions()]).toMatchObject([{ status: 'broadcast', held: false }, [{ sends: 1 }]])
})

test('what was sent is watched to its outcome while its business is suspended, and is neither sent again nor replaced', async () => {
  const one = await transfers.asked(7n)
  const before = await transfers.recipientHas()
  await one.send()
  await suspend()
  for (let looks = 0; looks < 10; looks++) await one.look()
  await one.treasury()
  expect([await one.transactions(), await one.row()]).toMatchObject([[{ sends: 1 }], { status: 'broadcast', held: false }])
  expect(await one.transactions()).toHaveLength(1)
  await transfers.node.mine(3)
  await one.look()
  expect(await one.row()).toMatchObject({ status: 'confirmed' })
  expect((await transfers.recipientHas()) - before).toBeGreaterThanOrEqual(7n)
})

test('suspended while the chain is asked what a transfer waits for, no dearer one is asked for; approved, it is', async () => {
  const one = await transfers.asked()
  await one.send()
  let suspended = false
  transfers.hooks.inNonce = async () => {
    if (!suspended) await suspend()
    suspended = true
  }
  await one.look()
  expect([suspended, await one.transactions()]).toMatchObject([true, [{ number: 0 }]])
  await approve()
  await one.look()
  expect(await one.transactions()).toMatchObject([{ number: 0 }, { number: 1, sent: null }])
})

test.each(['planned', 'signed'] as const)(
  'a held transfer that is %s is given up: nothing of it is left to send, and its nonce is free',
  async (step) => {
    const one = await transfers.asked()
    await one.look()
    if (step === 'signed') await one.treasury()
    const refused = await transfers.db.tx((tx) => giveUp(tx, transfers.ctx.onChange, one.id))
    expect('refused' in refused).toBe(step === 'signed')
    if (step === 'planned') return
    await suspend()
    expect(await transfers.db.tx((tx) => giveUp(tx, transfers.ctx.onChange, one.id))).toMatchObject({ id: one.id })
    expect(await one.row()).toMatchObject({ status: 'failed', reason: 'given_up', settled: true, txId: null })
    expect(await one.transactions()).toMatchObject([{ isVoid: true, signed: null }])
    expect(await transfers.db.query('select 1 from intent_nonces where intent_id = $1', [one.id])).toEqual([])
    await approve()
    await one.look()
    expect(await one.count()).toBe(0n)
  },
)

test('approved while it is being given up, a transfer goes on; what the key of a caller has signed is not given up', async () => {
  const one = await transfers.asked()
  await one.look()
  await suspend()
  const given = (id: string) => giveUpTransfer({ db: transfers.db, onChange: transfers.ctx.onChange }, operator, businessId, id)
  let giving: Promise<unknown> | undefined
  await transfers.db.tx(async (tx) => {
    await tx.query("update businesses set approval = 'approved' where id = (select id from businesses where id = $1 for update)", [businessId])
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

test('a transfer that can never come and was signed again is held, shown and given up like one that was never sent', async () => {
  const one = await transfers.asked()
  await one.look()
  await one.treasury()
  expect(await one.ownerSends()).toBe('accepted')
  await transfers.node.mine(1)
  await one.look()
  await transfers.node.mine(20)
  await one.look()
  await one.waits(3600)
  await one.look()
  expect(await one.row()).toMatchObject({ status: 'created', resigns: 1 })
  await one.look()
  await one.treasury()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'signed' },
    [
      { isVoid: true, sends: 1 },
      { isVoid: false, sends: 0 },
    ],
  ])
  await suspend()
  await one.look()
  expect([await one.row(), await getTransfer(transfers, businessId, one.id)]).toMatchObject([{ held: true }, { status: 'pending', reason: 'held' }])
  expect((await heldIntents(transfers.db, businessId)).map(({ id }) => id)).toContain(one.id)
  expect(await transfers.db.tx((tx) => giveUp(tx, transfers.ctx.onChange, one.id))).toMatchObject({ id: one.id })
  await approve()
  await one.look()
  expect([await one.count(), await one.row()]).toMatchObject([1n, { status: 'failed', reason: 'given_up', txId: null }])
})

test('what was sent is not given up, held or not', async () => {
  const one = await transfers.asked()
  await one.send()
  await suspend()
  expect(await transfers.db.tx((tx) => giveUp(tx, transfers.ctx.onChange, one.id))).toEqual({
    refused: 'it is broadcast: it may still be mined',
  })
})

test('on a deployment of mainnets only what an approved business wants is planned and signed', async () => {
  const one = await transfers.asked()
  await transfers.db.query("update businesses set approval = 'pending' where id = $1", [businessId])
  const live = { ...transfers.ctx, environment: 'live' as const }
  const { reconcileIntent } = await import('../../src/txmgr/reconcile.ts')
  await reconcileIntent(live, one.id)
  expect(await one.transactions()).toEqual([])
  await one.look()
  expect(await one.transactions()).toHaveLength(1)
  const opened: string[] = []
  const openWallet = async (_tx: unknown, id: string) => {
    opened.push(id)
    throw new Error('it needs no key')
  }
  await signPending({ ...live, proofs, signing: async () => null, openWallet, signed: () => {} })
  expect([opened, await one.row()]).toMatchObject([[], { status: 'created' }])
  await one.treasury()
  expect(await one.row()).toMatchObject({ status: 'signed' })
})
