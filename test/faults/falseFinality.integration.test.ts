import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Behind, createSessions, startBehindProxies } from './behindProxies.ts'
import { metric } from './metric.ts'
import type { FaultProxy } from './proxy.ts'

// Providers of Ethereum that report wrong finality. Payments from 1,000 USDC on wait for finality.

let behind: Behind
let stack: Stack
let liar: FaultProxy
let honest: FaultProxy

const large = 1_000_000_000n
/** Depth below the head at which a node reports finality. */
const honestDepth = 4

beforeAll(async () => {
  behind = await startBehindProxies(2, {
    // Long enough that no payment proceeds with one provider during a test.
    env: {
      INDEXER_CROSS_CHECK_MS: '60000',
      ETHEREUM_LARGE_FROM: '1000',
      ETHEREUM_FINALIZED_DEPTH: '6',
      ETHEREUM_BLOCK_MS: '100',
    },
  })
  stack = behind.stack
  ;[liar, honest] = behind.proxies as [FaultProxy, FaultProxy]
})
beforeEach(() => {
  for (const proxy of [liar, honest]) reportFinalAt(proxy, honestDepth)
})
afterAll(() => behind?.close())

/** @param below depth below its head; null: the tag is unknown */
function reportFinalAt(proxy: FaultProxy, below: number | null): void {
  proxy.rewrite = async ({ method, params }, result) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return result
    return below === null
      ? null
      : rpc(stack.devnet.rpcUrl, method, [`0x${((await stack.height()) - below).toString(16)}`, params[1]])
  }
}

async function paidLarge(): Promise<SessionBody> {
  const [session] = (await createSessions(stack, 1, () => ({ amount: '1000' }))) as [SessionBody]
  expect(session).toMatchObject({ finality: 'finalized' })
  await stack.send(session.address, large)
  await stack.mine()
  await waitFor('agreement about the payment', async () => {
    const [row] = await stack.db.query<{ agreed: boolean }>(
      'select agreed_at is not null as agreed from detections where subject_id = $1',
      [session.id],
    )
    return row?.agreed
  })
  return session
}

const expectStillPending = async (session: SessionBody) => {
  const callsAtHonest = async () =>
    (await metric(stack.processes.get('cowry'), 'cowry_rpc_calls_total', `provider="${honest.host}"`)) ?? 0
  const before = await callsAtHonest()
  await waitFor('several calls', async () => (await callsAtHonest()) > before + 20)
  expect(await stack.session(session.id)).toMatchObject({ status: 'pending', payments: [{ status: 'seen' }] })
}

test('a provider that reports its newest block as final credits nothing before the other one agrees', async () => {
  reportFinalAt(liar, 0)
  const session = await paidLarge()
  await expectStillPending(session)
  await stack.mine(honestDepth - 1)
  await expectStillPending(session)
  await stack.mine(1)
  await stack.sessionIs(session.id, 'paid')
})

test('a reorg of blocks that only one provider called final is an ordinary reorg: the indexer goes on', async () => {
  reportFinalAt(liar, 0)
  const session = await paidLarge()
  await expectStillPending(session)
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [1, []])
  await stack.mine()
  await waitFor(
    'taken back',
    async () => (await stack.session(session.id)).payments[0]?.status === 'reverted',
  )
  await stack.send(session.address, large)
  await stack.mine(honestDepth + 1)
  await stack.sessionIs(session.id, 'paid')
  expect(
    await metric(stack.processes.get('cowry'), 'cowry_part_restarts_total', 'part="indexer-ethereum"'),
  ).toBe(0)
})

test('when no node reports finality any more, depth does not replace it, not even after a restart', async () => {
  const before = await paidLarge()
  await stack.mine(honestDepth)
  await stack.sessionIs(before.id, 'paid')
  for (const proxy of [liar, honest]) reportFinalAt(proxy, null)
  const session = await paidLarge()
  await stack.mine(20)
  await expectStillPending(session)
  await stack.processes.get('cowry')?.stop()
  await stack.start('cowry')
  await expectStillPending(session)
  for (const proxy of [liar, honest]) reportFinalAt(proxy, honestDepth)
  await stack.mine()
  await stack.sessionIs(session.id, 'paid')
})
