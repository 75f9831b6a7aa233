import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type EvmDevnet, rpc, startEvmDevnet } from '../devnets/evm.ts'
import { full, howMany } from '../support/full.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import {
  type Behind,
  createSessions,
  expectEachPaidOnce,
  payInOneBlock,
  startBehindProxies,
} from './behindProxies.ts'
import { inBursts, sometimes } from './chances.ts'
import { metric } from './metric.ts'
import { omissions } from './omit.ts'
import { burstFaults, type Fault, type FaultProxy } from './proxy.ts'

const seeds = Array.from({ length: howMany(1, 5) }, (_, i) => 20_261_120 + 10 * i)
const perBlock = 5
const perPhase = howMany(12, 60)
const payments = howMany(110, 500)

/** One fault, or several of a kind. */
interface Phase {
  name: string
  faults: readonly Fault[]
  /** Share of requests that it is chosen for; faults that start and stop by themselves are chosen for all. */
  share: number
  /** Whether the provider gives no true answer meanwhile: then the two providers fail in turn. */
  oneAtATime: boolean
}

const phases: readonly Phase[] = [
  { name: 'logs omitted under the same hash', faults: omissions, share: 0.5, oneAtATime: false },
  { name: 'a node with a frozen head', faults: ['stale-node'], share: 1, oneAtATime: true },
  { name: 'storms of 429', faults: ['throttle-storm'], share: 1, oneAtATime: false },
  { name: 'truncated bodies', faults: ['truncated'], share: 0.5, oneAtATime: false },
  { name: 'the node of another chain', faults: ['wrong-chain-id'], share: 1, oneAtATime: true },
  { name: 'connections that are temporarily reset', faults: ['flapping'], share: 1, oneAtATime: false },
  { name: 'slow answers, some after the timeout', faults: ['slow'], share: 0.5, oneAtATime: false },
]

const env = {
  INDEXER_POLL_MS: '80',
  INDEXER_CROSS_CHECK_MS: '400',
  ETHEREUM_BLOCK_MS: '80',
  // The long form uses more addresses than the template has.
  ...(full ? { POOL_TARGET: '700', POOL_LOW_WATER: '650' } : {}),
}

/** A longer chain of another network: an indexer that accepts it diverges at once. */
let foreign: EvmDevnet
beforeAll(async () => {
  foreign = await startEvmDevnet({ chain: 'polygon', blockSeconds: 0 })
  await rpc(foreign.rpcUrl, 'anvil_mine', ['0x7d0', '0x1'])
})
afterAll(() => foreign?.stop())

const honest = () => null
/** Two methods that return the logs of a block. */
const methodsOfLogs = ['eth_getBlockReceipts', 'eth_getLogs']
const indexerOf = (stack: Stack) => stack.processes.get('indexer')
const wrongChain = (stack: Stack, proxy: FaultProxy) =>
  metric(indexerOf(stack), 'cowry_provider_wrong_chain', `"${proxy.host}"`)

/** Pays in blocks of several payments; catches up at some of them. */
async function payInBlocks(
  stack: Stack,
  sessions: readonly SessionBody[],
  afterSome: () => Promise<unknown>,
): Promise<void> {
  const blocks = Math.ceil(sessions.length / perBlock)
  for (let block = 0; block < blocks; block++) {
    await payInOneBlock(stack, sessions.slice(block * perBlock, (block + 1) * perBlock))
    if (block % 3 === 2 || block === blocks - 1) await afterSome()
  }
}

/** Waits until a second provider has agreed to every detection. */
const agreed = (stack: Stack) =>
  waitFor(
    'agreement about every payment',
    async () =>
      (await stack.db.query("select 1 from detections where status = 'seen' and agreed_at is null limit 1"))
        .length === 0,
  )

