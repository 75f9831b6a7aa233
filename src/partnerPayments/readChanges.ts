import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../platform/database/db.ts'
import { notAhead } from './partnerTime.ts'
import { type SyncTable, storeSynced } from './syncRounds.ts'

/**
 * Clocks differ, and a change may be listed late: the list is read again from so long before the last one
 * that was read.
 */
const overlapMs = 10 * 60_000
/** Questions for what the list does not show are spread over so long. */
export const spreadMs = 4 * 60_000

export interface ChangePage<Listed> {
  /** The oldest change first. */
  listed: readonly Listed[]
  isLast: boolean
}

export interface ListOfChanges<Listed> {
  table: SyncTable
  partner: string
  /** Resolves when the partner may get a request again. */
  turn(): Promise<void>
  /** What has changed since then; `page` counts from 1. */
  ask(since: Date, page: number): Promise<ChangePage<Listed>>
  /** Stores a page. @param askedAt when its request started */
  take(page: ChangePage<Listed>, askedAt: Date): Promise<void>
}

/** Where a round reads the list from that has to know all changes since `from`. */
export const startOfRound = (from: Date): Date => new Date(from.getTime() - overlapMs)

/**
 * Reads a partner's list of what has changed since `from`, page by page. Each page starts at the time of the
 * last one's end: what changes meanwhile moves to a later page, and nothing is left out. A time from the
 * future starts no page and no round.
 */
export async function readChanges<Listed extends { updatedAt: Date }>(
  db: Queryable,
  from: Date,
  list: ListOfChanges<Listed>,
): Promise<void> {
  for (let [since, number, isLast] = [startOfRound(from), 1, false]; !isLast; ) {
    await list.turn()
    const askedAt = new Date()
    const page = await list.ask(since, number)
    await list.take(page, askedAt)
    isLast = page.isLast
    // A time from the future is not taken over: it would leave out all that changes before it.
    const last =
      page.listed.findLast((each) => notAhead({ ...each, askedAt }) === each.updatedAt)?.updatedAt ?? since
    // More than a page with one time, or no readable time: the next page from the same time.
    ;[since, number] = last > since ? [last, 1] : [since, number + 1]
    if (!isLast && since > from) await storeSynced(db, list.table, list.partner, since)
    // Other work of this process goes on.
    await sleep(0)
  }
}
