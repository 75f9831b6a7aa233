import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { howMany } from '../support/full.ts'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Fault, type FaultProxy, faults, startFaultProxy } from './proxy.ts'
import { seeded } from './random.ts'

let stack: Stack
let proxies: FaultProxy[]

beforeAll(async () => {
  proxies = []
  stack = await createStack({
    processes: ['cowry'],
    confirmations: 2,
    env: {
      RPC_TIMEOUT_MS: '450',
      INDEXER_POLL_MS: '80',
      INDEXER_CROSS_CHECK_MS: '400',
      ETHEREUM_BLOCK_MS: '80',
    },
    rpcUrls: async (nodeUrl) => {
      proxies = [await startFaultProxy(nodeUrl), await startFaultProxy(nodeUrl)]
      return proxies.map((proxy) => proxy.url)
    },
  })
})
afterAll(async () => {
  await stack?.close()
  await Promise.all(proxies.map((proxy) => proxy.close()))
})

const amount = 5_000_000n
const seeds = Array.from({ length: howMany(1, 8) }, (_, i) => 20_261_120 + 10 * i)

async function paySome(count: number): Promise<SessionBody[]> {
  const sessions: SessionBody[] = []
  for (let i = 0; i < count; i++) {
    const session = await stack.createSession({ amount: '5' })
    sessions.push(session)
    await stack.send(session.address, amount)
    await stack.mine()
  }
  await stack.mine(2)
  return sessions
}

async function expectEachPaidOnce(sessions: readonly SessionBody[]): Promise<void> {
  for (const session of sessions) await stack.sessionIs(session.id, 'paid', 'none', 60_000)
  await stack.idle(60_000)
  await expectNothingLeftOver(stack)
  const effects = await effectsOn(
    stack,
    sessions.map((session) => session.id),
  )
  for (const session of sessions) {
    expect(effects.get(session.id)).toEqual({
      detections: 1,
      credits: 1,
      status: 'paid',
      paidEvents: 1,
      paidDeliveries: 1,
    })
  }
}

const cursorHeight = async () => {
  const [row] = await stack.db.query<{ height: string }>(
    "select height from chain_cursors where chain = 'ethereum'",
  )
  return Number(row?.height)
}

test.each(faults)(
  'providers that answer every second call with %s lose and double no payment',
  async (fault: Fault) => {
    const applied = () => proxies.reduce((sum, proxy) => sum + (proxy.applied.get(fault) ?? 0), 0)
    const before = applied()
    for (const [index, proxy] of proxies.entries()) {
      const random = seeded(index)
      proxy.choose = () => (random() < 0.5 ? fault : null)
    }
    // Not every call can carry the fault: continue until it was applied.
    do await expectEachPaidOnce(await paySome(howMany(2, 4)))
    while (applied() === before)
  },
)

test.each(seeds)(
  'all faults at random (seed %i) at both providers: each payment is credited once',
  async (seed) => {
    for (const [index, proxy] of proxies.entries()) {
      const random = seeded(seed + index)
      proxy.choose = () => (random() < 0.4 ? (faults[Math.floor(random() * faults.length)] as Fault) : null)
    }
    await expectEachPaidOnce(await paySome(howMany(20, 60)))
  },
  240_000,
)

test('inconsistent answers are counted by provider', async () => {
  const metrics = await (await fetch(stack.processes.get('indexer')?.metricsUrl() ?? '')).text()
  for (const { url } of proxies) {
    const line = metrics
      .split('\n')
      .find((each) => each.startsWith('cowry_rpc_refused_answers_total') && each.includes(new URL(url).host))
    expect(Number(line?.split(' ').at(-1))).toBeGreaterThan(0)
  }
})

test('a fast provider with a frozen head does not hold up blocks of a slower one', async () => {
  const [quick, slow] = proxies
  if (!quick || !slow) throw new Error('expected two proxies')
  // Slower than the grace time for others after the first answer.
  slow.slowMs = [250]
  slow.choose = () => 'slow'
  quick.choose = () => 'stale-node'
  await waitFor('the frozen head', async () => quick.frozenHeight !== null)
  const frozenHeight = quick.frozenHeight ?? 0
  await expectEachPaidOnce(await paySome(3))
  // They may be paid before the last block is read.
  await stack.caughtUp()
  expect([quick.frozenHeight, await cursorHeight()]).toEqual([frozenHeight, frozenHeight + 5])
})

test('while one provider is unavailable, the other one suffices', async () => {
  const [first, second] = proxies
  if (!first || !second) throw new Error('expected two proxies')
  first.choose = () => 'garbage'
  second.choose = () => null
  await expectEachPaidOnce(await paySome(3))
  first.choose = () => null
  second.choose = () => 'hanging'
  await expectEachPaidOnce(await paySome(3))
  second.choose = () => null
})

test('a block that returns after a reorg (A, B, A) revives its payment: reverted once, credited once in the end', async () => {
  for (const proxy of proxies) proxy.choose = () => null
  const session = await stack.createSession({ amount: '5' })
  await stack.mine()
  await stack.caughtUp()
  const branchA = new Map<string, unknown>()
  for (const proxy of proxies) proxy.recording = branchA
  await stack.send(session.address, amount)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  await stack.caughtUp()
  // Both forks are requested by the same heights: keep the answers about A.
  const head = await stack.height()
  for (let height = head - 6; height <= head; height++) {
    const at = `0x${height.toString(16)}`
    for (const [method, params] of [
      ['eth_getBlockByNumber', [at, true]],
      ['eth_getBlockByNumber', [at, false]],
      ['eth_getBlockReceipts', [at]],
    ] as const) {
      const response = await fetch(stack.devnet.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      branchA.set(
        `${method} ${JSON.stringify(params)}`,
        ((await response.json()) as { result: unknown }).result,
      )
    }
  }
  branchA.set(
    'eth_getBlockByNumber ["latest",false]',
    branchA.get(`eth_getBlockByNumber ["0x${head.toString(16)}",false]`),
  )
  for (const proxy of proxies) proxy.recording = null

  await fetch(stack.devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [3, []] }),
  })
  await stack.sessionIs(session.id, 'pending')
  for (const proxy of proxies) proxy.replay = branchA
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  const rows = await stack.db.query('select generation, status from detections where subject_id = $1', [
    session.id,
  ])
  expect(rows).toEqual([{ generation: 2, status: 'confirmed' }])
  expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({ detections: 1, credits: 1 })
  await waitFor('all webhooks', async () => stack.receiver.types(session.id).length === 10)
  expect(stack.receiver.types(session.id)).toEqual([
    ...['transaction.detected', 'session.detected', 'transaction.confirmed', 'session.paid'],
    ...['transaction.reverted', 'session.reversed'],
    ...['transaction.detected', 'session.detected', 'transaction.confirmed', 'session.paid'],
  ])
})
