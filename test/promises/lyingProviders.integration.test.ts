import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { full, howMany } from '../support/full.ts'
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

describe.each([evmSpokenDialect, solanaDialect, tronDialect, stellarDialect].map((dialect) => ({ family: dialect.family, dialect })))(
  '$family',
  ({ dialect }) => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(dialect)
    })
    afterAll(() => stage?.database.drop())

    test(
      'one provider lies: nothing is credited that the others do not know, nothing is lost, and no indexer ends',
      async () => {
        const started = Date.now()
        let [histories, most] = [0, 0]
        const property = fc.asyncProperty(liarHistories, async (history) => {
          const { callsPerBlock } = await liveWithLiar(stage, dialect, history)
          histories++
          most = Math.max(most, callsPerBlock)
        })
        const usual = howMany(16, 1000)
        await fc.assert(property, { numRuns: usual, endOnFailure: true })
        // Which lies a few histories tell is chance.
        const untold = () => lies.filter((lie) => (lie !== 'finality' || dialect.finalDepth !== 0) && !stage.turns.has(`lies about ${lie}`))
        while (untold().length > 0 && histories < 5 * usual) await fc.assert(property, { numRuns: 1, endOnFailure: true })
        process.stdout.write(
          `\n${dialect.family}: ${histories} histories with a liar in ${Math.round((Date.now() - started) / 1000)} s; at most ${Math.round(most)} calls a block to an honest provider\n${turnsOf(stage)}\n`,
        )
        // The head and what is final are asked for all the while, and each block is read and witnessed; a dispute rests longer and longer.
        expect(most).toBeLessThan(30)
        expect(untold()).toEqual([])
      },
      full ? 3_600_000 : 300_000,
    )
  },
)
