import { afterAll, expect } from '@jest/globals'
import fc from 'fast-check'
import { full, howMany } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { falseAnswers } from './histories/falseAnswers.ts'
import { evmProtocolDialect } from './histories/families/evmProtocol.ts'
import { solanaDialect } from './histories/families/solana.ts'
import { stellarDialect } from './histories/families/stellar.ts'
import { tronDialect } from './histories/families/tron.ts'
import { eventCountsOf, openStage, type Stage } from './histories/runHistory.ts'
import { liarHistories, runWithLiar } from './histories/runWithLiar.ts'

/*
 * Random histories with two or three providers, one of which answers falsely: about content and finality of
 * blocks, missing blocks, internal transfers, the chain's height, or a fork. All loops of the indexer run,
 * over the family's reader and a real Postgres.
 */

const groups = createParallelTests()
const stages: Stage[] = []
afterAll(() => Promise.all(stages.map(({ database }) => database.drop())))

// Families run in parallel: much of a history is waiting.
for (const dialect of [evmProtocolDialect, solanaDialect, tronDialect, stellarDialect]) {
  groups.test(
    dialect.family,
    `${dialect.family}: with one false provider, only real payments are credited, no payment is lost, and no indexer ends`,
    async () => {
      const stage = await openStage(dialect)
      stages.push(stage)
      const started = Date.now()
      let [histories, max] = [0, 0]
      const property = fc.asyncProperty(liarHistories, async (history) => {
        const { callsPerBlock } = await runWithLiar(stage, dialect, history)
        histories++
        if (histories % 50 === 0)
          process.stdout.write(
            `\n${dialect.family}: ${histories} histories after ${Math.round((Date.now() - started) / 1000)} s\n`,
          )
        max = Math.max(max, callsPerBlock)
      })
      const usual = howMany(6, 1000)
      await fc.assert(property, { numRuns: usual, endOnFailure: true })
      // False answers are random: a few histories may not have all.
      const missing = () =>
        falseAnswers.filter(
          (forged) =>
            (forged !== 'finality' || dialect.finalDepth !== 0) &&
            !stage.eventCounts.has(`lies about ${forged}`),
        )
      while (missing().length > 0 && histories < 5 * usual)
        await fc.assert(property, { numRuns: 1, endOnFailure: true })
      process.stdout.write(
        `\n${dialect.family}: ${histories} histories with a liar in ${Math.round((Date.now() - started) / 1000)} s; at most ${Math.round(max)} calls a block to an honest provider\n${eventCountsOf(stage)}\n`,
      )
      // Each block is read, cross-checked, traced and read again after forks; retries of a dispute back off.
      // While providers differ about a fork, each poll reads a header: every 20 ms here, for ten seconds at
      // most, so 500 times. 15 is usual on a quiet machine; a loop without pauses would make thousands.
      expect(max).toBeLessThan(500)
      expect(missing()).toEqual([])
    },
    full ? 7_200_000 : 300_000,
  )
}
