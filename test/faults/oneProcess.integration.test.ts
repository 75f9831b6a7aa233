import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { rpc } from '../devnets/evm.ts'
import { runCommand } from '../support/command.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'

// One process runs the API, the worker and the indexers of two chains: a failure of one indexer stays there.
// Each restart of an indexer waits twice as long as its last one, so the failures are spread over both.

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['cowry'],
    chains: ['ethereum', 'base'],
    confirmations: 1,
    env: { SHUTDOWN_SECONDS: '20' },
  })
})
afterAll(() => stack?.close())

const cowry = () => {
  const found = stack.processes.get('cowry')
  if (!found) throw new Error('the process cowry is not running')
  return found
}
const restarts = (chain: string) => metric(cowry(), 'cowry_part_restarts_total', `part="indexer-${chain}"`)

/** Readiness of each part on the internal port: `ok` or a reason. */
async function readiness(): Promise<{ status: number; checks: Record<string, string> }> {
  const answer = await fetch(cowry().metricsUrl().replace('/metrics', '/health/ready'))
  return {
    status: answer.status,
    checks: ((await answer.json()) as { checks: Record<string, string> }).checks,
  }
}

async function pay(chain: 'ethereum' | 'base'): Promise<void> {
  const session = await stack.createSession({ chain, amount: '5' })
  await stack.pay(session)
  await stack.mine(2, chain)
  await stack.sessionIs(session.id, 'paid')
}

test('readiness names every part of the process, and metrics name each chain', async () => {
  const { status, checks } = await readiness()
  expect(status).toBe(200)
  expect(checks).toEqual({
    started: 'ok',
    running: 'ok',
    api: 'ok',
    worker: 'ok',
    indexers: 'ok',
    'indexer-ethereum': 'ok',
    'indexer-base': 'ok',
  })
  await pay('ethereum')
  await pay('base')
  for (const chain of ['ethereum', 'base'])
    for (const name of ['cowry_chain_indexed_height', 'cowry_blocks_total', 'cowry_chain_covered_blocks'])
      expect([chain, name, await metric(cowry(), name, `chain="${chain}"`)]).toEqual([
        chain,
        name,
        expect.any(Number),
      ])
})

test('an indexer that loses its database connection restarts alone, and misses no payment', async () => {
  const before = await restarts('base')
  const session = await stack.createSession({ chain: 'base', amount: '7' })
  await stack.db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cowry indexer base' and datname = current_database()",
  )
  await stack.pay(session)
  await stack.mine(2, 'base')
  await stack.sessionIs(session.id, 'paid')
  expect(await restarts('base')).toBe(before + 1)
  expect(await restarts('ethereum')).toBe(0)
})

test('a reorg that is too deep ends one indexer repeatedly; its chain is not ready, while the other chain and the API go on', async () => {
  // Simulates a reorg below the finalized height.
  await stack.mine(3, 'ethereum')
  const height = await stack.height('ethereum')
  await stack.caughtUp(undefined, 'ethereum')
  const unforked = await runCommand(stack, 'accept-fork', ['ethereum', String(height - 3), 'by mistake'])
  expect([unforked.code, unforked.err]).toEqual([2, expect.stringContaining('has not forked')])
  await stack.db.query("update chain_cursors set finalized_height = $1 where chain = 'ethereum'", [height])
  const [before, ofBase] = [await restarts('ethereum'), await restarts('base')]
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [3, []])
  await stack.mine(2, 'ethereum')
  await waitFor('the indexer to start again twice', async () => (await restarts('ethereum')) >= before + 2)
  // The other indexer is ready again, too.
  await waitFor('the other parts to be ready', async () => {
    const { status, checks } = await readiness()
    expect(status).toBe(503)
    expect(checks).toMatchObject({ api: 'ok', worker: 'ok', 'indexer-base': 'ok' })
    return true
  })
  await waitFor('the reason', async () =>
    /which it had called finalized/.test((await readiness()).checks['indexer-ethereum'] ?? ''),
  )
  const publicReady = await fetch(`http://127.0.0.1:${cowry().port()}/health/ready`)
  expect(publicReady.status).toBe(200)
  await pay('base')
  expect(await restarts('base')).toBe(ofBase)
  expect(cowry().running()).toBe(true)

  // docs/runbooks/the-fork-went-too-deep.md, without restarting the process.
  const diagnosis = await runCommand(stack, 'accept-fork', ['ethereum'])
  expect([diagnosis.code, diagnosis.err]).toEqual([0, ''])
  expect(diagnosis.out).toMatch(
    new RegExp(`has ours up to block ${height - 3}, and another block ${height - 2}`),
  )
  const tooHigh = await runCommand(stack, 'accept-fork', ['ethereum', String(height - 2), 'a test'])
  expect([tooHigh.code, tooHigh.out.includes('went back')]).toEqual([2, false])
  expect(tooHigh.err).toMatch(/does not have our block/)
  const done = await runCommand(stack, 'accept-fork', ['ethereum', String(height - 3), 'a', 'test'])
  expect([done.code, done.err]).toEqual([0, ''])
  await pay('ethereum')
  await waitFor('ready again', async () => (await readiness()).status === 200)
  const audited = await stack.db.query(
    "select target, before, after from audit_log where action = 'chain.fork_accepted'",
  )
  expect(audited).toEqual([
    {
      target: 'ethereum',
      before: { height, finalizedHeight: height },
      after: { height: height - 3, reason: 'a test' },
    },
  ])

  const forced = await runCommand(stack, 'accept-fork', [
    'base',
    String((await stack.height('base')) - 2),
    'drill',
    '--force',
  ])
  expect([forced.code, forced.err]).toEqual([0, ''])
  await pay('base')
})
