import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import { runCommand } from '../support/command.ts'
import { effectsOn } from '../support/outcome.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import {
  amount,
  type Behind,
  createSessions,
  expectEachPaidOnce,
  startBehindProxies,
} from './behindProxies.ts'
import { type ForgedBlock, forge, receiptsRootOf } from './forge.ts'
import { metric } from './metric.ts'
import type { RpcReceipt } from './omit.ts'
import type { FaultProxy, RpcRequest } from './proxy.ts'

let behind: Behind
let stack: Stack
/** The provider that is read first, and the one that cross-checks it. */
let first: FaultProxy
let second: FaultProxy

const crossCheckMs = 15_000
let disagreementsBefore = 0
const disagreements = async () => (await counted('cowry_provider_disagreements_total')) - disagreementsBefore

beforeAll(async () => {
  // Long enough that no payment proceeds with one provider during a test. Trusted mode: otherwise a header
  // would expose the forgery under its hash, without a cross-check.
  behind = await startBehindProxies(2, {
    env: { INDEXER_CROSS_CHECK_MS: String(crossCheckMs), ETHEREUM_TRUSTED: 'true' },
  })
  stack = behind.stack
  ;[first, second] = behind.proxies as [FaultProxy, FaultProxy]
})
beforeEach(async () => {
  for (const each of [first, second]) each.rewrite = null
  first.choose = () => null
  // Slower than the first, but in time: makes the order certain.
  second.slowMs = [60]
  second.choose = () => 'slow'
  await stack.caughtUp()
  disagreementsBefore = await counted('cowry_provider_disagreements_total')
})
afterAll(() => behind?.close())

const receiptsOf = async (height: string) =>
  (await rpc(stack.devnet.rpcUrl, 'eth_getBlockReceipts', [height])) as RpcReceipt[]

/**
 * From now on a provider reports a payment to `victim` in the block at a height, which must contain a
 * transaction.
 */
function forgeAt(height: number, victim: SessionBody, isFork = false, by = first): void {
  const transfer = {
    token: stack.devnet.usdc,
    from: stack.wallet().account.address,
    to: victim.address,
    amount,
  }
  const at = `0x${height.toString(16)}`
  const trueBlock = async () =>
    (await rpc(stack.devnet.rpcUrl, 'eth_getBlockByNumber', [at, false])) as ForgedBlock
  by.rewrite = async ({ method, params }: RpcRequest, result: unknown) => {
    if (method === 'eth_getBlockByNumber' && Number((result as ForgedBlock | null)?.number) === height) {
      return forge(result as ForgedBlock, await receiptsOf(at), transfer, isFork).block
    }
    if (method === 'eth_getBlockReceipts' && Number(params[0]) === height) {
      return forge(await trueBlock(), result as RpcReceipt[], transfer, isFork).receipts
    }
    if (method !== 'eth_getLogs') return result
    const { block, receipts } = forge(await trueBlock(), await receiptsOf(at), transfer, isFork)
    return (params[0] as { blockHash?: string }).blockHash === block.hash
      ? receipts.flatMap(({ logs }) => logs)
      : result
  }
}

/** Two sessions: the first is really paid in the next block, the second only according to one provider. */
async function payOneForgeOther(isFork = false): Promise<[SessionBody, SessionBody]> {
  const [honest, victim] = (await createSessions(stack, 2)) as [SessionBody, SessionBody]
  await stack.caughtUp()
  forgeAt((await stack.height()) + 1, victim, isFork)
  await stack.send(honest.address, amount)
  await stack.mine()
  await waitFor(
    'the forged payment to be seen',
    async () => (await stack.session(victim.id)).payments.length === 1,
  )
  return [honest, victim]
}

const counted = (name: string) => metric(stack.processes.get('indexer'), name)
async function expectNothingCredited(victim: SessionBody): Promise<void> {
  expect((await effectsOn(stack, [victim.id])).get(victim.id)).toMatchObject({
    credits: 0,
    status: 'pending',
    paidEvents: 0,
  })
  expect((await stack.session(victim.id)).payments).toMatchObject([{ status: 'seen' }])
}

test('forge() is sound: its root of genuine receipts equals the one in their header', async () => {
  const sessions = await createSessions(stack, 3)
  for (const { address } of sessions) await stack.send(address, amount)
  await stack.mine()
  const height = `0x${(await stack.height()).toString(16)}`
  const block = (await rpc(stack.devnet.rpcUrl, 'eth_getBlockByNumber', [height, false])) as ForgedBlock
  const receipts = await receiptsOf(height)
  expect([receipts.length, receiptsRootOf(receipts)]).toEqual([3, block.receiptsRoot])
})

