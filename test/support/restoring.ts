import { resumeAfterRestore } from '../../src/outflows/checkAfterRestore.ts'
import type { Db } from '../../src/platform/database/db.ts'

/** From now on the database counts as a restored copy. */
export async function restore(db: Db): Promise<void> {
  await db.query('delete from database_identity')
}

/** The operator has settled what had left before, as `npm run cowry -- intents reconciled` does. */
export async function acknowledge(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(
      'insert into database_identity (identity) values (present_identity()) on conflict do nothing',
    )
    await resumeAfterRestore(tx)
  })
}
