import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '../../test/support/waitFor.ts'
import { startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import type { ActionBuilder } from '../chains/sending.ts'
import { getTransfer } from '../transfers/getTransfer.ts'
import { repriceIntent, type WantedPrice } from './fees/repriceIntent.ts'
import { giveUp } from './giveUp.ts'
import { holdIntent, releaseIntent, waitingBehind } from './holdIntent.ts'

/** The operator holds, releases and reprices one transfer, at each step of it; the others go on. */

let transfers: WalletTransfers
let businessId: string
type One = Awaited<ReturnType<WalletTransfers['asked']>>

beforeAll(async () => {
  transfers = await startWalletTransfers()
  const [business] = await transfers.db.query<{ id: string }>(
    "select id from businesses where name = 'sender'",
  )
  businessId = business?.id ?? ''
})
afterEach(async () => {
  transfers.reset()
  await transfers.db.query('delete from fee_limits')
})
afterAll(() => transfers?.close())

const hold = ({ id }: One) => transfers.db.tx((tx) => holdIntent(tx, id, 'a call from the owner'))
const release = ({ id }: One) => transfers.db.tx((tx) => releaseIntent(tx, id))
const behind = async ({ id, row }: One) => {
  const intent = await row()
  if (!intent) throw new Error(`no intent ${id}`)
  return transfers.db.tx((tx) => waitingBehind(tx, intent))
}
const nonces = ({ id }: One) =>
  transfers.db.query('select nonce::int as nonce from intent_nonces where intent_id = $1', [id])

test('held before planning, it gets no terms and no nonce, and is shown as held; another of the same business goes on; released, it is sent', async () => {
  const [one, other] = [await transfers.asked(), await transfers.asked()]
  await hold(one)
  await one.reconcile()
  expect([await one.transactions(), await nonces(one), await one.row()]).toMatchObject([
    [],
    [],
    { status: 'created', held: true, isHeldAlone: true },
  ])
  const shown = await getTransfer(transfers, businessId, one.id)
  expect(shown).toMatchObject({
    status: 'pending',
    reason: 'held',
    message: expect.stringMatching(/^The operator of this platform holds/),
  })
  await other.send()
  expect(await other.row()).toMatchObject({ status: 'broadcast', held: false })
  expect(await release(one)).toMatchObject({ id: one.id })
  expect(await release(one)).toBeNull()
  await one.send()
  expect([await one.row(), await getTransfer(transfers, businessId, one.id)]).toMatchObject([
    { status: 'broadcast' },
    { reason: null },
  ])
})

test('held while its terms are read from the chain, it is not planned', async () => {
  const one = await transfers.asked()
  transfers.hooks.inNonce = () => hold(one)
  await one.reconcile()
  expect([await one.transactions(), await nonces(one)]).toEqual([[], []])
})

test('held with a request that is not signed, it loses the request and its nonce; later transfers of the address take it', async () => {
  const one = await transfers.asked()
  const later = await transfers.asked(6n, one.wallet)
  await one.reconcile()
  await later.reconcile()
  expect([await nonces(one), await nonces(later)]).toEqual([[{ nonce: 0 }], [{ nonce: 1 }]])
  await hold(one)
  await one.treasury()
  expect([await one.transactions(), await nonces(one)]).toMatchObject([[{ isVoid: true, sent: null }], []])
  await later.send()
  expect([await nonces(later), await later.row()]).toMatchObject([[{ nonce: 0 }], { status: 'broadcast' }])
})

test('a request that is written all the same is not signed while the transfer is held', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await transfers.db.query("update intents set held_at = now(), held_reason = 'by SQL' where id = $1", [
    one.id,
  ])
  await one.treasury()
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'created', reason: null },
    [{ sent: null, isVoid: false }],
  ])
  await release(one)
  await one.treasury()
  expect(await one.transactions()).toMatchObject([{ signed: { txId: expect.any(String) } }])
})

test('held between signature and send, it keeps its nonce and is not sent, and the command shows how many wait behind it', async () => {
  const one = await transfers.asked()
  const later = await transfers.asked(6n, one.wallet)
  await one.reconcile()
  await one.treasury()
  await later.send()
  await hold(one)
  expect(await behind(one)).toBe(1)
  await one.reconcile()
  expect([await one.row(), await one.transactions(), await one.count()]).toMatchObject([
    { status: 'signed', held: true },
    [{ sends: 0 }],
    0n,
  ])
  const [signed] = await one.transactions()
  await release(one)
  await one.reconcile()
  expect(await one.transactions()).toMatchObject([{ sends: 1, sent: signed?.sent }])
  await transfers.node.mine(1)
  expect(await one.count()).toBe(2n)
})

