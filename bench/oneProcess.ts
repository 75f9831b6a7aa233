import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { metric } from '../test/faults/metric.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { quantile, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { firstHeight } from './recordedChain.ts'
import { type Replay, startReplay } from './replay.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'one-process'
const requestsPerSecond = 200
const quietMs = 10_000
/** Blocks of each chain that are caught up on under load, and then without. */
const blocks = { loaded: 10_000, quiet: 1000 }
const aimMs = 50
const chains = ['ethereum', 'solana'] as const
type Chain = (typeof chains)[number]

/** How long `GET /pos/sessions/{id}` takes while the indexers of the same process are far behind their chains. */
export async function benchOneProcess(scope: Scope): Promise<Report> {
  progress('starting two replay nodes and npm run cowry')
  const replays = { ethereum: await startReplay(scope, 'ethereum'), solana: await startReplay(scope, 'solana') }
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
  const pool = scope.keep(new Pool(`http://127.0.0.1:${stack.processes.get('api')?.port()}`, { connections: 64 }), (each) => each.close())
  const ask = async () => {
    const answer = await pool.request({ path: `/api/v1/pos/sessions/${session.id}`, method: 'GET', headers: { 'x-api-key': stack.apiKey } })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a session answered ${answer.statusCode}`)
  }

  progress(`${requestsPerSecond} requests a second, nothing to catch up on`)
  await load(ask, delay(2000))
  const idle = await load(ask, delay(quietMs))
  progress(`the same, ${blocks.loaded.toLocaleString('en')} blocks of each chain behind`)
  const yieldedBefore = await yielded(stack)
  const loaded = catchUp(stack, replays, firstHeight, blocks.loaded)
  const behind = await load(ask, loaded)
  const speeds = await loaded
  const yieldedBy = (await yielded(stack)) - yieldedBefore
  progress(`${blocks.quiet.toLocaleString('en')} blocks of each chain behind, without requests`)
  const alone = await catchUp(stack, replays, firstHeight + blocks.loaded, blocks.quiet)

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
        figure(bench, `${chain} caught up under these requests`, spread([speeds[chain]]), 'blocks/s', {
          extra: `${digits(alone[chain])} blocks/s without requests`,
        }),
      ),
    ],
    notes: [
      `${requestsPerSecond} requests a second, each timed from the moment at which it was due. API, worker and three indexers are one process (npm run cowry); the replay nodes, Postgres, Redis and the client share the cores. Reading waited ${digits(yieldedBy)} s in all for requests.`,
    ],
  }
}

/** Requests at their times, whether the ones before were answered or not; milliseconds of each. */
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

/** Blocks per second of each chain, from the moment at which its node has them. */
async function catchUp(stack: Stack, replays: Record<Chain, Replay>, from: number, count: number): Promise<Record<Chain, number>> {
  const target = from + count
  const speeds = await Promise.all(
    chains.map(async (chain) => {
      const started = performance.now()
      await replays[chain].order({ head: target })
      await reach(stack, target, [chain])
      return [chain, (count / (performance.now() - started)) * 1000] as const
    }),
  )
  return Object.fromEntries(speeds) as Record<Chain, number>
}

const reach = (stack: Stack, height: number, of: readonly Chain[] = chains) =>
  waitFor(
    `${of.join(' and ')} at ${height}`,
    async () => {
      await delay(200)
      const rows = await stack.db.query('select 1 from chain_cursors where chain = any($1) and height >= $2', [of, height])
      return rows.length === of.length
    },
    1_200_000,
  )

const yielded = (stack: Stack) => metric(stack.processes.get('cowry'), 'cowry_catch_up_yielded_seconds_total')