test('a forged block with another hash is reverted when the provider is honest again, and genuine payments in it are credited', async () => {
  const [honest, victim] = await payOneForgeOther(true)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  await stack.mine(3)
  // The providers are on different forks: no block is read, and that is reported too.
  const failures = await counted('cowry_chain_read_failures_total')
  await waitFor(
    'further failed reads',
    async () => (await counted('cowry_chain_read_failures_total')) > failures + 3,
  )
  await expectNothingCredited(victim)

  first.rewrite = null
  await stack.sessionIs(honest.id, 'paid')
  expect(await stack.session(victim.id)).toMatchObject({
    status: 'pending',
    payments: [{ status: 'reverted' }],
  })
  await stack.send(victim.address, amount)
  await stack.mine()
  await expectEachPaidOnce(stack, [honest, victim])
  // The forged block is read again whenever the first provider misses an answer and the second is queried:
  // each time it is reverted.
  const countOf = (type: string) => stack.receiver.types(victim.id).filter((each) => each === type).length
  expect(countOf('transaction.reverted')).toBeGreaterThan(0)
  expect(countOf('transaction.detected')).toBe(countOf('transaction.reverted') + 1)
})

test('a second provider that does not answer delays the payment, which then proceeds without it and is counted', async () => {
  second.choose = () => 'hanging'
  const [session] = (await createSessions(stack, 1)) as [SessionBody]
  await stack.send(session.address, amount)
  await stack.mine(3)
  await stack.caughtUp()
  const asked = second.applied.get('hanging') ?? 0
  await waitFor('being asked', async () => (second.applied.get('hanging') ?? 0) > asked + 3)
  expect([(await stack.session(session.id)).status, await counted('cowry_blocks_unwitnessed_total')]).toEqual(
    ['pending', 0],
  )

  // Simulates the full wait.
  await stack.db.query(
    "update detections set seen_at = seen_at - $2 * interval '1 ms' where subject_id = $1",
    [session.id, crossCheckMs],
  )
  await expectEachPaidOnce(stack, [session])
  expect(await counted('cowry_blocks_unwitnessed_total')).toBe(1)
  expect(await disagreements()).toBe(0)
})

// The following tests leave disputed payments.

test('a genuine payment in the same block is credited when the forging provider is honest again', async () => {
  const [honest] = await payOneForgeOther()
  await stack.mine(3)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  first.rewrite = null
  await stack.mine(3)
  await stack.sessionIs(honest.id, 'paid', 'none')
})

test('a forged payment in a genuine block is seen, reported and never credited; other blocks are credited meanwhile', async () => {
  const [, victim] = await payOneForgeOther()
  await stack.mine(3)
  const [other] = (await createSessions(stack, 1)) as [SessionBody]
  await stack.send(other.address, amount)
  await expectPaidOnceWithDispute(other)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  await expectNothingCredited(victim)
  expect(stack.logs()).toContain('another provider does not have this block, or not these payments')

  first.rewrite = null
  await stack.mine(3)
  await stack.caughtUp()
  await expectNothingCredited(victim)
  // After a real payment, one credit: the forged one neither replaces nor doubles it.
  await stack.send(victim.address, amount)
  await stack.mine(3)
  await waitFor('paid', async () => (await stack.session(victim.id)).status === 'paid')
  await stack.idle()
  expect((await effectsOn(stack, [victim.id])).get(victim.id)).toMatchObject({
    credits: 1,
    status: 'paid',
    paidEvents: 1,
  })
})

/** Expects one credit, although an earlier disputed block leaves unsettled work. */
async function expectPaidOnceWithDispute(session: SessionBody): Promise<void> {
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({
    detections: 1,
    credits: 1,
    status: 'paid',
    paidEvents: 1,
  })
}

// Last, because the provider with hanging answers loses its rank for a while.
test('a payment that a provider adds at a rescan is not confirmed by its own cross-check', async () => {
  // The block is read first at the provider whose name sorts first.
  const [honestProvider, forger] = [first, second].sort((a, b) => (a.host < b.host ? -1 : 1)) as [
    FaultProxy,
    FaultProxy,
  ]
  forger.choose = () => 'hanging'
  const [honest, victim] = (await createSessions(stack, 2)) as [SessionBody, SessionBody]
  await stack.send(honest.address, amount)
  await stack.mine()
  const height = await stack.height()
  await waitFor('the payment to be seen', async () => (await stack.session(honest.id)).payments.length === 1)
  forger.choose = () => null
  await stack.mine(3)
  await stack.sessionIs(honest.id, 'paid')

  forgeAt(height, victim, false, forger)
  honestProvider.choose = () => 'hanging'
  const env = {
    ETHEREUM_RPC_URLS: [honestProvider.url, forger.url].join(),
    RPC_TIMEOUT_MS: '1000',
    ETHEREUM_TRUSTED: 'true',
  }
  const read = await runCommand(stack, 'rescan', ['ethereum', String(height), String(height)], env)
  expect([read.err, read.out]).toEqual(['', expect.stringContaining('1 new payments')])
  honestProvider.choose = () => null
  await waitFor('its dispute', async () => {
    const rows = await stack.db.query(
      'select 1 from detections where subject_id = $1 and disputed_at is not null',
      [victim.id],
    )
    return rows.length > 0
  })
  await expectNothingCredited(victim)
  // It keeps reporting the payment.
  const before = await disagreements()
  await stack.mine(3)
  await waitFor('further disputes', async () => (await disagreements()) > before + 1)
  await expectNothingCredited(victim)
})