test('a hold waits for a send that is being counted: nothing is sent for the first time after it', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await one.treasury()
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const keeping = transfers.db.tx(async (tx) => {
    await tx.query('select 1 from intent_attempts where intent_id = $1 for update', [one.id])
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const sending = one.reconcile()
  const waits = async (query: string) =>
    (
      await transfers.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '${query}%'`,
      )
    ).length > 0
  let isOver = false
  let holding: Promise<unknown> | undefined
  try {
    await waitFor('a waiting count', () => waits('update intent_attempts set sends'))
    holding = hold(one).then(() => {
      isOver = true
    })
    await waitFor('a waiting hold', async () => isOver || (await waits('select id, business_id')))
    expect(isOver).toBe(false)
  } finally {
    released.resolve()
  }
  await Promise.all([keeping, sending, holding])
  expect([await one.row(), await one.transactions()]).toMatchObject([
    { status: 'broadcast', held: false, isHeldAlone: true },
    [{ sends: 1 }],
  ])
})

test('one that was sent is watched to its outcome while it is held, and is neither sent again nor replaced', async () => {
  const one = await transfers.asked()
  await one.send()
  await hold(one)
  for (let checks = 0; checks < 10; checks++) await one.reconcile()
  await one.treasury()
  expect([await one.transactions(), await one.row()]).toMatchObject([
    [{ sends: 1 }],
    { status: 'broadcast', held: false },
  ])
  await transfers.node.mine(3)
  await one.reconcile()
  expect(await one.row()).toMatchObject({ status: 'confirmed' })
})

test('held and signed it can be given up: nothing of it was sent', async () => {
  const one = await transfers.asked()
  await one.reconcile()
  await one.treasury()
  await hold(one)
  await transfers.db.tx((tx) => giveUp(transfers.ctx, tx, one.id))
  expect(await one.row()).toMatchObject({
    status: 'failed',
    reason: 'given_up',
    message: expect.stringMatching(/^The operator has held/),
    settled: true,
  })
  expect([await nonces(one), await one.count()]).toEqual([[], 0n])
})

test("one that has ended, or is signed by the caller's key, is neither held, released nor repriced, and the answer has the reason", async () => {
  const ended = await transfers.asked()
  await ended.send()
  await transfers.node.mine(3)
  await ended.reconcile()
  const ofCaller = await transfers.asked()
  await transfers.db.query("update intents set signer = 'caller', wallet_id = null where id = $1", [
    ofCaller.id,
  ])
  for (const act of [hold, release, (one: One) => reprice(one, { percent: 200n })]) {
    await expect(act(ended)).rejects.toMatchObject({
      status: 409,
      error: 'transfer_ended',
      message: 'The transfer has ended: it is confirmed',
    })
    await expect(act(ofCaller)).rejects.toMatchObject({
      status: 409,
      error: 'transfer_not_ours',
      message: expect.stringContaining('caller'),
    })
  }
})

const reprice = (
  { id }: One,
  wanted: WantedPrice,
  builder: Pick<ActionBuilder, 'maxFee' | 'repricing'> = transfers.node.builder,
) => transfers.db.tx((tx) => repriceIntent(tx, transfers.node.ctx.chain, builder, id, wanted))
const priceOf = async (one: One, number: number) =>
  BigInt(String((await one.transactions())[number]?.terms.maxFeePerGas))
const gwei = 10n ** 9n

/** Without bumps by time. */
async function unhurried<T>(work: () => Promise<T>): Promise<T> {
  const { bumpAfterMs } = transfers.ctx
  transfers.ctx.bumpAfterMs = 3_600_000
  try {
    return await work()
  } finally {
    transfers.ctx.bumpAfterMs = bumpAfterMs
  }
}

test.each([
  ['a price', { price: 40n * gwei }, () => 40n * gwei],
  ['a multiple', { percent: 250n }, (before: bigint) => (before * 5n + 1n) / 2n],
] as const)(
  'repriced at %s, it is replaced once at the same nonce, and the one with the higher fee is mined',
  (_what, wanted, expected) =>
    unhurried(async () => {
      const one = await transfers.asked()
      await one.send()
      const price = expected(await priceOf(one, 0))
      expect(await reprice(one, wanted)).toMatchObject({ before: await priceOf(one, 0), after: price })
      await one.send()
      await one.send()
      const attempts = await one.transactions()
      expect(attempts).toMatchObject([
        { nonce: 0n, sends: 1 },
        { nonce: 0n, sends: 1 },
      ])
      expect(await priceOf(one, 1)).toBe(price)
      await transfers.node.mine(3)
      await one.reconcile()
      expect(await one.row()).toMatchObject({ status: 'confirmed', txId: attempts[1]?.sent?.txId })
    }),
)

test('a repricing that nodes would refuse, that the ceiling or the budget does not allow, or of what was not sent, is refused and changes nothing', () =>
  unhurried(async () => {
    const one = await transfers.asked()
    await expect(reprice(one, { percent: 200n })).rejects.toMatchObject({
      status: 409,
      error: 'transfer_not_sent',
    })
    await one.send()
    await expect(reprice(one, { percent: 109n })).rejects.toMatchObject({
      status: 422,
      error: 'price_too_low',
      message: expect.stringContaining('gwei or more'),
    })
    await expect(
      reprice(one, { percent: 200n }, { maxFee: transfers.node.builder.maxFee }),
    ).rejects.toMatchObject({
      status: 409,
      error: 'transfer_not_replaceable',
    })
    const fee = transfers.node.builder.maxFee((await one.transactions())[0]?.terms ?? {})
    for (const limit of ['ceiling', 'budget']) {
      await transfers.db.query(`insert into fee_limits (chain, ${limit}) values ('bsc', $1)`, [
        (2n * fee - 1n).toString(),
      ])
      await expect(reprice(one, { percent: 200n })).rejects.toMatchObject({
        status: 422,
        error: 'fee_too_high',
      })
      await transfers.db.query('delete from fee_limits')
    }
    await one.reconcile()
    expect([await one.transactions(), await one.row()]).toMatchObject([[{ number: 0 }], { minPrice: null }])
  }))

test('a repricing waits while the transfer is held, and is requested again only so often while the treasury does not sign', () =>
  unhurried(async () => {
    const one = await transfers.asked()
    await one.send()
    await reprice(one, { percent: 200n })
    await hold(one)
    await one.reconcile()
    expect(await one.transactions()).toHaveLength(1)
    await release(one)
    for (let tries = 0; tries < 6; tries++) {
      await one.reconcile()
      // Not signed in time.
      await transfers.db.query(
        'update intent_attempts set void_at = now() where intent_id = $1 and signed_at is null',
        [one.id],
      )
    }
    expect(await one.transactions()).toHaveLength(4)
  }))
