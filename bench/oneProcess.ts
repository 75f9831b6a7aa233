import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { metric } from '../test/faults/metric.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { quantile, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { firstHeight } from './recordedChain.ts'
import { startReplay } from './replay.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'one-process'
const requestsPerSecond = 200
const quietMs = 10_000
/** Blocks that each chain is behind, and how long it catches up with and without requests. */
const blocksBehind = 10_000
const catchUpMs = { loaded: 90_000, alone: 20_000 }
const aimMs = 50
const chains = ['ethereum', 'solana'] as const
type Chain = (typeof chains)[number]

/** Latency of `GET /pos/sessions/{id}` while the indexers of the same process are far behind their chains. */
export async function benchOneProcess(scope: Scope): Promise<Report> {
  progress('starting two replay nodes and npm run cowry -- run all')
  const replays = {
    ethereum: await startReplay(scope, 'ethereum'),
    solana: await startReplay(scope, 'solana'),
  }
  const stack = scope.keep(await createStack({ chains: ['base'], processes: [] }), (each) => each.close())
  const own = Object.fromEntries(
    chains.flatMap((chain) => [
      [`${chain.toUpperCase()}_RPC_URLS`, replays[chain].url],
      [`${chain.toUpperCase()}_WS_URLS`, replays[chain].wsUrl],
      [`${chain.toUpperCase()}_START_BLOCK`, String(firstHeight)],
    ]),
  )
  await stack.start('cowry', { ...asInProduction(), LOG_LEVEL: 'warn', ...own })
  await reach(stack, firstHeight)
  const session = await stack.createSession()
  const pool = scope.keep(
    new Pool(`http://127.0.0.1:${stack.processes.get('api')?.port()}`, { connections: 64 }),
    (each) => each.close(),
  )
  const ask = async () => {
    const answer = await pool.request({
      path: `/api/v1/pos/sessions/${session.id}`,
      method: 'GET',
      headers: { 'x-api-key': stack.apiKey },
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a session answered ${answer.statusCode}`)
  }

  progress(`${requestsPerSecond} requests a second, nothing to catch up on`)
  await load(ask, delay(2000))
  const idle = await load(ask, delay(quietMs))
  progress(
    `the same for ${catchUpMs.loaded / 1000} s, ${blocksBehind.toLocaleString('en')} blocks of each chain behind`,
  )
  const yieldedBefore = await yielded(stack)
  for (const chain of chains) await replays[chain].order({ head: firstHeight + blocksBehind })
  let behind: number[] = []
  const loaded = await speedsDuring(stack, async () => {
    behind = await load(ask, delay(catchUpMs.loaded))
  })
  const yieldedBy = (await yielded(stack)) - yieldedBefore
  progress(`catching up for ${catchUpMs.alone / 1000} s without requests`)
  const alone = await speedsDuring(stack, () => delay(catchUpMs.alone))

  const latency = (what: string, waits: number[], aim: boolean) =>
    figure(bench, what, spread([quantile(waits, 0.99)]), 'ms p99', {
      extra: `p50 ${digits(quantile(waits, 0.5))} ms, max ${digits(Math.max(...waits))} ms, ${waits.length.toLocaleString('en')} requests`,
      ...(aim ? { aim: `p99 under ${aimMs} ms`, met: quantile(waits, 0.99) < aimMs } : {}),
    })
  return {
    figures: [
      latency('GET session, at the head', idle, false),
      latency('GET session, ethereum and solana catch up', behind, true),
      ...chains.map((chain) =>
        figure(bench, `${chain} caught up under these requests`, spread([loaded[chain].speed]), 'blocks/s', {
          extra: `${loaded[chain].blocks.toLocaleString('en')} blocks; ${digits(alone[chain].speed)} blocks/s without requests`,
        }),
      ),
    ],
    notes: [
      `${requestsPerSecond} requests a second, each timed from when it was due. API, worker and three indexers are one process (npm run cowry -- run all); the replay nodes, Postgres, Redis and the client share the cores. Catching up yielded to requests for ${digits(yieldedBy)} s in total.`,
    ],
  }
}

/** Sends requests at fixed times, whether or not earlier ones were answered. @returns milliseconds of each */
async function load(ask: () => Promise<void>, until: Promise<unknown>): Promise<number[]> {
  let over = false
  void until.finally(() => {
    over = true
  })
  const waits: number[] = []
  const running: Promise<void>[] = []
  const begin = performance.now()
  for (let index = 0; !over; index++) {
    const due = begin + (index * 1000) / requestsPerSecond
    const early = due - performance.now()
    if (early > 0) await delay(early)
    running.push(ask().then(() => void waits.push(performance.now() - due)))
  }
  await until
  await Promise.all(running)
  return waits
}

/**
 * Blocks that each chain's indexer commits during `work`. @throws where a chain caught up before the end,
 * which makes the figure useless
 */
async function speedsDuring(
  stack: Stack,
  work: () => Promise<unknown>,
): Promise<Record<Chain, { blocks: number; speed: number }>> {
  const [before, started] = [await heightsOf(stack), performance.now()]
  await work()
  const [after, seconds] = [await heightsOf(stack), (performance.now() - started) / 1000]
  const speedOf = (chain: Chain) => {
    const blocks = after[chain] - before[chain]
    if (after[chain] >= firstHeight + blocksBehind || blocks === 0)
      throw new Error(
        `${chain} read ${blocks} blocks and is at ${after[chain]}: it was not catching up all the time`,
      )
    return { blocks, speed: blocks / seconds }
  }
  return { ethereum: speedOf('ethereum'), solana: speedOf('solana') }
}

async function heightsOf(stack: Stack): Promise<Record<Chain, number>> {
  const rows = await stack.db.query<{ chain: Chain; height: number }>(
    'select chain, height::float8 as height from chain_cursors where chain = any($1)',
    [chains],
  )
  return Object.fromEntries(rows.map(({ chain, height }) => [chain, height])) as Record<Chain, number>
}

const reach = (stack: Stack, height: number) =>
  waitFor(`${chains.join(' and ')} at ${height}`, async () => {
    await delay(200)
    const rows = await stack.db.query('select 1 from chain_cursors where chain = any($1) and height >= $2', [
      chains,
      height,
    ])
    return rows.length === chains.length
  })

const yielded = (stack: Stack) => metric(stack.processes.get('cowry'), 'cowry_catch_up_yielded_seconds_total')
