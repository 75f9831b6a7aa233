import fc from 'fast-check'
import { historiesOf } from './histories.ts'
import { type Lived, live, type Stage, turnsOf } from './live.ts'

export interface ReportedHeights {
  lived: number
  takenBack: number
  creditedReverted: number
}

/** How many times the usual number of histories is lived before a turn that none took is a fault. */
const patience = 10

/**
 * Lives `usual` random histories, and more while one of the turns that must occur has not: which turns a few histories take is chance,
 * so a turn is missing only when many times as many did not take it. A history that fails ends it; fast-check tells its seed.
 * (To make a failing one smaller takes a minute of database: `endOnFailure: false` does it.)
 */
export async function liveUntil(stage: Stage, usual: number, musts: readonly string[], check: (lived: Lived) => void): Promise<ReportedHeights> {
  const reported: ReportedHeights = { lived: 0, takenBack: 0, creditedReverted: 0 }
  const started = Date.now()
  const histories = fc.asyncProperty(historiesOf(stage.dialect), async (history) => {
    const outcome = await live(stage, history)
    check(outcome)
    reported.lived++
    if (outcome.takenBack) reported.takenBack++
    if (outcome.creditedReverted) reported.creditedReverted++
  })
  await fc.assert(histories, { numRuns: usual, endOnFailure: true })
  while (missing(stage, musts).length > 0 && reported.lived < patience * usual) await fc.assert(histories, { numRuns: 1, endOnFailure: true })
  const { lived, takenBack, creditedReverted } = reported
  process.stdout.write(
    `\n${stage.dialect.family}: ${lived} random histories in ${Math.round((Date.now() - started) / 1000)} s; in ${takenBack} a payment that was seen was taken back by a fork, in ${creditedReverted} one that was credited\n${turnsOf(stage)}\n`,
  )
  return reported
}

/** The turns that no history has taken. */
export const missing = ({ turns }: Stage, musts: readonly string[]): string[] => musts.filter((turn) => !turns.has(turn))
