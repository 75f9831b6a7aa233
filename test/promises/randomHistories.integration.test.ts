import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { full, howMany } from '../support/full.ts'
import { evmDialect } from './histories/families/evm.ts'
import { openStage, type Stage } from './histories/live.ts'
import { liveUntil, missing } from './histories/liveUntil.ts'

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
    const { lived, creditedReverted } = await liveUntil(stage, howMany(16, 1000), rareTurns, () => {})
    expect(Math.round((100 * creditedReverted) / lived)).toBeGreaterThanOrEqual(30)
    expect(missing(stage, rareTurns)).toEqual([])
  },
  full ? 3_600_000 : 900_000,
)
