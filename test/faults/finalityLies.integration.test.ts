import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Behind, createSessions, standBehindProxies } from './behindProxies.ts'
import { metric } from './metric.ts'
import type { FaultProxy } from './proxy.ts'

// What providers of Ethereum say is final. Payments from 1,000 USDC on wait for it.

let behind: Behind
let stack: Stack
let liar: FaultProxy
let honest: FaultProxy

const large = 1_000_000_000n
/** So many blocks below its head lies what a node calls final. */
const honestly = 4

beforeAll(async () => {
  behind = await standBehindProxies(2, {
    // So long that nobody goes on alone while a test looks.
    env: { INDEXER_CROSS_CHECK_MS: '60000', ETHEREUM_LARGE_FROM: '1000', ETHEREUM_FINALIZED_DEPTH: '6', ETHEREUM_BLOCK_MS: '100' },
  })
  stack = behind.stack
  ;[liar, honest] = behind.proxies as [FaultProxy, FaultProxy]
})
beforeEach(() => {
  for (const proxy of [liar, honest]) callsFinal(proxy, honestly)
})
afterAll(() => behind?.close())

/** @param below how far below its head; null: it does not know the tag */
function callsFinal(proxy: FaultProxy, below: number | null): void {
  proxy.rewrite = async ({ method, params }, result) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return result
    return below === null ? null : rpc(stack.devnet.rpcUrl, method, [`0x${((await stack.height()) - below).toString(16)}`, params[1]])
  }
}

async function paidLarge(): Promise<SessionBody> {
  const [session] = (await createSessions(stack, 1, () => ({ amount: '1000' }))) as [SessionBody]
  expect(session).toMatchObject({ finality: 'finalized' })
  await stack.send(session.address, large)
  await stack.mine()
  await waitFor('it is agreed to', async () => {
    const [row] = await stack.db.query<{ agreed: boolean }>('select agreed_at is not null as agreed from detections where subject_id = $1', [
      session.id,
    ])
    return row?.agreed
  })
  return session
}

const stays = async (session: SessionBody) => {
  const looked = async () => (await metric(stack.processes.get('cowry'), 'cowry_rpc_calls_total', `provider="${honest.host}"`)) ?? 0
  const before = await looked()
  await waitFor('several looks', async () => (await looked()) > before + 20)
  expect(await stack.session(session.id)).toMatchObject({ status: 'pending', payments: [{ status: 'seen' }] })
}

test('one that calls its newest block final credits nothing before the other one does', async () => {
  callsFinal(liar, 0)
  const session = await paidLarge()
  await stays(session)
  await stack.mine(honestly - 1)
  await stays(session)
  await stack.mine(1)
  await stack.sessionIs(session.id, 'paid')
})

test('a fork of what it alone called final is a fork like any other: the indexer goes on', async () => {
  callsFinal(liar, 0)
  const session = await paidLarge()
  await stays(session)
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [1, []])
  await stack.mine()
  await waitFor('taken back', async () => (await stack.session(session.id)).payments[0]?.status === 'reverted')
  await stack.send(session.address, large)
  await stack.mine(honestly + 1)
  await stack.sessionIs(session.id, 'paid')
  expect(await metric(stack.processes.get('cowry'), 'cowry_part_restarts_total', 'part="indexer-ethereum"')).toBe(0)
})

test('when no node tells any more what is final, depth does not stand for it: not after a restart either', async () => {
  const before = await paidLarge()
  await stack.mine(honestly)
  await stack.sessionIs(before.id, 'paid')
  for (const proxy of [liar, honest]) callsFinal(proxy, null)
  const session = await paidLarge()
  await stack.mine(20)
  await stays(session)
  await stack.processes.get('cowry')?.stop()
  await stack.start('cowry')
  await stays(session)
  for (const proxy of [liar, honest]) callsFinal(proxy, honestly)
  await stack.mine()
  await stack.sessionIs(session.id, 'paid')
})
