import { createStack, swapKeys } from '../test/support/stack.ts'
import { type Child, type ChildCpu, cpuMs, startChild } from './child.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import { load, type Target } from './requestLoad.ts'
import type { Scope } from './scope.ts'

const bench = 'swaps'
const clients = 16
const rounds = 7
const roundMs = 1500
const aim = 0.5
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
  const asked = { chainId: String(chainId), sellToken: usdc, buyToken: String(usdt), sellAmount: '100000000', slippageBps: '50' }
  const ofChild = (child: Child) => async () => cpuMs(await child.ask<ChildCpu>({}))
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
      what: 'bare express route that asks the stand-in',
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

  const waits: Record<string, number[]> = {}
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const figures: Record<string, number> = {}
    for (const each of contenders) {
      await standIn.ask({})
      const before = await each.computed()
      const done = await load(each, clients, roundMs)
      figures[each.id] = done.perSecond
      figures[`${each.id} cpu`] = ((await each.computed()) - before) / done.waits.length
      if (index >= 0) waits[each.id] = [...(waits[each.id] ?? []), ...done.waits]
    }
    return figures
  })
  const of = (name: string) => series[name] ?? []
  const ofLimit = ratio(of('quote'), of('bare'))
  return {
    figures: contenders.map(({ id, what }) =>
      figure(bench, what, spread(of(id)), 'requests/s', {
        extra: `${digits(spread(of(`${id} cpu`)).median)} ms CPU each, p50 ${digits(quantile(waits[id] ?? [], 0.5))} ms, p99 ${digits(quantile(waits[id] ?? [], 0.99))} ms`,
        ...(id === 'bare' ? { ratio: 1 as const } : {}),
        ...(id === 'quote' ? { ratio: ofLimit, aim: `at least ${aim}`, met: ofLimit.median >= aim } : {}),
      }),
    ),
    notes: [
      `${clients} clients over kept connections, ${rounds} rounds of ${roundMs / 1000} s each; the ratio to bare HTTP to the stand-in is ${digits(ratio(of('quote'), of('stand-in')).median)}. CPU is of the process in the line. Clients, stand-in, servers, Postgres and Redis share the cores.`,
    ],
  }
}

const unlimited = {
  RATE_LIMIT_BUSINESS: unreached,
  RATE_LIMIT_ADDRESS: unreached,
  ZEROX_REQUESTS_PER_SECOND: unreached,
}
