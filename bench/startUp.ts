import type { ChainName } from '../src/chains/registry.ts'
import { createStack, type ProcessName } from '../test/support/stack.ts'
import { interleave, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { cpuMsIn } from './procStat.ts'
import { progress } from './progress.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'start'
const chains: ChainName[] = ['ethereum', 'solana', 'tron', 'stellar']

/** Each process and its maximum of CPU seconds until it is ready. */
const aims = {
  api: 1,
  'indexer-ethereum': 0.5,
  'indexer-solana': 0.5,
  'indexer-tron': 0.5,
  'indexer-stellar': 0.5,
  worker: 0.5,
  treasury: 0.5,
} as const satisfies Partial<Record<ProcessName, number>>
const names = Object.keys(aims) as (keyof typeof aims)[]

/**
 * From the start of a process until `/health/ready` is ok, with a warm compile cache. One process at a time.
 */
export async function benchStartUp(scope: Scope): Promise<Report> {
  progress('starting Redis and a devnet of each family')
  const stack = scope.keep(await createStack({ chains, processes: [], env: asInProduction() }), (each) =>
    each.close(),
  )
  const series = await interleave(bench, { rounds: 7, warmUp: 2 }, async () => {
    const round: Record<string, number> = {}
    for (const name of names) {
      const started = performance.now()
      const launched = await stack.start(name)
      round[`${name} wall`] = (performance.now() - started) / 1000
      round[`${name} cpu`] = cpuMsIn(`/proc/${launched.pid}/stat`) / 1000
      await stack.stop(name)
    }
    return round
  })
  return {
    figures: names.flatMap((name) => {
      const cpu = spread(series[`${name} cpu`] ?? [])
      const wall = spread(series[`${name} wall`] ?? [])
      return [
        figure(bench, `${name}: CPU until ready`, cpu, 's', {
          aim: `at most ${aims[name]} s`,
          met: cpu.median <= aims[name],
        }),
        figure(bench, `${name}: wall until ready`, wall, 's'),
      ]
    }),
    notes: [
      'CPU is user and system time of all threads. Processes start one at a time; the compile cache is warm. Database and address pool are as in the tests.',
    ],
  }
}
