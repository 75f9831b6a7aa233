import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { addressOf, intentOf, keyOf } from '../../test/support/evmIntents.ts'
import { startPaying } from '../../test/support/paying.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { setApproval } from '../businesses/operateBusinesses.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { sentToday } from '../outflows/dailyLimit.ts'
import type { Outflow } from '../outflows/outflow.ts'
import { readOutflowIntents } from '../outflows/outflowIntent.ts'
import { stepOutflow } from '../outflows/stepOutflow.ts'
import { checkChain } from '../reconciliation/checkChain.ts'
import { readIntents } from '../txmgr/intents.ts'

/** Outflows to wallets on a node, step by step, with the rights of worker and treasury. */

let sweeping: Sweeping
let paying: ReturnType<typeof startPaying>
let wallets = 5000
const million = 1_000_000n
const wallet = () => addressOf(keyOf(wallets++))

beforeAll(async () => {
  sweeping = await startSweeping('ethereum')
  paying = startPaying({
    ...sweeping,
    accounts: { balances: evmBalanceReader(sweeping.node.ctx), sender: sweeping.node.sender },
    finish: () => sweeping.node.mine(3),
    async work() {
      await sweeping.work()
      await sweeping.authorize()
    },
  })
  await paying.putIn('ETH', await sweeping.native(sweeping.treasuryAddress))
})
afterAll(() => sweeping?.close())
beforeEach(() => {
  paying.seen.length = 0
})

/** Money of the operator in the treasury, and a business that it belongs to. */
async function fill(amount: bigint): Promise<void> {
  await sweeping.pay(sweeping.treasuryAddress, sweeping.devnet.usdc, amount)
  await paying.putIn('USDC', amount)
  await paying.owe('USDC', amount)
}
const held = () => sweeping.tokens(sweeping.devnet.usdc, sweeping.treasuryAddress)
const got = (address: string) => sweeping.tokens(sweeping.devnet.usdc, address)

/** The books and the chain agree. */
async function expectNoDrift(): Promise<void> {
  const head = Number(await sweeping.node.call('eth_blockNumber'))
  await sweeping.db.query(
    "update chain_cursors set height = $1, updated_at = now() where chain = 'ethereum'",
    [head],
  )
  const balances = evmBalanceReader(sweeping.node.ctx)
  const { drift } = await checkChain(
    {
      db: sweeping.worker,
      chain: sweeping.chain,
      balances,
      pauseMs: 1,
      signal: new AbortController().signal,
    },
    { treasury: sweeping.treasuryAddress, staking: null },
  )
  expect(drift).toEqual([])
}

test('a payout arrives exactly; its fee is earned, its cost is known, and the books are what the chain holds', async () => {
  await fill(100n * million)
  const [to, native] = [wallet(), await sweeping.native(sweeping.treasuryAddress)]
  const made = await paying.payout({ token: 'USDC', amount: 60n * million, fee: million, address: to })
  expect([await paying.balance('available', 'USDC'), await paying.balance('payouts_held', 'USDC')]).toEqual([
    40n * million,
    60n * million,
  ])
  const [done] = await paying.run([made.id])
  expect(done).toMatchObject({ status: 'completed', reason: null, tries: 0, nextAt: null })
  expect(paying.seen).toEqual(['sent', 'completed'])
  expect([await got(to), await held()]).toEqual([59n * million, 41n * million])
  const [intent] = await readIntents(sweeping.db, 'id = $1', [done?.intentId])
  expect(intent).toMatchObject({
    purpose: 'payout',
    businessId: null,
    status: 'confirmed',
    settled: true,
    action: { to, amount: 59n * million },
  })
  const cost = intent?.fee ?? 0n
  expect(cost).toBeGreaterThan(0n)
  expect(await sweeping.native(sweeping.treasuryAddress)).toBe(native - cost)
  expect([
    await sweeping.books('network_costs', 'ETH'),
    await sweeping.books('treasury:ethereum', 'ETH'),
  ]).toEqual([cost, native - cost])
  expect([
    await sweeping.books('treasury:ethereum', 'USDC'),
    await paying.fees('USDC'),
    await paying.balance('payouts_held', 'USDC'),
  ]).toEqual([41n * million, million, 0n])
  const shown = await readOutflowIntents(sweeping.db, done ? [done] : [])
  expect(shown.get(made.id)).toEqual({
    txHash: intent?.txId,
    networkCost: { amount: expect.stringMatching(/^0\.0+[1-9]/), token: 'ETH' },
    arrived: { amountReceived: '59', tokenFee: '0' },
  })
  await expectNoDrift()
})

