import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { areaOf } from './budget.ts'

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof import('@jest/test-sequencer')
type Suites = Parameters<InstanceType<typeof Sequencer>['sort']>[0]

/** Seconds of a suite that has not run here before, by area. */
const guesses: Record<string, number> = { 'test/faults': 20, 'test/e2e': 15, 'test/promises': 10, 'test/devnets': 5, unit: 0.5 }
const otherwise = 2

/** Starts the longest suites first, so that no worker waits for the other at the end. */
export default class LongestFirst extends Sequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const secondsOf = ({ path, duration, context }: Suites[number]): number =>
      duration === undefined ? (guesses[areaOf(relative(context.config.rootDir, path))] ?? otherwise) : duration / 1000
    // Jest's own order, which also reads the durations, decides between equals.
    return [...(await super.sort([...suites]))].sort((a, b) => secondsOf(b) - secondsOf(a))
  }
}
