import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type EvmDevnet, rpc, startEvmDevnet } from '../devnets/evm.ts'
import { howMany } from '../support/full.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Behind, createSessions, expectEachPaidOnce, payInOneBlock, standBehindProxies } from './behindProxies.ts'
import { inSpells, sometimes } from './chances.ts'
import { metric } from './metric.ts'
import { omissions } from './omit.ts'
import { type Fault, type FaultProxy, spells } from './proxy.ts'

const seeds = Array.from({ length: howMany(1, 5) }, (_, i) => 20_261_120 + 10 * i)
const perBlock = 5
const perPhase = howMany(30, 60)
const payments = howMany(250, 500)

/** One fault, or several of a kind. */
interface Phase {
  name: string
  faults: readonly Fault[]
  /** Of the requests, those that it is chosen for; what comes and goes by itself is chosen for all. */
  share: number
  /** While it lasts there is no true answer to be had from that provider, so two have it one after the other. */
  inTurn: boolean
}

const phases: readonly Phase[] = [
  { name: 'logs left out under the same hash', faults: omissions, share: 0.5, inTurn: false },
  { name: 'a node that stands still', faults: ['stale-node'], share: 1, inTurn: true },
  { name: 'storms of 429', faults: ['throttle-storm'], share: 1, inTurn: false },
  { name: 'truncated bodies', faults: ['truncated'], share: 0.5, inTurn: false },
  { name: 'the node of another chain', faults: ['wrong-chain-id'], share: 1, inTurn: true },
  { name: 'connections that are reset for a while', faults: ['flapping'], share: 1, inTurn: false },
  { name: 'late answers, some of them too late', faults: ['slow'], share: 0.5, inTurn: false },
]

/** Another chain, and longer: whoever believes it goes astray at once. */
let foreign: EvmDevnet
beforeAll(async () => {
  foreign = await startEvmDevnet({ chain: 'polygon', blockSeconds: 0 })
  await rpc(foreign.rpcUrl, 'anvil_mine', ['0x7d0', '0x1'])
})
afterAll(() => foreign?.stop())

const honest = () => null
/** Two ways to ask for what is in a block. */
const methodsOfLogs = ['eth_getBlockReceipts', 'eth_getLogs']
const indexerOf = (stack: Stack) => stack.processes.get('indexer')
const wrongChain = (stack: Stack, proxy: FaultProxy) => metric(indexerOf(stack), 'cowry_provider_wrong_chain', `"${proxy.host}"`)

/** Pays in blocks of several payments each; the indexer follows at some of them, and catches up at others. */
async function payInBlocks(stack: Stack, sessions: readonly SessionBody[], afterSome: () => Promise<unknown>): Promise<void> {
  const blocks = Math.ceil(sessions.length / perBlock)
  for (let block = 0; block < blocks; block++) {
    await payInOneBlock(stack, sessions.slice(block * perBlock, (block + 1) * perBlock))
    if (block % 3 === 2 || block === blocks - 1) await afterSome()
  }
}

/** That a second provider agreed to everything that was seen. */
const agreed = (stack: Stack) =>
  waitFor(
    'agreement about every payment',
    async () => (await stack.db.query("select 1 from detections where status = 'seen' and agreed_at is null limit 1")).length === 0,
    45_000,
  )

