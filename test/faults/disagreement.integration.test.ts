import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import { runCommand } from '../support/command.ts'
import { effectsOn } from '../support/outcome.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { amount, type Behind, createSessions, expectEachPaidOnce, standBehindProxies } from './behindProxies.ts'
import { type ForgedBlock, forge, receiptsRootOf } from './forge.ts'
import { metric } from './metric.ts'
import type { RpcReceipt } from './omit.ts'
import type { FaultProxy, RpcRequest } from './proxy.ts'

let behind: Behind
let stack: Stack
/** The one that is asked first, and the one that is asked whether it is true. */
let first: FaultProxy
let second: FaultProxy

const crossCheckMs = 15_000
let disagreementsBefore = 0
const disagreements = async () => (await counted('cowry_provider_disagreements_total')) - disagreementsBefore

beforeAll(async () => {
  // So long that no payment goes on with one provider while a test looks whether it waits for the other.
  // Trusted: what a header proves could not be forged under its hash. What is believed of one provider is what the second one is asked about.
  behind = await standBehindProxies(2, { env: { INDEXER_CROSS_CHECK_MS: String(crossCheckMs), ETHEREUM_TRUSTED: 'true' } })
  stack = behind.stack
  ;[first, second] = behind.proxies as [FaultProxy, FaultProxy]
})
beforeEach(async () => {
  for (const each of [first, second]) each.rewrite = null
  first.choose = () => null
  // Slower than the first, never too slow: so the order of the two is certain.
  second.slowMs = [60]
  second.choose = () => 'slow'
  await stack.caughtUp()
  disagreementsBefore = await counted('cowry_provider_disagreements_total')
})
afterAll(() => behind?.close())

const receiptsOf = async (height: string) => (await rpc(stack.devnet.rpcUrl, 'eth_getBlockReceipts', [height])) as RpcReceipt[]

/** From now on a provider tells of a payment to `victim` in the block at a height, in which there must be a transaction. */
function forgeAt(height: number, victim: SessionBody, isFork = false, by = first): void {
  const transfer = { token: stack.devnet.usdc, from: stack.wallet().account.address, to: victim.address, amount }
  const at = `0x${height.toString(16)}`
  const trueBlock = async () => (await rpc(stack.devnet.rpcUrl, 'eth_getBlockByNumber', [at, false])) as ForgedBlock
  by.rewrite = async ({ method, params }: RpcRequest, result: unknown) => {
    if (method === 'eth_getBlockByNumber' && Number((result as ForgedBlock | null)?.number) === height) {
      return forge(result as ForgedBlock, await receiptsOf(at), transfer, isFork).block
    }
    if (method === 'eth_getBlockReceipts' && Number(params[0]) === height) {
      return forge(await trueBlock(), result as RpcReceipt[], transfer, isFork).receipts
    }
    if (method !== 'eth_getLogs') return result
    const { block, receipts } = forge(await trueBlock(), await receiptsOf(at), transfer, isFork)
    return (params[0] as { blockHash?: string }).blockHash === block.hash ? receipts.flatMap(({ logs }) => logs) : result
  }
}

/** Two sessions; the first is really paid in the next block, of the second one provider says that it was too. */
async function payOneForgeOther(isFork = false): Promise<[SessionBody, SessionBody]> {
  const [honest, victim] = (await createSessions(stack, 2)) as [SessionBody, SessionBody]
  await stack.caughtUp()
  forgeAt((await stack.height()) + 1, victim, isFork)
  await stack.send(honest.address, amount)
  await stack.mine()
  await waitFor('the forged payment to be seen', async () => (await stack.session(victim.id)).payments.length === 1)
  return [honest, victim]
}

const counted = (name: string) => metric(stack.processes.get('indexer'), name)
async function expectNothingCredited(victim: SessionBody): Promise<void> {
  expect((await effectsOn(stack, [victim.id])).get(victim.id)).toMatchObject({ credits: 0, status: 'pending', paidEvents: 0 })
  expect((await stack.session(victim.id)).payments).toMatchObject([{ status: 'seen' }])
}

test('the forging is sound: the root that it computes of true receipts is the one in their header', async () => {
  const sessions = await createSessions(stack, 3)
  for (const { address } of sessions) await stack.send(address, amount)
  await stack.mine()
  const height = `0x${(await stack.height()).toString(16)}`
  const block = (await rpc(stack.devnet.rpcUrl, 'eth_getBlockByNumber', [height, false])) as ForgedBlock
  const receipts = await receiptsOf(height)
  expect([receipts.length, receiptsRootOf(receipts)]).toEqual([3, block.receiptsRoot])
})

