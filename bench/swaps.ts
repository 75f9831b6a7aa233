import { createStack, swapKeys } from '../test/support/stack.ts'
import { type Child, type ChildCpu, cpuMs, startChild } from './child.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import { load, type Target } from './requestLoad.ts'
import type { Scope } from './scope.ts'

const bench = 'swaps'
const clients = 16
const rounds = 7
const roundMs = 1500
const aim = 0.5
/** Until the stand-in answers: at once, and as a provider on the internet that is quick. */
const delays = [0, 100]
/** A limit that no round reaches. */
const unreached = String(1_000_000_000)

interface Contender extends Target {
  id: 'stand-in' | 'bare' | 'quote'
  what: string
  computed(): Promise<number>
}

/** Quotes of swaps per second, compared with bare HTTP requests to the provider's stand-in. */
export async function benchSwaps(scope: Scope): Promise<Report> {
  progress('starting the API and the stand-in of 0x')
  const keep = (child: Child) => scope.keep(child, (each) => each.close())
  const env = { NODE_ENV: 'production', SWAP_KEY: swapKeys.zeroX }
  const standIn = keep(startChild(new URL('./swapStandIn.ts', import.meta.url), env))
  const { url } = await standIn.next<{ url: string }>()
  const bare = keep(startChild(new URL('./bareQuotes.ts', import.meta.url), { ...env, SWAP_URL: url }))
  const { port } = await bare.next<{ port: number }>()
  const stack = scope.keep(await createStack({ processes: [] }), (each) => each.close())
  await stack.start('api', { ...asInProduction(), ...unlimited, NODE_ENV: 'production', ZEROX_URL: url })
  const api = stack.processes.get('api')

  const { usdc, usdt = '', chainId } = stack.devnet
  const asked = {
    chainId: String(chainId),
    sellToken: usdc,
    buyToken: String(usdt),
    sellAmount: '100000000',
    slippageBps: '50',
  }
  let delayMs = 0
  const ofChild = (child: Child) => async () => cpuMs(await child.ask<ChildCpu>({ delayMs }))
  const contenders: Contender[] = [
    {
      id: 'stand-in',
      what: 'bare HTTP to the stand-in',
      port: Number(new URL(url).port),
      path: `/swap/allowance-holder/price?${new URLSearchParams(asked)}`,
      headers: { '0x-api-key': swapKeys.zeroX, '0x-version': 'v2' },
      computed: ofChild(standIn),
    },
    {
      id: 'bare',
      what: 'bare express route that queries the stand-in',
      port,
      path: '/quote',
      headers: {},
      body: JSON.stringify(asked),
      computed: ofChild(bare),
    },
    {
      id: 'quote',
      what: 'POST /crypto/swaps/quote',
      port: api?.port() ?? 0,
      path: '/api/v1/crypto/swaps/quote',
      headers: { 'x-api-key': stack.apiKey },
      body: JSON.stringify({ chain: 'ethereum', sellToken: usdc, buyToken: usdt, amount: '100' }),
      computed: () => cpuMsOf(api),
    },
  ]

  const reports = []
  for (const each of delays) {
    delayMs = each
    await standIn.ask({ delayMs })
    reports.push(await measure(contenders, delayMs))
  }
  return {
    figures: reports.flat(),
    notes: [
      `${clients} clients over kept connections, ${rounds} rounds of ${roundMs / 1000} s each. The limit is bare HTTP to the stand-in, with the same delay. CPU is of the process in the line. Clients, stand-in, servers, Postgres and Redis share the cores.`,
    ],
  }
}

/** All contenders, while the stand-in takes this long. */
async function measure(contenders: readonly Contender[], delayMs: number): Promise<Figure[]> {
  const waits: Record<string, number[]> = {}
  const label = delayMs === 0 ? 'answered at once' : `answered after ${delayMs} ms`
  const series = await interleave(`${bench}, ${label}`, { rounds, warmUp: 2 }, async (index) => {
    const figures: Record<string, number> = {}
    for (const each of contenders) {
      const before = await each.computed()
      const done = await load(each, clients, roundMs)
      figures[each.id] = done.perSecond
      figures[`${each.id} cpu`] = ((await each.computed()) - before) / done.waits.length
      if (index >= 0) waits[each.id] = [...(waits[each.id] ?? []), ...done.waits]
    }
    return figures
  })
  const of = (name: string) => series[name] ?? []
  const ofLimit = ratio(of('quote'), of('stand-in'))
  const timesOf = (id: string) => {
    const [cpu, all] = [spread(of(`${id} cpu`)).median, waits[id] ?? []]
    return `${digits(cpu)} ms CPU each, p50 ${digits(quantile(all, 0.5))} ms, p99 ${digits(quantile(all, 0.99))} ms`
  }
  return contenders.map(({ id, what }) =>
    figure(bench, `${what}, ${label}`, spread(of(id)), 'requests/s', {
      extra: timesOf(id),
      ...(id === 'stand-in' ? { ratio: 1 as const } : {}),
      ...(id === 'bare' ? { ratio: ratio(of('bare'), of('stand-in')) } : {}),
      ...(id === 'quote' ? { ratio: ofLimit, aim: `at least ${aim}`, met: ofLimit.median >= aim } : {}),
    }),
  )
}

const unlimited = {
  RATE_LIMIT_BUSINESS: unreached,
  RATE_LIMIT_ADDRESS: unreached,
  ZEROX_REQUESTS_PER_SECOND: unreached,
}