describe.each(seeds)(`${payments} payments over two providers that both fail, and over one of them (seed %i)`, (seed) => {
  let behind: Behind
  let stack: Stack
  let unpaid: SessionBody[]
  const paid: SessionBody[] = []
  const mixed = payments - perPhase * phases.length

  beforeAll(async () => {
    behind = await standBehindProxies(2, { foreignUrl: foreign.rpcUrl, env: { POOL_TARGET: '700', POOL_LOW_WATER: '650' }, apart: true })
    stack = behind.stack
    unpaid = await createSessions(stack, payments)
  })
  afterAll(() => behind?.close())

  const takeUnpaid = (count: number) => {
    const some = unpaid.splice(0, count)
    paid.push(...some)
    return some
  }
  const appliedTo = (what: string) => behind.proxies.reduce((sum, { applied }) => sum + (applied.get(what) ?? 0), 0)

  test.each(phases.filter(({ inTurn }) => !inTurn))('$name, at both: every block is read and agreed to all the same', async ({ faults, share }) => {
    for (const [index, proxy] of behind.proxies.entries()) proxy.choose = sometimes(faults, share, seed + index)
    await payInBlocks(stack, takeUnpaid(perPhase), () => stack.caughtUp(30_000))
    // Which requests are chosen is chance: it goes on until each fault was applied at each, and each omission to receipts and to logs.
    const everywhere = () =>
      behind.proxies.every(({ applied }) => faults.every((fault) => applied.has(fault))) &&
      (faults !== omissions || omissions.every((omission) => methodsOfLogs.every((method) => appliedTo(`${omission} ${method}`) > 0)))
    await waitFor('every one of these faults, at both', async () => {
      if (everywhere()) return true
      const more = await createSessions(stack, perBlock)
      paid.push(...more)
      await payInBlocks(stack, more, () => stack.caughtUp(30_000))
      return everywhere()
    })
    await agreed(stack)
    for (const proxy of behind.proxies) proxy.choose = honest
  })

  test.each(phases.filter(({ inTurn }) => inTurn))('$name, at one and then at the other: every block is read all the same', async ({ faults }) => {
    for (const astray of behind.proxies) {
      for (const proxy of behind.proxies) proxy.choose = proxy === astray ? sometimes(faults, 1, seed) : honest
      await payInBlocks(stack, takeUnpaid(perPhase / 2), async () => {
        await stack.caughtUp(30_000)
        // It is known which of the two it is, and only that one is left alone.
        if (!faults.includes('wrong-chain-id')) return
        await waitFor('the wrong chain to be known', async () =>
          (await Promise.all(behind.proxies.map(async (proxy) => (await wrongChain(stack, proxy)) === Number(proxy === astray)))).every(Boolean),
        )
      })
      // Which of the two is asked is the reader's choice: it goes on until that one was.
      await waitFor('every one of these faults', async () => {
        if (faults.every((fault) => astray.applied.has(fault))) return true
        const more = await createSessions(stack, perBlock)
        paid.push(...more)
        await payInBlocks(stack, more, () => stack.caughtUp(30_000))
        return false
      })
    }
    for (const proxy of behind.proxies) proxy.choose = honest
    await agreed(stack)
  })

  test('all of it in spells, at both: every block is read and agreed to all the same', async () => {
    for (const [index, proxy] of behind.proxies.entries()) proxy.choose = inSpells(spells, seed + index)
    await payInBlocks(stack, takeUnpaid(mixed), () => stack.caughtUp(60_000))
    for (const proxy of behind.proxies) proxy.choose = honest
    await agreed(stack)
  }, 120_000)

  test('and each is detected once, credited once and told as paid once', async () => {
    expect(unpaid).toEqual([])
    expect(paid.length).toBeGreaterThanOrEqual(payments)
    await expectEachPaidOnce(stack, paid)
  }, 120_000)

  test('every fault was applied at each, those of logs to receipts and to logs; and what was refused is counted, provider by provider', async () => {
    for (const omission of omissions) for (const method of methodsOfLogs) expect(appliedTo(`${omission} ${method}`)).toBeGreaterThan(0)
    for (const { host, applied } of behind.proxies) {
      for (const fault of spells) expect(applied.get(fault)).toBeGreaterThan(0)
      const counted = (name: string, ...labels: string[]) => metric(indexerOf(stack), name, `"${host}"`, ...labels)
      expect(await counted('cowry_rpc_refused_answers_total')).toBeGreaterThan(0)
      expect(await counted('cowry_rpc_calls_total', 'outcome="throttled"')).toBeGreaterThan(0)
      expect(await counted('cowry_rpc_calls_total', 'outcome="error"')).toBeGreaterThan(0)
    }
    expect(await metric(indexerOf(stack), 'cowry_chain_gap_blocks')).toBe(0)
  })

  describe('payments over one provider that fails', () => {
    let proxy: FaultProxy
    const paid: SessionBody[] = []
    const alone = () => ({ ETHEREUM_RPC_URLS: proxy.url })

    beforeAll(async () => {
      proxy = behind.proxies[0] as FaultProxy
      proxy.applied.clear()
      await stack.stop('indexer')
      await stack.start('indexer', alone())
    })

    async function toPay(count: number): Promise<SessionBody[]> {
      const sessions = await createSessions(stack, count)
      paid.push(...sessions)
      return sessions
    }
    const readUpTo = async () => (await stack.db.query<{ height: number }>('select height::int from chain_cursors'))[0]?.height

    test.each(phases.filter(({ inTurn }) => !inTurn))('$name: every block is read all the same', async ({ faults, share }) => {
      proxy.choose = sometimes(faults, share, 7)
      // Not every call is one that the fault can be applied to, so it goes on until each was.
      do await payInBlocks(stack, await toPay(2 * perBlock), () => stack.caughtUp(30_000))
      while (!faults.every((fault) => proxy.applied.has(fault)))
      proxy.choose = honest
    })

    test('a node that stands still: what is above it is read when it goes on', async () => {
      await stack.caughtUp()
      const before = await stack.height()
      proxy.choose = () => 'stale-node'
      await waitFor('the node to stand still', async () => proxy.standsAt === before)
      for (const session of await toPay(2)) await payInOneBlock(stack, [session])
      const asked = proxy.applied.get('stale-node') ?? 0
      await waitFor('being asked', async () => (proxy.applied.get('stale-node') ?? 0) > asked + 5)
      expect(await readUpTo()).toBe(before)
      proxy.choose = honest
      await stack.caughtUp()
    })

    test('the node of another chain: it is left alone, nothing of it is believed, and the chain is read when its node is back', async () => {
      await stack.caughtUp()
      const before = await stack.height()
      proxy.choose = () => 'wrong-chain-id'
      await waitFor('the wrong chain to be known', async () => (await wrongChain(stack, proxy)) === 1)
      for (const session of await toPay(2)) await payInOneBlock(stack, [session])
      expect(await readUpTo()).toBe(before)
      proxy.choose = honest
      await stack.caughtUp()
      expect(await wrongChain(stack, proxy)).toBe(0)
      expect(await metric(indexerOf(stack), 'cowry_reorgs_total')).toBe(0)
    })

    test.each([
      ['receipts', []],
      ['logs alone', ['eth_getBlockReceipts']],
    ])('blocks that nobody asked for at their time are read when somebody does, by %s, whatever is left out of these', async (_, without) => {
      const sessions = await toPay(howMany(20, 50))
      await stack.stop('indexer')
      await payInBlocks(stack, sessions, async () => {})
      const omitted = () => omissions.reduce((sum, omission) => sum + (proxy.applied.get(omission) ?? 0), 0)
      const before = omitted()
      proxy.without = new Set(without)
      // The first answer with logs, and some of the others.
      const byChance = sometimes(omissions, 0.2, 11)
      proxy.choose = (request) => (omitted() === before && methodsOfLogs.includes(request.method) ? 'omitted-last-log' : byChance(request))
      await stack.start('indexer', alone())
      await stack.caughtUp(30_000)
      proxy.choose = honest
      expect(omitted()).toBeGreaterThan(before)
    })

    test('and each is detected once, credited once and told as paid once', () => expectEachPaidOnce(stack, paid))
  })
})
