import { markdownTable } from '../scripts/markdownTable.ts'
import { digits } from './report.ts'
import { type Measured, predicted } from './scaleMeasured.ts'
import { type Costs, endsOf, needsOf } from './simulation.ts'

/** Payments in a block of the bench. */
export const perBlock = 25

const loads = [1, 10, 100, 1000, 10_000]
/** All nine chains at their usual pace, together. */
const chains = { chains: 9, blocksPerSecond: 10 }
/** A large server. */
export const largePostgres = 64

const names = {
  api: 'api',
  worker: 'worker',
  indexer: 'indexer',
  postgres: 'Postgres',
  redis: 'Redis',
  load: 'the bench itself',
  cores: 'the cores',
}

/** The tables of docs/scale.md, by their name. */
export function scaleTables(of: Measured): Record<'costs' | 'loads' | 'needs' | 'ends', string[]> {
  const { costs, costsOfTwo, loads: measured, at, machine } = of
  const row = (what: string, value: (costs: Costs) => string) => [what, value(costs), value(costsOfTwo)]
  const share = (value: number) => `${Math.round(100 * value)} %`
  return {
    costs: [
      `With one api, one worker and one indexer at ${digits(at)} payments a second, and with two apis and`,
      `two workers (${machine}):`,
      '',
      ...markdownTable(
        ['one payment costs', '1 api, 1 worker', '2 apis, 2 workers'],
        [
          ...(['api', 'worker', 'indexer', 'postgres', 'redis'] as const).map((part) =>
            row(`CPU of ${names[part]}`, ({ cpu }) => `${digits(cpu[part].perPayment)} ms`),
          ),
          row(
            'CPU of the indexer for a block of Ethereum',
            ({ cpu }) => `${digits(cpu.indexer.perBlock)} ms`,
          ),
          row('statements', ({ statements }) => digits(statements)),
          row('transactions', ({ transactions }) => digits(transactions)),
          row("bytes of Postgres' log", ({ walBytes }) => `${digits(walBytes / 1000)} kB`),
          row('bytes stored, with indexes', ({ databaseBytes }) => `${digits(databaseBytes / 1000)} kB`),
          row('commands of Redis', ({ redisCommands }) => digits(redisCommands)),
          row('webhooks', ({ webhooks }) => digits(webhooks)),
          row('calls of a node for a block', ({ nodeCallsPerBlock }) => digits(nodeCallsPerBlock)),
        ],
      ),
    ],
    loads: markdownTable(
      [
        'deployment',
        'cores left to it',
        'payments/s',
        'simulated',
        'of measured',
        'full',
        'p50, p99',
        'transactions each',
        'CPU, in cores',
      ],
      measured.map((load) => {
        const { perSecond, full } = predicted(of, load, perBlock)
        const cores = Object.entries(load.cores).map(
          ([part, value]) => `${names[part as 'api']} ${value.toFixed(2)}`,
        )
        return [
          `${load.apis} api, ${load.workers} worker`,
          digits(load.coreMs / 1000),
          digits(load.perSecond),
          digits(perSecond),
          share(perSecond / load.perSecond),
          names[full],
          `${digits(load.p50)}, ${digits(load.p99)} ms`,
          digits(load.transactions),
          cores.join(', '),
        ]
      }),
    ),
    needs: markdownTable(
      [
        'payments/s',
        'apis',
        'workers',
        'indexers',
        'Postgres',
        'statements/s',
        'log',
        'stored a day',
        'Redis',
        'commands/s',
        'webhooks/s',
      ],
      loads.map((perSecond) => {
        const need = needsOf(costsOfTwo, perSecond, chains)
        return [
          digits(perSecond).replace(/\.0+$/, ''),
          String(need.apis),
          String(need.workers),
          String(need.indexers),
          `${digits(need.postgresCores)} cores`,
          digits(need.statementsPerSecond),
          `${digits(need.walMegabytesPerSecond)} MB/s`,
          `${digits(need.databaseGigabytesPerDay)} GB`,
          `${digits(need.redisCores)} cores`,
          digits(need.redisCommandsPerSecond),
          digits(need.webhooksPerSecond),
        ]
      }),
    ),
    ends: (() => {
      const ends = endsOf(costsOfTwo, largePostgres, perBlock)
      return markdownTable(
        ['what cannot be doubled by one more process', 'is full at'],
        [
          ['one Redis (one core)', `${digits(ends.redis)} payments/s`],
          [`one Postgres of ${largePostgres} cores`, `${digits(ends.postgres)} payments/s`],
          [
            `the indexer of one chain (one core, ${perBlock} payments in a block)`,
            `${digits(ends.indexer)} payments/s on that chain`,
          ],
        ],
      )
    })(),
  }
}
