import { ratio, spread } from '../measure.ts'
import { progress } from '../progress.ts'
import { digits, figure, type Report } from '../report.ts'
import { reasonOf } from '../runBenches.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Contender, Outcome } from './contender.ts'
import { cowry, cowryTrusting } from './cowry.ts'
import { createEmptyDatabase } from './emptyDatabase.ts'
import { type LocalChain, makeLocalChain } from './localChain.ts'
import { peers, squidInBulk } from './run.ts'

const bench = 'peers'
const blocks = 2000
const transfersPerBlock = 20
const rounds = 3

/** The contenders in the order of measurement. */
const contenders: readonly Contender[] = [cowry, cowryTrusting, ...peers]

/** How many times as fast as the fastest peer. */
const aims = new Map<Contender, number>([
  [cowry, 1],
  [cowryTrusting, 1.5],
])

/**
 * Events per second from an empty database to a row for every transfer of a local chain, compared with
 * similar programs.
 */
export async function* benchPeers(scope: Scope): AsyncGenerator<Report> {
  progress(`mining ${blocks.toLocaleString('en')} blocks of ${transfersPerBlock} transfers`)
  const chain = await makeLocalChain(scope, { blocks, transfersPerBlock })
  const outcomes = new Map<Contender, Outcome[]>(contenders.map((each) => [each, []]))
  const failures: string[] = []
  /** A contender that fails drops out of the run; the others are still measured. */
  const attempt = async (contender: Contender, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      progress(`${contender.name} failed: ${error instanceof Error ? error.stack : error}`)
      outcomes.delete(contender)
      failures.push(`${contender.name} failed: ${reasonOf(error)}`)
    }
  }
  for (const contender of contenders) {
    progress(`preparing ${contender.name} ${contender.version}`)
    await attempt(contender, () => contender.prepare(scope, chain))
  }
  for (let round = 1; round <= rounds; round++) {
    progress(`${bench}: round ${round} of ${rounds}`)
    for (const [contender, all] of outcomes)
      await attempt(contender, async () => void all.push(await measured(scope, chain, contender)))
  }

  yield {
    figures: [...outcomes].map(([contender, all]) => {
      const syncing = spread(all.map((each) => each.events / each.syncSeconds))
      const whole = spread(all.map((each) => each.events / each.seconds))
      const extra = `${digits(whole.median)} including its start`
      return figure(bench, `${contender.name} ${contender.version}`, syncing, 'events/s', {
        extra,
        ...aimOf(contender),
      })
    }),
    notes: [
      `${chain.transfers.toLocaleString('en')} transfers, ${transfersPerBlock} transactions in each of ${blocks.toLocaleString('en')} blocks of one anvil; each contender has its own empty database, one row a transfer, checked; ${rounds} rounds, each with every contender. The time runs from the first request for events at the node until another connection sees the last row. Node, contender and Postgres share the cores.`,
      ...[...outcomes].map(([{ name }, all]) => `${name}: ${describe(all)}`),
    ],
  }
  if (failures.length > 0) throw new Error(failures.join('; '))

  /** Round by round, because other load on the machine affects all contenders of a round alike. */
  function aimOf(contender: Contender): { aim?: string; met?: boolean } {
    const [aim, own, fastest] = [aims.get(contender), outcomes.get(contender), outcomes.get(squidInBulk)]
    if (aim === undefined || !own || !fastest) return {}
    const { median } = ratio(
      fastest.map((each) => each.syncSeconds),
      own.map((each) => each.syncSeconds),
    )
    return {
      aim: `at least ${aim.toFixed(1)} x ${squidInBulk.name} (${digits(median)} x)`,
      met: median >= aim,
    }
  }
}

async function measured(outer: Scope, chain: LocalChain, contender: Contender): Promise<Outcome> {
  const scope = outer.keep(createScope(), (each) => each.close())
  try {
    const databaseUrl = await createEmptyDatabase(scope)
    chain.requests.reset()
    return await contender.run(scope, { ...chain, databaseUrl })
  } finally {
    await scope.close()
  }
}

function describe(all: readonly Outcome[]): string {
  const requests = Object.entries(all.at(-1)?.requests ?? {}).map(
    ([method, count]) => `${count.toLocaleString('en')} ${method}`,
  )
  const cpu = all.map((each) => each.cpuSeconds).filter((each) => each !== null)
  return `${requests.join(', ')}${cpu.length > 0 ? `; ${digits(spread(cpu).median)} s CPU of its process, including its start` : ''}`
}
