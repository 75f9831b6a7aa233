import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { full, howMany } from '../support/full.ts'
import { evmDialect } from './histories/families/evm.ts'
import { openStage, type Stage } from './histories/runHistory.ts'
import { missing, runUntil } from './histories/runUntil.ts'

/*
 * Random histories. A local chain grows, forks and returns to abandoned branches, while the real loop follows
 * it, one round at a time, over a real Postgres. The loop is interrupted, frozen and restarted, and the chain
 * changes between two of its requests. Sessions are created before, during and after their payments; jobs are
 * settled in any order, some twice. In the end, credited payments must match the canonical chain.
 */

let stage: Stage
beforeAll(async () => {
  stage = await openStage(evmDialect)
})
afterAll(() => stage?.database.drop())

/** Required events: without them the histories prove little. */
const rareEvents = [
  ...[
    'crash at read',
    'crash at begin',
    'crash at commit',
    'crash at committed',
    'freeze at begin',
    'freeze at read',
    'fenced',
    'frozen with a dropped block',
  ],
  ...[
    'change at read',
    'fork to a lower tip',
    'a block with a payment returned',
    'found by the last rescan',
    'rescan refused',
    'fork during a rescan',
  ],
  ...[
    'ends paid',
    'ends pending',
    'ends expired',
    'ends late',
    'ends wrong_token',
    'ends underpaid',
    'ends overpaid',
    'ends none',
  ],
]

test(
  'forks, restarts, duplicates and late watches in random order: what is credited is what the canonical chain pays',
  async () => {
    const { count, creditedReverted } = await runUntil(stage, howMany(12, 1000), rareEvents, () => {})
    expect(Math.round((100 * creditedReverted) / count)).toBeGreaterThanOrEqual(30)
    expect(missing(stage, rareEvents)).toEqual([])
  },
  full ? 3_600_000 : 900_000,
)
