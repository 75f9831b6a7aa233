import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { areaOf } from './budget.ts'

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer')
type Suites = Parameters<InstanceType<typeof Sequencer>['sort']>[0]

/** Seconds of a suite that has not run here before, by area. */
const guesses: Record<string, number> = {
  'test/faults': 20,
  'test/e2e': 15,
  'test/promises': 10,
  'test/devnets': 5,
  unit: 0.5,
}
const otherwise = 2

/**
 * Areas whose suites wait for whole stacks. They start in the first part of the run, so that they do not end
 * last.
 */
const waiting = { areas: ['test/faults', 'test/e2e'], part: 0.85 }

/**
 * Spreads the suites that wait over those that compute, to keep the processors busy. The longest of each kind
 * start first.
 */
export default class SuiteOrder extends Sequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const areaOfSuite = ({ path, context }: Suites[number]): string =>
      areaOf(relative(context.config.rootDir, path))
    const secondsOf = (suite: Suites[number]): number =>
      suite.duration === undefined ? (guesses[areaOfSuite(suite)] ?? otherwise) : suite.duration / 1000
    // Jest's own order, which also reads the durations, decides between equals.
    const longestFirst = [...(await super.sort([...suites]))].sort((a, b) => secondsOf(b) - secondsOf(a))
    const waits = (suite: Suites[number]): boolean => waiting.areas.includes(areaOfSuite(suite))
    const starts = [
      ...startsOf(longestFirst.filter(waits), secondsOf, waiting.part),
      ...startsOf(
        longestFirst.filter((suite) => !waits(suite)),
        secondsOf,
        1,
      ),
    ]
    return starts.sort((a, b) => a.at - b.at).map(({ suite }) => suite)
  }
}

/** Start times of suites that run one after another. @param part the length of the whole */
function startsOf(
  suites: Suites,
  secondsOf: (suite: Suites[number]) => number,
  part: number,
): { suite: Suites[number]; at: number }[] {
  const total = suites.reduce((sum, suite) => sum + secondsOf(suite), 0)
  let before = 0
  return suites.map((suite) => {
    const at = (part * before) / total
    before += secondsOf(suite)
    return { suite, at }
  })
}
