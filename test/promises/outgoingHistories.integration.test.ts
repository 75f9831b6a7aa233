import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { full, howMany } from '../support/full.ts'
import type { Outcome } from './outgoing/checks.ts'
import { runHistory } from './outgoing/runHistory.ts'
import { openStage, type Stage } from './outgoing/stage.ts'

/*
 * Random histories of the transaction manager against a model of a chain with a fee market: spikes of twenty
 * times the base fee, floors, evictions, reorgs, two nodes behind one name, nodes that lag or are away,
 * transactions of the wallet's owner, restarts, two workers. The manager, the treasury, the builder and the
 * reader of outcomes are the product's, on a real Postgres.
 */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.database.drop())

const from = Number(process.env.COWRY_SEED ?? 1)

test(
  'every intent ends, at most once on the chain, each goes as soon as it can, and the fees are near the lowest that their blocks took',
  async () => {
    const outcomes: Outcome[] = []
    for (let seed = from; seed < from + howMany(Number(process.env.N ?? 40), 1000); seed++) {
      outcomes.push(await runHistory(stage, seed))
      // A history changes its rows a hundred times; dead ones would make each history slower than the one
      // before.
      if (seed % 20 === 0) await stage.database.db.query('vacuum (analyze) intents, intent_attempts')
    }
    const ratio = ({ fees }: Outcome) => Number((fees.paid * 1000n) / (fees.lowest || 1n)) / 1000
    const ratios = outcomes.filter(({ mined }) => mined > 0).sort((a, b) => ratio(b) - ratio(a))
    const shown = ratios.slice(0, 10).map((each) => `${each.seed}: ${ratio(each)}`)
    const median = ratio(ratios[Math.floor(ratios.length / 2)] as Outcome)
    const waits = Math.max(...outcomes.map(({ maxWaited }) => maxWaited))
    process.stdout.write(
      `\n${outcomes.length} histories, ${outcomes.reduce((sum, { mined }) => sum + mined, 0)} transfers mined; fees ÷ lowest: median ${median}, worst ten (seed: ratio) ${shown.join(', ')}; longest wait ${waits} rounds\n${[
        ...stage.events,
      ]
        .sort()
        .map(([event, times]) => `${event} ${times}`)
        .join(', ')}\n`,
    )
    const wrong = outcomes.flatMap(({ seed, problems }) =>
      problems.map((problem) => `seed ${seed}: ${problem}`),
    )
    expect(wrong).toEqual([])
    expect(median).toBeLessThanOrEqual(1.3)
  },
  full ? 7_200_000 : 600_000,
)
