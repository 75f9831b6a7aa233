import type { Db } from '../../src/platform/database/db.ts'

/**
 * A database whose first answer to a statement that starts so is lost: it was carried out. @returns also how
 * many were lost
 */
export function losingAnswer<D extends Db>(db: D, begin: string): { db: D; lost: () => number } {
  let lost = 0
  const query: Db['query'] = async <R extends object>(text: string, values?: unknown[]) => {
    const rows = await db.query<R>(text, values)
    if (!text.startsWith(begin) || lost > 0) return rows
    lost++
    throw databaseAway()
  }
  return { db: { ...db, query }, lost: () => lost }
}

export const databaseAway = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