test('a forged block of another hash is taken back when the provider tells the truth again, and what is true in it is paid', async () => {
  const [honest, victim] = await payOneForgeOther(true)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  await stack.mine(3)
  // They are on different forks: nothing more is read, and that is told too.
  const failures = await counted('cowry_chain_read_failures_total')
  await waitFor('the failure to read on', async () => (await counted('cowry_chain_read_failures_total')) > failures + 3)
  await expectNothingCredited(victim)

  first.rewrite = null
  await stack.sessionIs(honest.id, 'paid')
  expect(await stack.session(victim.id)).toMatchObject({ status: 'pending', payments: [{ status: 'reverted' }] })
  await stack.send(victim.address, amount)
  await stack.mine()
  await expectEachPaidOnce(stack, [honest, victim])
  // The forged block is read again where the first provider misses one answer and the second one is asked: each time it is taken back.
  const told = (type: string) => stack.receiver.types(victim.id).filter((each) => each === type).length
  expect(told('transaction.reverted')).toBeGreaterThan(0)
  expect(told('transaction.detected')).toBe(told('transaction.reverted') + 1)
})

test('a second provider that answers nothing is waited for, then the payment goes on without it, and that is counted', async () => {
  second.choose = () => 'hanging'
  const [session] = (await createSessions(stack, 1)) as [SessionBody]
  await stack.send(session.address, amount)
  await stack.mine(3)
  await stack.caughtUp()
  const asked = second.applied.get('hanging') ?? 0
  await waitFor('being asked', async () => (second.applied.get('hanging') ?? 0) > asked + 3)
  expect([(await stack.session(session.id)).status, await counted('cowry_blocks_unwitnessed_total')]).toEqual(['pending', 0])

  // As if it had waited for as long.
  await stack.db.query("update detections set seen_at = seen_at - $2 * interval '1 ms' where subject_id = $1", [session.id, crossCheckMs])
  await expectEachPaidOnce(stack, [session])
  expect(await counted('cowry_blocks_unwitnessed_total')).toBe(1)
  expect(await disagreements()).toBe(0)
})

// What follows leaves payments that stay in dispute.

test('a true payment in the same block is credited when the provider that forged tells the truth again', async () => {
  const [honest] = await payOneForgeOther()
  await stack.mine(3)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  first.rewrite = null
  await stack.mine(3)
  await stack.sessionIs(honest.id, 'paid', 'none')
})

test('a forged payment in a block that is otherwise true is seen, never credited, and told; other blocks are paid meanwhile', async () => {
  const [, victim] = await payOneForgeOther()
  await stack.mine(3)
  const [other] = (await createSessions(stack, 1)) as [SessionBody]
  await stack.send(other.address, amount)
  await expectEachPaidOnceBeside(other)
  await waitFor('the disagreement', async () => (await disagreements()) > 0)
  await expectNothingCredited(victim)
  expect(stack.logs()).toContain('another provider does not have this block, or not these payments')

  first.rewrite = null
  await stack.mine(3)
  await stack.caughtUp()
  await expectNothingCredited(victim)
  // Paid in truth, it is credited once: the forged payment does not stand in for the true one, nor beside it.
  await stack.send(victim.address, amount)
  await stack.mine(3)
  await waitFor('paid', async () => (await stack.session(victim.id)).status === 'paid')
  await stack.idle()
  expect((await effectsOn(stack, [victim.id])).get(victim.id)).toMatchObject({ credits: 1, status: 'paid', paidEvents: 1 })
})

/** Paid, though a block before it is disputed and so leaves something unsettled. */
async function expectEachPaidOnceBeside(session: SessionBody): Promise<void> {
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
}

// The last one: what it lets hang is asked less for a while, and then another one is the first.
test('what a provider adds when it reads a block again is not confirmed by its own word', async () => {
  // The block is read first at the one whose name comes first.
  const [teller, forger] = [first, second].sort((a, b) => (a.host < b.host ? -1 : 1)) as [FaultProxy, FaultProxy]
  forger.choose = () => 'hanging'
  const [honest, victim] = (await createSessions(stack, 2)) as [SessionBody, SessionBody]
  await stack.send(honest.address, amount)
  await stack.mine()
  const height = await stack.height()
  await waitFor('it is seen', async () => (await stack.session(honest.id)).payments.length === 1)
  forger.choose = () => null
  await stack.mine(3)
  await stack.sessionIs(honest.id, 'paid')

  forgeAt(height, victim, false, forger)
  teller.choose = () => 'hanging'
  const env = { ETHEREUM_RPC_URLS: [teller.url, forger.url].join(), RPC_TIMEOUT_MS: '1000', ETHEREUM_TRUSTED: 'true' }
  const read = await runCommand(stack, 'rescan', ['ethereum', String(height), String(height)], env)
  expect([read.err, read.out]).toEqual(['', expect.stringContaining('1 new payments')])
  teller.choose = () => null
  await waitFor('its dispute', async () => {
    const rows = await stack.db.query('select 1 from detections where subject_id = $1 and disputed_at is not null', [victim.id])
    return rows.length > 0
  })
  await expectNothingCredited(victim)
  // It goes on telling it.
  const before = await disagreements()
  await stack.mine(3)
  await waitFor('the next ones', async () => (await disagreements()) > before + 1)
  await expectNothingCredited(victim)
})
