import { afterAll, expect } from '@jest/globals'
import fc from 'fast-check'
import { full, howMany } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { evmSpokenDialect } from './histories/families/evmSpoken.ts'
import { solanaDialect } from './histories/families/solana.ts'
import { stellarDialect } from './histories/families/stellar.ts'
import { tronDialect } from './histories/families/tron.ts'
import { lies } from './histories/lies.ts'
import { openStage, type Stage, turnsOf } from './histories/live.ts'
import { liarHistories, liveWithLiar } from './histories/liveWithLiar.ts'

/*
 * Random histories with two or three providers, of which one lies: in what blocks hold and what is final, in what it has, in internal
 * movements, in the chain's height, about a fork. All loops of the indexer run, over the family's own reader and a real Postgres.
 */

const groups = createParallelTests()
const stages: Stage[] = []
afterAll(() => Promise.all(stages.map(({ database }) => database.drop())))

// The families do not wait for one another: much of a history is waiting.
for (const dialect of [evmSpokenDialect, solanaDialect, tronDialect, stellarDialect]) {
  groups.test(
    dialect.family,
    `${dialect.family}: one provider lies: nothing is credited that the others do not know, nothing is lost, and no indexer ends`,
    async () => {
      const stage = await openStage(dialect)
      stages.push(stage)
      const started = Date.now()
      let [histories, max] = [0, 0]
      const property = fc.asyncProperty(liarHistories, async (history) => {
        const { callsPerBlock } = await liveWithLiar(stage, dialect, history)
        histories++
        if (histories % 50 === 0)
          process.stdout.write(`\n${dialect.family}: ${histories} histories after ${Math.round((Date.now() - started) / 1000)} s\n`)
        max = Math.max(max, callsPerBlock)
      })
      const usual = howMany(16, 1000)
      await fc.assert(property, { numRuns: usual, endOnFailure: true })
      // Which lies a few histories tell is chance.
      const missing = () => lies.filter((lie) => (lie !== 'finality' || dialect.finalDepth !== 0) && !stage.turns.has(`lies about ${lie}`))
      while (missing().length > 0 && histories < 5 * usual) await fc.assert(property, { numRuns: 1, endOnFailure: true })
      process.stdout.write(
        `\n${dialect.family}: ${histories} histories with a liar in ${Math.round((Date.now() - started) / 1000)} s; at most ${Math.round(max)} calls a block to an honest provider\n${turnsOf(stage)}\n`,
      )
      // Each block is read, witnessed, traced and looked at again after forks; a dispute rests longer and longer. While providers differ about a
      // fork, each poll asks for a header: every 20 ms here, for ten seconds at most. On a quiet machine 15 are usual at most; a loop without a
      // pause would make thousands.
      expect(max).toBeLessThan(100)
      expect(missing()).toEqual([])
    },
    full ? 7_200_000 : 300_000,
  )
}
