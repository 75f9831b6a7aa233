import type { Db } from '../../src/platform/database/db.ts'

/** Transactions of `db` that note the text of each statement, in their order. */
export function notedStatements(db: Pick<Db, 'tx'>): { texts: readonly string[]; noting: Pick<Db, 'tx'> } {
  const texts: string[] = []
  const noting: Pick<Db, 'tx'> = {
    tx: (work) =>
      db.tx((tx) =>
        work({
          ...tx,
          query: (text, values) => {
            texts.push(text)
            return tx.query(text, values)
          },
          send: (text, values) => {
            texts.push(text)
            tx.send(text, values)
          },
        }),
      ),
  }
  return { texts, noting }
}