test('while it is under way, the comparison of books and chain knows it', async () => {
  const made = await paying.payout({ token: 'USDC', amount: 5n * million, address: wallet() })
  await paying.step()
  for (const step of [sweeping.reconcile, sweeping.sign, sweeping.reconcile]) await step()
  await expectNoDrift()
  await sweeping.node.mine()
  await expectNoDrift()
  // Confirmed, and not booked yet.
  await sweeping.node.mine(3)
  await sweeping.reconcile()
  expect(await paying.read(made.id)).toMatchObject({ status: 'processing' })
  await expectNoDrift()
  await paying.run([made.id])
  await expectNoDrift()
})

test('two payouts against a float for one: one leaves, the other waits, a smaller one passes it, and it leaves when the float is filled', async () => {
  const float = await held()
  await paying.owe('USDC', 1000n * million)
  const large = await paying.payout({ token: 'USDC', amount: float + 10n * million, address: wallet() })
  const first = await paying.payout({ token: 'USDC', amount: float - million, address: wallet() })
  const second = await paying.payout({ token: 'USDC', amount: float - million, address: wallet() })
  const small = await paying.payout({ token: 'USDC', amount: million, address: wallet() })
  // All are stepped before anything is in a block.
  await paying.step()
  const now = async () =>
    Promise.all([large, first, second, small].map(async ({ id }) => (await paying.read(id)).status))
  expect(await now()).toEqual(['pending', 'processing', 'pending', 'processing'])
  await paying.run([first.id, small.id])
  expect(await now()).toEqual(['pending', 'completed', 'pending', 'completed'])
  for (const { id } of [large, second])
    expect(await paying.read(id)).toMatchObject({ reason: 'float_low', tries: 0, intentId: null })
  await paying.end(second.id)
  expect(await held()).toBe(0n)
  await sweeping.pay(sweeping.treasuryAddress, sweeping.devnet.usdc, float + 10n * million)
  await paying.putIn('USDC', float + 10n * million)
  const [done] = await paying.run([large.id])
  expect([done?.status, await held()]).toEqual(['completed', 0n])
  await expectNoDrift()
})

test('of six that are stepped together, exactly those leave that the float is for', async () => {
  await fill(3n * million)
  const made: Outflow[] = []
  for (let i = 0; i < 6; i++)
    made.push(await paying.payout({ token: 'USDC', amount: million, address: wallet() }))
  await Promise.all(made.map(({ id }) => stepOutflow(paying.ctx, id)))
  const rows = await Promise.all(made.map(({ id }) => paying.read(id)))
  expect(rows.filter(({ status }) => status === 'processing')).toHaveLength(3)
  for (const { id, status } of rows) if (status === 'pending') await paying.end(id)
  const done = await paying.run(made.map(({ id }) => id))
  expect(done.filter(({ status }) => status === 'completed')).toHaveLength(3)
  expect(await held()).toBe(0n)
})

