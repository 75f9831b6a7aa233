import { afterAll, expect } from '@jest/globals'
import { full, howMany } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import type { Dialect } from './histories/dialect.ts'
import { solanaDialect } from './histories/families/solana.ts'
import { stellarDialect } from './histories/families/stellar.ts'
import { tronDialect } from './histories/families/tron.ts'
import { openStage, type Stage } from './histories/runHistory.ts'
import { missing, runUntil } from './histories/runUntil.ts'

/*
 * Random histories of the other families: the same loop, over a local chain that a node in this process
 * serves in the family's own protocol, read by the family's own reader.
 */

/** Events that occur in a few histories. */
const common = [
  'crash at read',
  'freeze at begin',
  'fenced',
  'ends paid',
  'ends pending',
  'ends expired',
  'ends wrong_token',
  'ends overpaid',
]
const forks = ['reorg', 'fork', 'reverted by a fork']
/** Events that need many histories. */
const rare = [
  'crash at begin',
  'crash at commit',
  'crash at committed',
  'freeze at read',
  'ends late',
  'ends underpaid',
  'ends none',
]
const rareForks = [
  'a block with a payment returned',
  'rescan refused',
  'fork to a lower tip',
  'fork during a rescan',
  'found by the last rescan',
]

/** Required events: without them the histories prove little. */
const families: { dialect: Dialect; required: string[] }[] = [
  {
    dialect: solanaDialect,
    required: [...common, ...forks, 'heights without a block', ...(full ? [...rare, ...rareForks] : [])],
  },
  { dialect: tronDialect, required: [...common, ...forks, ...(full ? [...rare, ...rareForks] : [])] },
  { dialect: stellarDialect, required: [...common, 'ends in suspense', ...(full ? rare : [])] },
]

const groups = createParallelTests()
const stages: Stage[] = []
afterAll(() => Promise.all(stages.map(({ database }) => database.drop())))

for (const { dialect, required } of families) {
  groups.test(
    dialect.family,
    `${dialect.family}: crashes, restarts, duplicates and forks in random order: credited payments match the chain, and no credited payment is reverted`,
    async () => {
      const stage = await openStage(dialect)
      stages.push(stage)
      const { seenReverted } = await runUntil(stage, howMany(4, 300), required, ({ creditedReverted }) => {
        // Only final payments are credited.
        expect(creditedReverted).toBe(false)
      })
      expect(missing(stage, required)).toEqual([])
      if (dialect.finalDepth === 0) expect(seenReverted).toBe(0)
    },
    full ? 3_600_000 : 900_000,
  )
}
