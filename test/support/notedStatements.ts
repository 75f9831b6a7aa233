import type { Db } from '../../src/platform/database/db.ts'

/** A database that notes the text of each statement, in their order, also of its transactions. */
export function notedStatements<D extends Pick<Db, 'tx' | 'query'>>(
  db: D,
): { texts: readonly string[]; noting: D } {
  const texts: string[] = []
  const noting: Pick<Db, 'tx' | 'query'> = {
    query: (text, values) => {
      texts.push(text)
      return db.query(text, values)
    },
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
  return { texts, noting: { ...db, ...noting } }
}