test("a float that is too low has the business's own deposits swept, once, though autosweep is off", async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 8n * million })
  await paying.owe('USDC', 1n * million)
  const to = wallet()
  const made = await paying.payout({ token: 'USDC', amount: 8n * million, address: to })
  await paying.step()
  const source = async () =>
    (await sweeping.db.query('select forced from sweep_sources where address = $1', [address]))[0]
  expect([await paying.read(made.id), await source()]).toMatchObject([
    { status: 'pending', reason: 'float_low' },
    { forced: true },
  ])
  const [done] = await paying.run([made.id])
  expect([done?.status, await got(to), await source()]).toEqual([
    'completed',
    8n * million,
    { forced: false },
  ])
  const other = await paying.payout({ token: 'USDC', amount: million / 2n, address: wallet() })
  await paying.step()
  expect([await paying.read(other.id), await source()]).toMatchObject([
    { reason: 'float_low' },
    { forced: false },
  ])
  await paying.end(other.id)
})

test('without native coin for fees it waits; with it, it leaves', async () => {
  await fill(3n * million)
  const native = await sweeping.native(sweeping.treasuryAddress)
  await sweeping.setNative(sweeping.treasuryAddress, sweeping.chain.lowBalance - 1n)
  const made = await paying.payout({ token: 'USDC', amount: million, address: wallet() })
  await paying.round()
  expect(await paying.read(made.id)).toMatchObject({
    status: 'pending',
    reason: 'treasury_gas_low',
    intentId: null,
  })
  await sweeping.setNative(sweeping.treasuryAddress, native)
  expect((await paying.run([made.id])).map(({ status }) => status)).toEqual(['completed'])
})

test('what is no longer there when it is planned goes back to pending, and leaves later by another intent', async () => {
  const made = await paying.payout({ token: 'USDC', amount: 2n * million, address: wallet() })
  await paying.step()
  const first = await paying.read(made.id)
  const change = sweeping.hooks.change
  // A node that has not seen the float yet.
  sweeping.hooks.change = async (method, params, truth) =>
    method === 'eth_call' && JSON.stringify(params).includes('70a08231') ? `0x${'0'.repeat(64)}` : truth()
  await sweeping.reconcile()
  sweeping.hooks.change = change
  expect(await readIntents(sweeping.db, 'id = $1', [first.intentId])).toMatchObject([
    { status: 'failed', reason: 'insufficient_balance', settled: true },
  ])
  await paying.step()
  expect(await paying.read(made.id)).toMatchObject({ status: 'pending', reason: 'float_low', tries: 1 })
  const [done] = await paying.run([made.id])
  expect(done).toMatchObject({ status: 'completed', tries: 1 })
  expect(done?.intentId).not.toBe(first.intentId)
  expect(paying.seen).toEqual(['sent', 'retried', 'sent', 'completed'])
})

test('what the chain refuses for its recipient fails with that reason, and its money is back', async () => {
  await fill(4n * million)
  const before = await paying.balance('available', 'USDC')
  const made = await paying.payout({
    token: 'USDC',
    amount: million,
    address: sweeping.devnet.usdc.toLowerCase(),
  })
  const [failed] = await paying.run([made.id])
  expect(failed).toMatchObject({ status: 'failed', reason: 'recipient_is_token', nextAt: null })
  expect([await paying.balance('available', 'USDC'), await paying.balance('payouts_held', 'USDC')]).toEqual([
    before,
    0n,
  ])
})

test('a destination that an earlier version saved is not paid to', async () => {
  const address = wallet()
  const destinationId = await paying.destination(address)
  await sweeping.db.query('update payout_destinations set proof = null where id = $1', [destinationId])
  const made = await paying.payout({ token: 'USDC', amount: million, address, destinationId })
  const [failed] = await paying.run([made.id])
  expect(failed).toMatchObject({ status: 'failed', reason: 'destination_unproven', intentId: null })
})

