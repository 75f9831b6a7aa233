import { readConfig } from '../src/platform/config.ts'
import { deadRows, replayDead } from '../src/platform/database/outbox.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

export const run = program('dead-jobs', async ([command, ...more]) => {
  if ((command !== undefined && command !== 'replay') || more.length > 0) throw new UsageError()
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, async (db) => {
    if (command === 'replay') {
      const replayed = await replayDead(db)
      process.stdout.write(
        `${[...replayed.values()].reduce((sum, each) => sum + each, 0)} jobs will be tried again\n`,
      )
      const additions = replayed.get('additions')
      if (additions)
        process.stdout.write(
          `${additions} are additions: those already reported as failed stay failed, and their businesses send them again\n`,
        )
    } else {
      const rows = await deadRows(db)
      for (const row of rows)
        process.stdout.write(
          `${row.id}  ${row.createdAt.toISOString()}  ${row.queue}  ${JSON.stringify(row.payload)}  ${row.error ?? ''}\n`,
        )
      process.stdout.write(`${rows.length} dead jobs\n`)
    }
  })
})
