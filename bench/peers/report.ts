import { spread } from '../measure.ts'
import { progress } from '../progress.ts'
import { digits, figure, type Report } from '../report.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Contender, Outcome } from './contender.ts'
import { cowry } from './cowry.ts'
import { createEmptyDatabase } from './emptyDatabase.ts'
import { type LocalChain, makeLocalChain } from './localChain.ts'
import { peers } from './run.ts'

const bench = 'peers'
const blocks = 2000
const transfersPerBlock = 20
const rounds = 3

/** Who is measured, in this order. */
const contenders: readonly Contender[] = [cowry, ...peers]

/** Events per second from an empty database to a row for every transfer of a local chain, beside programs of the same kind. */
export async function benchPeers(scope: Scope, _run: Scope): Promise<Report> {
  progress(`mining ${blocks.toLocaleString('en')} blocks of ${transfersPerBlock} transfers`)
  const chain = await makeLocalChain(scope, { blocks, transfersPerBlock })
  const absent: string[] = []
  const outcomes = new Map<Contender, Outcome[]>()
  for (const contender of contenders) {
    progress(`preparing ${contender.name} ${contender.version}`)
    try {
      await contender.prepare(scope, chain)
      outcomes.set(contender, [])
    } catch (error) {
      // What cannot be installed here says nothing about the others.
      absent.push(`${contender.name} was NOT MEASURED: ${error instanceof Error ? error.message : error}`)
    }
  }
  for (let round = 1; round <= rounds; round++) {
    progress(`${bench}: round ${round} of ${rounds}`)
    for (const [contender, all] of outcomes) all.push(await measured(scope, chain, contender))
  }

  return {
    figures: [...outcomes].map(([{ name, version }, all]) => {
      const syncing = spread(all.map((each) => each.events / each.syncSeconds))
      const whole = spread(all.map((each) => each.events / each.seconds))
      return figure(bench, `${name} ${version}`, syncing, 'events/s', { extra: `${digits(whole.median)} with its start` })
    }),
    notes: [
      `${chain.transfers.toLocaleString('en')} transfers, ${transfersPerBlock} transactions in each of ${blocks.toLocaleString('en')} blocks of one anvil; each contender with an empty database of its own, one row a transfer, checked; ${rounds} rounds, in each of which every contender has its turn. The time runs from the first request for events that the node saw to the moment when another connection saw the last row. Node, contender and Postgres share the cores.`,
      ...[...outcomes].map(([{ name }, all]) => `${name}: ${describe(all)}`),
      ...absent,
    ],
  }
}

async function measured(outer: Scope, chain: LocalChain, contender: Contender): Promise<Outcome> {
  const scope = outer.keep(createScope(), (each) => each.close())
  try {
    const databaseUrl = await createEmptyDatabase(scope)
    chain.requests.reset()
    return await contender.run(scope, { ...chain, databaseUrl })
  } catch (error) {
    throw new Error(`${contender.name} failed`, { cause: error })
  } finally {
    await scope.close()
  }
}

function describe(all: readonly Outcome[]): string {
  const requests = Object.entries(all.at(-1)?.requests ?? {}).map(([method, count]) => `${count.toLocaleString('en')} ${method}`)
  const cpu = all.map((each) => each.cpuSeconds).filter((each) => each !== null)
  return `${requests.join(', ')}${cpu.length > 0 ? `; its process computed ${digits(spread(cpu).median)} s, its start included` : ''}`
}