test('beyond the daily limit it waits; the worker counts what is not signed yet, too', async () => {
  const contract = paying.contractOf('USDC')
  const room = (await sentToday(sweeping.db, 'ethereum', { contract })) + 2n * million
  paying.ctx.chains = [{ ...sweeping.chain, dailyLimits: new Map([['USDC', room]]) }]
  await fill(6n * million)
  const made: Outflow[] = []
  for (let i = 0; i < 3; i++)
    made.push(await paying.payout({ token: 'USDC', amount: million, address: wallet() }))
  await paying.step()
  const statuses = async () =>
    Promise.all(made.map(async ({ id }) => (({ status, reason }) => [status, reason])(await paying.read(id))))
  expect((await statuses()).toSorted()).toEqual([
    ['pending', 'daily_limit'],
    ['processing', null],
    ['processing', null],
  ])
  const ids = made.map(({ id }) => id)
  await paying.run(ids, 6)
  expect((await statuses()).map(([status]) => status).toSorted()).toEqual([
    'completed',
    'completed',
    'pending',
  ])
  // Tomorrow.
  await sweeping.db.query(`alter table treasury_signatures disable trigger user;
    update treasury_signatures set signed_at = signed_at - interval '25 hours'; alter table treasury_signatures enable trigger user`)
  await paying.run(ids)
  expect((await statuses()).map(([status]) => status)).toEqual(['completed', 'completed', 'completed'])
  paying.ctx.chains = [sweeping.chain]
})

test("the treasury's own limit is lower: it refuses, and the payout waits for another day", async () => {
  const made = await paying.payout({ token: 'USDC', amount: million, address: wallet() })
  const { signing } = sweeping.signing
  sweeping.signing.signing = async (name) => {
    const found = await signing(name)
    return found && { ...found, chain: { ...found.chain, dailyLimits: new Map([['USDC', million - 1n]]) } }
  }
  await paying.round()
  sweeping.signing.signing = signing
  expect(await paying.read(made.id)).toMatchObject({ status: 'pending', reason: 'daily_limit', tries: 1 })
  expect((await paying.run([made.id]))[0]).toMatchObject({ status: 'completed', tries: 1 })
})

const approve = (approval: 'approved' | 'suspended') =>
  setApproval(
    sweeping,
    systemActor('a test'),
    sweeping.businessId,
    approval,
    approval === 'approved' ? null : 'papers',
  )

test('suspended before, while and after it is planned and signed, a payout does not leave; approved again, it leaves once', async () => {
  const to = wallet()
  const made = await paying.payout({ token: 'USDC', amount: million, address: to })
  await approve('suspended')
  await paying.round()
  expect(await paying.read(made.id)).toMatchObject({ status: 'pending', reason: 'held' })
  const steps: (() => Promise<unknown>)[] = [
    () => paying.step(),
    () => sweeping.reconcile(),
    () => sweeping.sign(),
  ]
  for (const step of steps) {
    await approve('approved')
    await step()
    await approve('suspended')
    await sweeping.reconcile()
    await sweeping.sign()
    await sweeping.reconcile()
    await sweeping.node.mine(3)
    const { intentId } = await paying.read(made.id)
    const [intent] = await readIntents(sweeping.db, 'id = $1', [intentId])
    expect(intent).toMatchObject({ held: true, isHeldAlone: false })
    expect(
      await sweeping.db.query('select 1 from intent_attempts where intent_id = $1 and sends > 0', [intentId]),
    ).toEqual([])
  }
  expect(await got(to)).toBe(0n)
  await approve('approved')
  const [done] = await paying.run([made.id])
  expect([done?.status, done?.tries, await got(to)]).toEqual(['completed', 0, million])
})

