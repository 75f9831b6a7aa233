import { afterAll, expect } from '@jest/globals'
import { full, howMany } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import type { Dialect } from './histories/dialect.ts'
import { solanaDialect } from './histories/families/solana.ts'
import { stellarDialect } from './histories/families/stellar.ts'
import { tronDialect } from './histories/families/tron.ts'
import { openStage, type Stage } from './histories/live.ts'
import { liveUntil, missing } from './histories/liveUntil.ts'

/*
 * The random histories of the other families: the same loop, over a chain of our own that a node in this process tells in the family's
 * own protocol, read by the family's own reader.
 */

/** What a few histories already have. */
const common = ['crash at read', 'freeze at begin', 'fenced', 'ends paid', 'ends pending', 'ends expired', 'ends wrong_token', 'ends overpaid']
const forks = ['reorg', 'fork', 'taken back by a fork']
/** What many have. */
const rare = ['crash at begin', 'crash at commit', 'crash at committed', 'freeze at read', 'ends late', 'ends underpaid', 'ends none']
const rareForks = [
  'a block came back with a payment',
  'rescan refused',
  'fork to a lower tip',
  'fork in the middle of a rescan',
  'found by the last rescan',
]

/** Without these the histories would prove little. */
const families: { dialect: Dialect; musts: string[] }[] = [
  { dialect: solanaDialect, musts: [...common, ...forks, 'heights without a block', ...(full ? [...rare, ...rareForks] : [])] },
  { dialect: tronDialect, musts: [...common, ...forks, ...(full ? [...rare, ...rareForks] : [])] },
  { dialect: stellarDialect, musts: [...common, 'ends in suspense', ...(full ? rare : [])] },
]

const groups = createParallelTests()
const stages: Stage[] = []
afterAll(() => Promise.all(stages.map(({ database }) => database.drop())))

for (const { dialect, musts } of families) {
  groups.test(
    dialect.family,
    `${dialect.family}: crashes, restarts, duplicates and what forks there are, in random order: what is credited is what the chain pays, and nothing credited is taken back`,
    async () => {
      const stage = await openStage(dialect)
      stages.push(stage)
      const { takenBack } = await liveUntil(stage, howMany(5, 300), musts, ({ creditedReverted }) => {
        // Credited is what the chain calls final.
        expect(creditedReverted).toBe(false)
      })
      expect(missing(stage, musts)).toEqual([])
      if (dialect.finalDepth === 0) expect(takenBack).toBe(0)
    },
    full ? 3_600_000 : 900_000,
  )
}