describe.each(seeds)(
  `${payments} payments over two failing providers, and over one of them (seed %i)`,
  (seed) => {
    let behind: Behind
    let stack: Stack
    let unpaid: SessionBody[]
    const paid: SessionBody[] = []
    const mixed = payments - perPhase * phases.length

    beforeAll(async () => {
      behind = await startBehindProxies(2, { foreignUrl: foreign.rpcUrl, env, separate: true })
      stack = behind.stack
      unpaid = await createSessions(stack, payments)
    })
    afterAll(() => behind?.close())

    const takeUnpaid = (count: number) => {
      const some = unpaid.splice(0, count)
      paid.push(...some)
      return some
    }
    const appliedTo = (what: string) =>
      behind.proxies.reduce((sum, { applied }) => sum + (applied.get(what) ?? 0), 0)

    test.each(phases.filter(({ oneAtATime }) => !oneAtATime))(
      '$name, at both providers: every block is read and cross-checked',
      async ({ faults, share }) => {
        for (const [index, proxy] of behind.proxies.entries())
          proxy.choose = sometimes(faults, share, seed + index)
        await payInBlocks(stack, takeUnpaid(perPhase), () => stack.caughtUp())
        // Requests are chosen at random: continue until each fault was applied at each provider, and each
        // omission to receipts and to logs.
        const everywhere = () =>
          behind.proxies.every(({ applied }) => faults.every((fault) => applied.has(fault))) &&
          (faults !== omissions ||
            omissions.every((omission) =>
              methodsOfLogs.every((method) => appliedTo(`${omission} ${method}`) > 0),
            ))
        await waitFor('each of these faults, at both', async () => {
          if (everywhere()) return true
          const more = await createSessions(stack, perBlock)
          paid.push(...more)
          await payInBlocks(stack, more, () => stack.caughtUp())
          return everywhere()
        })
        await agreed(stack)
        for (const proxy of behind.proxies) proxy.choose = honest
      },
    )

    test.each(phases.filter(({ oneAtATime }) => oneAtATime))(
      '$name, at one provider and then at the other: every block is read',
      async ({ faults }) => {
        for (const wrongProvider of behind.proxies) {
          for (const proxy of behind.proxies)
            proxy.choose = proxy === wrongProvider ? sometimes(faults, 1, seed) : honest
          await payInBlocks(stack, takeUnpaid(perPhase / 2), async () => {
            await stack.caughtUp()
            // The indexer knows which provider is wrong, and avoids only that one.
            if (!faults.includes('wrong-chain-id')) return
            await waitFor('the wrong chain to be known', async () =>
              (
                await Promise.all(
                  behind.proxies.map(
                    async (proxy) => (await wrongChain(stack, proxy)) === Number(proxy === wrongProvider),
                  ),
                )
              ).every(Boolean),
            )
          })
          // The reader chooses the provider: continue until the wrong one was queried.
          await waitFor('each of these faults', async () => {
            if (faults.every((fault) => wrongProvider.applied.has(fault))) return true
            const more = await createSessions(stack, perBlock)
            paid.push(...more)
            await payInBlocks(stack, more, () => stack.caughtUp())
            return false
          })
        }
        for (const proxy of behind.proxies) proxy.choose = honest
        await agreed(stack)
      },
    )

    test('all faults in bursts at both providers: every block is read and cross-checked', async () => {
      for (const [index, proxy] of behind.proxies.entries())
        proxy.choose = inBursts(burstFaults, seed + index)
      await payInBlocks(stack, takeUnpaid(mixed), () => stack.caughtUp(60_000))
      for (const proxy of behind.proxies) proxy.choose = honest
      await agreed(stack)
    }, 120_000)

    test('each payment is detected, credited and reported as paid once', async () => {
      expect(unpaid).toEqual([])
      expect(paid.length).toBeGreaterThanOrEqual(payments)
      await expectEachPaidOnce(stack, paid)
    }, 120_000)

    test('every fault was applied at each provider, omissions to receipts and to logs, and refused answers are counted by provider', async () => {
      for (const omission of omissions)
        for (const method of methodsOfLogs) expect(appliedTo(`${omission} ${method}`)).toBeGreaterThan(0)
      for (const { host, applied } of behind.proxies) {
        for (const fault of burstFaults) expect(applied.get(fault)).toBeGreaterThan(0)
        const counted = (name: string, ...labels: string[]) =>
          metric(indexerOf(stack), name, `"${host}"`, ...labels)
        expect(await counted('cowry_rpc_refused_answers_total')).toBeGreaterThan(0)
        expect(await counted('cowry_rpc_calls_total', 'outcome="throttled"')).toBeGreaterThan(0)
        expect(await counted('cowry_rpc_calls_total', 'outcome="error"')).toBeGreaterThan(0)
      }
      expect(await metric(indexerOf(stack), 'cowry_chain_gap_blocks')).toBe(0)
    })

    describe('payments over one failing provider', () => {
      let proxy: FaultProxy
      const paid: SessionBody[] = []
      const alone = () => ({ ETHEREUM_RPC_URLS: proxy.url })

      beforeAll(async () => {
        proxy = behind.proxies[0] as FaultProxy
        proxy.applied.clear()
        await stack.stop('indexer')
        await stack.start('indexer', alone())
      })

      async function addSessions(count: number): Promise<SessionBody[]> {
        const sessions = await createSessions(stack, count)
        paid.push(...sessions)
        return sessions
      }
      const readUpTo = async () =>
        (await stack.db.query<{ height: number }>('select height::int from chain_cursors'))[0]?.height

      test.each(phases.filter(({ oneAtATime }) => !oneAtATime))(
        '$name: every block is read',
        async ({ faults, share }) => {
          proxy.choose = sometimes(faults, share, 7)
          // Not every call can carry the fault: continue until each was applied.
          do await payInBlocks(stack, await addSessions(howMany(1, 2) * perBlock), () => stack.caughtUp())
          while (!faults.every((fault) => proxy.applied.has(fault)))
          proxy.choose = honest
        },
      )

      test('a node with a frozen head: later blocks are read when it goes on', async () => {
        await stack.caughtUp()
        const before = await stack.height()
        proxy.choose = () => 'stale-node'
        await waitFor('the frozen head', async () => proxy.frozenHeight === before)
        for (const session of await addSessions(2)) await payInOneBlock(stack, [session])
        const asked = proxy.applied.get('stale-node') ?? 0
        await waitFor('being asked', async () => (proxy.applied.get('stale-node') ?? 0) > asked + 5)
        expect(await readUpTo()).toBe(before)
        proxy.choose = honest
        await stack.caughtUp()
      })

      test('the node of another chain: it is avoided and not trusted, and the chain is read when its own node is back', async () => {
        await stack.caughtUp()
        const before = await stack.height()
        proxy.choose = () => 'wrong-chain-id'
        await waitFor('the wrong chain to be known', async () => (await wrongChain(stack, proxy)) === 1)
        for (const session of await addSessions(2)) await payInOneBlock(stack, [session])
        expect(await readUpTo()).toBe(before)
        proxy.choose = honest
        await stack.caughtUp()
        expect(await wrongChain(stack, proxy)).toBe(0)
        expect(await metric(indexerOf(stack), 'cowry_reorgs_total')).toBe(0)
      })

      test.each([
        ['receipts', []],
        ['logs alone', ['eth_getBlockReceipts']],
      ])(
        'blocks missed while the indexer was stopped are read when it starts, by %s, despite omitted entries',
        async (_, without) => {
          const sessions = await addSessions(howMany(10, 50))
          await stack.stop('indexer')
          await payInBlocks(stack, sessions, async () => {})
          const omitted = () =>
            omissions.reduce((sum, omission) => sum + (proxy.applied.get(omission) ?? 0), 0)
          const before = omitted()
          proxy.without = new Set(without)
          // The first answer with logs, and some of the others.
          const byChance = sometimes(omissions, 0.2, 11)
          proxy.choose = (request) =>
            omitted() === before && methodsOfLogs.includes(request.method)
              ? 'omitted-last-log'
              : byChance(request)
          await stack.start('indexer', alone())
          await stack.caughtUp()
          proxy.choose = honest
          expect(omitted()).toBeGreaterThan(before)
        },
      )

      test('each payment is detected, credited and reported as paid once', () =>
        expectEachPaidOnce(stack, paid))
    })
  },
)
