import { syncWhenDue } from '../../src/collections/startSync.ts'
import type { StepContext } from '../../src/collections/stepCollection.ts'
import type { Round } from '../../src/collections/syncRound.ts'
import { createTurns } from '../../src/partnerPayments/partnerTurns.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { pause } from '../../src/platform/wait.ts'
import type { OpenCollections } from './openCollections.ts'

export interface TwoWorkers {
  /** Both check again and again if a round is due, until one has ended. @returns the rounds that were made */
  rounds(): Promise<Round[]>
  close(): Promise<void>
}

/** Two workers that sync collections, each with a pool of its own; their calls have turns. */
export function openTwoWorkers({ ctx, databaseUrl }: OpenCollections): TwoWorkers {
  const dbs = [openDb(databaseUrl, 4), openDb(databaseUrl, 4)]
  const workers = dbs.map(
    (db) =>
      ({ ...ctx, db, turn: createTurns(db, 'yellowcard', new AbortController().signal) }) as StepContext,
  )
  return {
    async rounds() {
      const over = new AbortController()
      const look = async (worker: StepContext): Promise<Round[]> => {
        const made: Round[] = []
        try {
          do {
            const round = await syncWhenDue(worker)
            if (round) made.push(round)
            else await pause(100, over.signal)
          } while (made.length === 0 && !over.signal.aborted)
          return made
        } finally {
          over.abort()
        }
      }
      return (await Promise.all(workers.map(look))).flat()
    },
    async close() {
      await Promise.all(dbs.map((db) => db.close()))
    },
  }
}
