import { markdownTable } from '../scripts/markdownTable.ts'
import { digits } from './report.ts'
import { type Measured, predicted } from './scaleMeasured.ts'
import { endsOf, needsOf } from './simulation.ts'

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
export function scaleTables({
  costs,
  loads: measured,
  at,
  machine,
}: Measured): Record<'costs' | 'loads' | 'needs' | 'ends', string[]> {
  const share = (value: number) => `${Math.round(100 * value)} %`
  return {
    costs: [
      `At ${digits(at)} payments a second, with one api, one worker and one indexer (${machine}):`,
      '',
      ...markdownTable(
        ['one payment costs', ''],
        [
          ...(['api', 'worker', 'indexer', 'postgres', 'redis'] as const).map((part) => [
            `CPU of ${names[part]}`,
            `${digits(costs.cpu[part].perPayment)} ms`,
          ]),
          ['CPU of the indexer for a block of Ethereum', `${digits(costs.cpu.indexer.perBlock)} ms`],
          ['statements', digits(costs.statements)],
          ['transactions', digits(costs.transactions)],
          ["bytes of Postgres' log", `${digits(costs.walBytes / 1000)} kB`],
          ['bytes stored, with indexes', `${digits(costs.databaseBytes / 1000)} kB`],
          ['commands of Redis', digits(costs.redisCommands)],
          ['webhooks', digits(costs.webhooks)],
          ['calls of a node for a block', digits(costs.nodeCallsPerBlock)],
        ],
      ),
    ],
    loads: markdownTable(
      ['deployment', 'payments/s', 'simulated', 'of measured', 'full', 'p50, p99', 'CPU, in cores'],
      measured.map((load) => {
        const { perSecond, full } = predicted(costs, load, perBlock)
        const cores = Object.entries(load.cores).map(
          ([part, value]) => `${names[part as 'api']} ${value.toFixed(2)}`,
        )
        return [
          `${load.apis} api, ${load.workers} worker`,
          digits(load.perSecond),
          digits(perSecond),
          share(perSecond / load.perSecond),
          names[full],
          `${digits(load.p50)}, ${digits(load.p99)} ms`,
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
        const need = needsOf(costs, perSecond, chains)
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
      const ends = endsOf(costs, largePostgres, perBlock)
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
