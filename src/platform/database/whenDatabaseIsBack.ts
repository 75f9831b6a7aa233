import { pause } from '../wait.ts'
import { isDatabaseAway } from './databaseAway.ts'

const everyMs = 500

/**
 * Repeats `work` until it succeeds, fails for another reason than the database, or `forMs` have passed. For
 * what an outage of the database left claimed: without this the claim would have to run out. Never rejects.
 */
export async function whenDatabaseIsBack(forMs: number, work: () => Promise<unknown>): Promise<void> {
  for (const until = Date.now() + forMs; Date.now() < until; ) {
    await pause(everyMs)
    try {
      await work()
      return
    } catch (error) {
      if (!isDatabaseAway(error)) return
    }
  }
}