test('a suspension waits for a signature in progress, and the payout is not sent after it', async () => {
  await fill(2n * million)
  const to = wallet()
  const made = await paying.payout({ token: 'USDC', amount: million, address: to })
  await paying.step()
  await sweeping.reconcile()
  const { signers } = sweeping.signing
  let suspension: Promise<unknown> = Promise.resolve()
  let isOver = false
  const waits =
    "select 1 from pg_stat_activity where datname = current_database() and query ~ 'from pg_locks where locktype = ''virtualxid'''"
  sweeping.signing.signers = signers.map((signer) => ({
    ...signer,
    async open(tx, row) {
      suspension = approve('suspended').then(() => {
        isOver = true
      })
      await waitFor('a waiting suspension', async () => isOver || (await sweeping.db.query(waits)).length > 0)
      expect(isOver).toBe(false)
      return signer.open(tx, row)
    },
  }))
  await sweeping.sign()
  await suspension
  sweeping.signing.signers = signers
  const { intentId } = await paying.read(made.id)
  await sweeping.reconcile()
  expect([isOver, await readIntents(sweeping.db, 'id = $1', [intentId])]).toMatchObject([
    true,
    [{ status: 'signed', held: true }],
  ])
  expect(
    await sweeping.db.query('select 1 from intent_attempts where intent_id = $1 and sends > 0', [intentId]),
  ).toEqual([])
  await approve('approved')
  expect([(await paying.run([made.id]))[0]?.status, await got(to)]).toEqual(['completed', million])
})

test('a fork that takes a completed payout back leaves it completed while it may be mined again', async () => {
  await fill(2n * million)
  const to = wallet()
  const made = await paying.payout({ token: 'USDC', amount: million, address: to })
  await paying.step()
  for (const step of [sweeping.reconcile, sweeping.sign, sweeping.reconcile]) await step()
  await sweeping.node.mine(1)
  await sweeping.reconcile()
  await paying.step()
  expect(await paying.read(made.id)).toMatchObject({ status: 'completed' })
  await sweeping.node.call('anvil_reorg', 1, [])
  await sweeping.reconcile()
  await paying.step()
  expect((await paying.read(made.id)).status).toBe('completed')
  const [done] = await paying.run([made.id])
  expect([done?.status, done?.nextAt, await got(to)]).toEqual(['completed', null, million])
  await expectNoDrift()
})

test('one that can never be mined again, because its nonce was used otherwise, fails: its entry is reversed, and the money is back', async () => {
  await fill(2n * million)
  const [to, before] = [wallet(), await paying.balance('available', 'USDC')]
  const made = await paying.payout({ token: 'USDC', amount: million, address: to })
  await paying.step()
  for (const step of [sweeping.reconcile, sweeping.sign, sweeping.reconcile]) await step()
  await sweeping.node.mine(1)
  await sweeping.reconcile()
  await paying.step()
  const completed = await paying.read(made.id)
  expect([completed.status, await got(to), await paying.balance('available', 'USDC')]).toEqual([
    'completed',
    million,
    before - million,
  ])
  await sweeping.node.call('anvil_reorg', 1, [])
  const action = intentOf({ from: sweeping.treasuryAddress, to: wallet(), amount: 1n })
  const { terms } = await sweeping.node.sender.plan(action)
  const [attempt] = await sweeping.db.query<{ nonce: string }>(
    'select nonce from intent_attempts where intent_id = $1',
    [completed.intentId],
  )
  const high = { ...terms, maxFeePerGas: '90000000000', maxPriorityFeePerGas: '80000000000' }
  await sweeping.node.call('anvil_dropAllTransactions')
  const key = sweeping.keys.treasuryKey('evm')
  await sweeping.node.sender.broadcast(
    sweeping.node.builder.sign(action, high, BigInt(attempt?.nonce ?? 0), [key]),
  )
  await sweeping.node.mine(1)
  await paying.step()
  expect((await paying.read(made.id)).status).toBe('completed')
  const [failed] = await paying.run([made.id])
  expect(failed).toMatchObject({ status: 'failed', reason: 'taken_back', completedAt: null, nextAt: null })
  expect([
    await got(to),
    await paying.balance('available', 'USDC'),
    await paying.balance('payouts_held', 'USDC'),
  ]).toEqual([0n, before, 0n])
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(await held())
  expect(paying.seen).toEqual(['sent', 'completed', 'taken_back'])
})
