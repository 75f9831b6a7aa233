import { cpus } from 'node:os'
import { spread } from './measure.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import { startDeployment } from './scaleDeployment.ts'
import { createLoads, type MeasuredLoad } from './scaleLoad.ts'
import { type FullLoad, type Measured, predicted, saveMeasured } from './scaleMeasured.ts'
import { perBlock, scaleTables } from './scaleTables.ts'
import type { Scope } from './scope.ts'
import { type Costs, type Part, type PartCost, parts } from './simulation.ts'

const bench = 'scale'
/** Apis, and workers. The second time that a number comes, only the full load is measured once more. */
const order = [1, 2, 2, 1]
const idle = { blocksPerSecond: 2, ms: 6000 }
/** Sessions on their way at most: at the full load, and where costs are measured. */
const [window, fewer] = [12 * perBlock, 6 * perBlock]
const times = { warmUpMs: 4000, warmUpPayments: 2 * window, measuredMs: 12_000 }
/** Of processes that have just been started: their code is not compiled, their connections have no plans. */
const coldPayments = 3000
const aim = 0.2

/**
 * Payments a second, the whole way: a session through the api, its payment in a block, detection, settlement,
 * books, and the webhook that it is paid. Costs are measured with fewer sessions on their way than the full
 * load has; the simulation says from from them what is full, and is compared with what was measured.
 */
export async function benchScale(scope: Scope): Promise<Report> {
  const deployment = await startDeployment(scope)
  const loads = createLoads(scope, deployment)
  const costs = new Map<number, Costs>()
  const full = new Map<number, FullLoad[]>()
  let at = 0
  for (const processes of order) {
    const what = `scale: ${processes} api and ${processes} worker`
    await deployment.use(processes)
    if (!costs.has(processes)) {
      progress(`${what}: ${coldPayments.toLocaleString('en')} payments to warm up`)
      await loads.run({ ...times, onTheirWay: window, warmUpPayments: coldPayments })
      progress(`${what}: ${idle.blocksPerSecond} blocks a second without payments`)
      const quiet = await loads.idle(idle.blocksPerSecond, idle.ms)
      progress(`${what}: costs, ${fewer} sessions on their way`)
      const load = await loads.run({ ...times, onTheirWay: fewer })
      costs.set(processes, costsOf(processes, quiet, load))
      if (processes === 1) at = load.perSecond
    }
    progress(`${what}: the full load, ${window} sessions on their way`)
    const load = fullLoadOf(processes, await loads.run({ ...times, onTheirWay: window }))
    full.set(processes, [...(full.get(processes) ?? []), load])
  }
  const measured: Measured = {
    machine: machineOf(),
    at,
    costs: costs.get(1) as Costs,
    costsOfTwo: costs.get(2) as Costs,
    loads: [...full.values()].map(bestOf),
  }
  for (const [name, lines] of Object.entries(scaleTables(measured)))
    process.stdout.write(`\n${name}\n\n${lines.join('\n')}\n`)
  if (process.argv.includes('--save')) saveMeasured(measured)

  return {
    figures: measured.loads.flatMap((load, index) =>
      linesOf(measured, load, [...full.values()][index] ?? []),
    ),
    notes: [
      `payments of 4 businesses, ${perBlock} in each block of recorded Ethereum mainnet, 2 confirmations, five webhooks for each payment; at most ${window} sessions on their way. Client, node and receiver share the cores with Cowry, Postgres and Redis. Postgres counts statements (pg_stat_statements).`,
      ...loads.late,
      `costs are those with at most ${fewer} sessions on their way, measured for each number of processes; cores that other work used are not counted as there.`,
    ],
  }
}

const machineOf = () => `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores`

/** What one payment costs: the load less what stands still and what blocks cost. */
function costsOf(
  processes: number,
  quiet: MeasuredLoad,
  { used, payments, blocks, seconds }: MeasuredLoad,
): Costs {
  // Blocks are work of the indexer, and of the node that is part of the load.
  const isOfBlocks = (part: Part) => part === 'indexer' || part === 'load'
  const processesOf = (part: Part) => (part === 'api' || part === 'worker' ? processes : 1)
  const cpu = Object.fromEntries(
    parts.map((part): [Part, PartCost] => {
      const [perSecond, blockMs] = isOfBlocks(part)
        ? [0, quiet.used.cpuMs[part] / quiet.blocks]
        : [quiet.used.cpuMs[part] / quiet.seconds, 0]
      return [
        part,
        {
          perSecond: perSecond / processesOf(part),
          perBlock: blockMs,
          perPayment: Math.max(0, used.cpuMs[part] - perSecond * seconds - blockMs * blocks) / payments,
        },
      ]
    }),
  ) as Costs['cpu']
  const each = (value: number, quietValue: number) =>
    Math.max(0, value - (quietValue / quiet.seconds) * seconds) / payments
  return {
    cpu,
    statements: each(used.statements, quiet.used.statements),
    transactions: each(used.transactions, quiet.used.transactions),
    walBytes: each(used.walBytes, quiet.used.walBytes),
    databaseBytes: used.databaseBytes / payments,
    redisCommands: each(used.redisCommands, quiet.used.redisCommands),
    webhooks: used.webhooks / payments,
    nodeCallsPerBlock: quiet.used.nodeCalls / quiet.blocks,
  }
}

function fullLoadOf(
  processes: number,
  { used, payments, seconds, perSecond, p50, p99 }: MeasuredLoad,
): FullLoad {
  const own = parts.reduce((sum, part) => sum + used.cpuMs[part], 0)
  const all = cpus().length * 1000 * seconds
  const others = Math.max(0, used.machineMs - own)
  return {
    ...{ apis: processes, workers: processes, perSecond, p50, p99, coreMs: (all - others) / seconds },
    transactions: used.transactions / payments,
    cores: Object.fromEntries(parts.map((part) => [part, used.cpuMs[part] / seconds / 1000])),
    idle: Math.max(0, 1 - used.machineMs / all),
  }
}

/** Other work of the machine only takes away. */
const bestOf = (rounds: readonly FullLoad[]): FullLoad =>
  rounds.reduce((best, each) => (each.perSecond > best.perSecond ? each : best))

function linesOf(measured: Measured, load: FullLoad, all: readonly FullLoad[]): Figure[] {
  const what = `${load.apis} api, ${load.workers} worker, 1 indexer`
  const simulated = predicted(measured, load, perBlock)
  const ratio = simulated.perSecond / load.perSecond
  const busiest = Object.entries(load.cores)
    .sort(([, a], [, b]) => b - a)
    .map(([part, value]) => `${part} ${value.toFixed(2)}`)
  const latency = `p50 ${digits(load.p50)} ms, p99 ${digits(load.p99)} ms from block to webhook`
  return [
    figure(bench, `payments, ${what}`, spread(all.map(({ perSecond }) => perSecond)), '/s', {
      extra: `${latency}; cores: ${busiest.join(', ')}; ${Math.round(100 * load.idle)} % idle`,
    }),
    figure(bench, `the same, simulated`, spread([simulated.perSecond]), '/s', {
      extra: `full: ${simulated.full}`,
      ratio: spread([ratio]),
      aim: `within ${100 * aim} %`,
      met: Math.abs(ratio - 1) <= aim,
    }),
  ]
}
