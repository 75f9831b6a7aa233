import fc from 'fast-check'
import { historiesOf } from './histories.ts'
import { eventCountsOf, type HistoryOutcome, runHistory, type Stage } from './runHistory.ts'

export interface Outcomes {
  count: number
  seenReverted: number
  creditedReverted: number
}

/** Maximum number of histories, as a multiple of the usual number, before a missing event fails the test. */
const patience = 10

/**
 * Runs `usual` random histories, and more while a required event has not occurred: events are random, so one
 * is missing only after many more histories. A failing history ends it; fast-check reports its seed.
 * (Shrinking takes a minute of database time:
 * `endOnFailure: false` does it.)
 */
export async function runUntil(
  stage: Stage,
  usual: number,
  required: readonly string[],
  check: (outcome: HistoryOutcome) => void,
): Promise<Outcomes> {
  const outcomes: Outcomes = { count: 0, seenReverted: 0, creditedReverted: 0 }
  const started = Date.now()
  const histories = fc.asyncProperty(historiesOf(stage.dialect), async (history) => {
    const outcome = await runHistory(stage, history)
    check(outcome)
    outcomes.count++
    if (outcome.seenReverted) outcomes.seenReverted++
    if (outcome.creditedReverted) outcomes.creditedReverted++
  })
  await fc.assert(histories, { numRuns: usual, endOnFailure: true })
  while (missing(stage, required).length > 0 && outcomes.count < patience * usual)
    await fc.assert(histories, { numRuns: 1, endOnFailure: true })
  const { count, seenReverted, creditedReverted } = outcomes
  process.stdout.write(
    `\n${stage.dialect.family}: ${count} random histories in ${Math.round((Date.now() - started) / 1000)} s; a fork reverted a seen payment in ${seenReverted}, a credited one in ${creditedReverted}\n${eventCountsOf(stage)}\n`,
  )
  return outcomes
}

/** Required events that have not occurred. */
export const missing = ({ eventCounts }: Stage, required: readonly string[]): string[] =>
  required.filter((name) => !eventCounts.has(name))
