import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { full, howMany } from '../support/full.ts'
import { evmDialect } from './histories/families/evm.ts'
import { historiesOf } from './histories/histories.ts'
import { live, openStage, type Stage, turnsOf } from './histories/live.ts'

/*
 * Random histories. A chain of our own grows, forks and goes back to branches that it had given up, while the real loop follows
 * it, one round at a time, over a real Postgres; it is interrupted, frozen and restarted, and what it asks changes between two
 * of its questions. Sessions are made before, while and after they are paid; their jobs are settled in any order, some twice.
 * Whatever the history was: what is credited in the end is what the canonical chain pays.
 */

let stage: Stage
beforeAll(async () => {
  stage = await openStage(evmDialect)
})
afterAll(() => stage?.database.drop())

/** Without these the histories above would prove little. */
const rareTurns = [
  ...[
    'crash at read',
    'crash at begin',
    'crash at commit',
    'crash at committed',
    'freeze at begin',
    'freeze at read',
    'fenced',
    'frozen with a block that was given up',
  ],
  ...[
    'change at read',
    'fork to a lower tip',
    'a block came back with a payment',
    'found by the last rescan',
    'rescan refused',
    'fork in the middle of a rescan',
  ],
  ...['ends paid', 'ends pending', 'ends expired', 'ends late', 'ends wrong_token', 'ends underpaid', 'ends overpaid', 'ends none'],
]

test(
  'forks, restarts, duplicates and late watches in random order: what is credited is what the canonical chain pays',
  async () => {
    let [lived, reverted] = [0, 0]
    const started = Date.now()
    // A failing history is told with its seed. To make it smaller takes a minute of database: `endOnFailure: false` does it.
    await fc.assert(
      fc.asyncProperty(historiesOf(evmDialect), async (history) => {
        const { creditedReverted } = await live(stage, history)
        lived++
        if (creditedReverted) reverted++
      }),
      { numRuns: howMany(28, 1000), endOnFailure: true },
    )
    const share = Math.round((100 * reverted) / lived)
    process.stdout.write(
      `\n${lived} random histories in ${Math.round((Date.now() - started) / 1000)} s; in ${reverted} (${share} %) a payment that was credited was taken back by a fork\n${turnsOf(stage)}\n`,
    )
    expect(share).toBeGreaterThanOrEqual(30)
    expect(rareTurns.filter((turn) => !stage.turns.has(turn))).toEqual([])
  },
  full ? 3_600_000 : 300_000,
)
