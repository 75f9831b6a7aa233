import { expect } from '@jest/globals'
import { parseAbi } from 'viem'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

export const amount = 5_000_000n
const timeoutMs = 600

export interface Behind {
  stack: Stack
  proxies: FaultProxy[]
  close(): Promise<void>
}

interface BehindOptions {
  foreignUrl?: string | null
  env?: Record<string, string>
  /**
   * Runs treasury, api, indexer and worker as separate processes; by default all but the treasury run in one
   * process.
   */
  separate?: boolean
}

/**
 * Cowry with an indexer that reads one node through several proxies. Only the first offers
 * `eth_getBlockReceipts`, so the others prove nothing by receipts and are read by logs alone.
 * @param foreignUrl the node of another chain, for `wrong-chain-id`
 */
export async function startBehindProxies(
  count: number,
  { foreignUrl = null, env = {}, separate = false }: BehindOptions = {},
): Promise<Behind> {
  const proxies: FaultProxy[] = []
  const stack = await createStack({
    ...(separate ? { separate: true } : { processes: ['cowry'] }),
    confirmations: 2,
    env: { RPC_TIMEOUT_MS: String(timeoutMs), ...env },
    rpcUrls: async (nodeUrl) => {
      for (let i = 0; i < count; i++) {
        const proxy = await startFaultProxy(nodeUrl)
        proxy.foreignUrl = foreignUrl
        proxy.slowMs = [timeoutMs / 6, timeoutMs / 2, timeoutMs * 1.5]
        if (i > 0) proxy.without = new Set(['eth_getBlockReceipts'])
        proxies.push(proxy)
      }
      return proxies.map(({ url }) => url)
    },
  })
  const close = async () => {
    await stack.close()
    await Promise.all(proxies.map((proxy) => proxy.close()))
  }
  return { stack, proxies, close }
}

/** @param bodyOf body of the nth request */
export async function createSessions(
  stack: Stack,
  count: number,
  bodyOf: (n: number) => object = () => ({ amount: '5' }),
): Promise<SessionBody[]> {
  const sessions: SessionBody[] = []
  while (sessions.length < count) {
    const some = Math.min(20, count - sessions.length)
    const first = sessions.length
    sessions.push(
      ...(await Promise.all(Array.from({ length: some }, (_, i) => stack.createSession(bodyOf(first + i))))),
    )
  }
  return sessions
}

/** Pays in one block: three sessions by one transaction, the others by one each. */
export async function payInOneBlock(stack: Stack, sessions: readonly SessionBody[]): Promise<void> {
  const together = sessions.slice(0, 3)
  await stack.wallet().writeContract({
    address: stack.devnet.batch,
    abi: parseAbi(['function send(address token, address[] to, uint256[] amounts)']),
    functionName: 'send',
    args: [stack.devnet.usdc, together.map(({ address }) => address), together.map(() => amount)],
    gas: 600_000n,
  })
  for (const { address } of sessions.slice(3)) await stack.send(address, amount)
  await stack.mine()
}

/** @param blocks enough to make the payments final */
export async function expectEachPaidOnce(
  stack: Stack,
  sessions: readonly SessionBody[],
  blocks = 2,
): Promise<void> {
  const ids = sessions.map(({ id }) => id)
  await stack.mine(blocks)
  await waitFor(
    'all sessions paid',
    async () => {
      const [row] = await stack.db.query<{ open: number }>(
        "select count(*)::int as open from pos_sessions where id = any($1::uuid[]) and status <> 'paid'",
        [ids],
      )
      return row?.open === 0
    },
    90_000,
  ).catch((error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  })
  await stack.idle(60_000)
  await expectNothingLeftOver(stack)
  const effects = await effectsOn(stack, ids)
  expect(effects.size).toBe(ids.length)
  for (const effect of effects.values()) {
    expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
    expect(effect.paidDeliveries).toBeGreaterThanOrEqual(1)
  }
  expect(stack.receiver.forged).toEqual([])
}
