import { requireMigrated } from '../migrations/migrated.ts'
import { type CheckedCopy, checkCopy } from '../src/backup/checkCopy.ts'
import { recordCheck } from '../src/backup/recordCheck.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { counted } from './counted.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const withOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d(:?\d\d)?)$/

export const run = program('backup', async (words, { to }) => {
  if (words.join(' ') !== 'check') throw new UsageError()
  const moment = to === undefined ? null : momentOf(to)
  const config = readConfig(['DATABASE_URL', 'RESTORED_DATABASE_URL', 'APP_KEY', 'APP_KEY_PREVIOUS'])
  const { RESTORED_DATABASE_URL: restored } = config
  if (!restored)
    throw new ConfigError(
      'RESTORED_DATABASE_URL is not set: it leads to the copy that is checked (docs/backup.md)',
    )
  let code = 1
  await withDatabase(config.DATABASE_URL, (live) =>
    withDatabase(restored, async (copy) => {
      await requireMigrated(live)
      const checked = await checkCopy({ copy, live, appKey: appKeyOf(config), requireMigrated }, moment)
      await recordCheck(live, checked)
      report(checked)
      code = checked.faults.length === 0 ? 0 : 1
    }),
  )
  return code
})

function momentOf(text: string): Date {
  const moment = new Date(text.replace(' ', 'T'))
  if (!withOffset.test(text) || Number.isNaN(moment.getTime()) || moment.getTime() > Date.now())
    throw new UsageError()
  return moment
}

function report({ restoredTo, faults, holdsBack, entries }: CheckedCopy): void {
  const seconds = Math.round((Date.now() - restoredTo.getTime()) / 1000)
  say(
    `restored to ${restoredTo.toISOString()}, ${seconds} s ago, with ${counted(entries, 'entry', 'entries')} of the ledger`,
  )
  for (const fault of faults) say(`fault: ${fault}`)
  if (!holdsBack)
    say(
      'The copy does not count as restored: before Cowry starts on one made like this, run npm run cowry -- custody after-restore (docs/runbooks/restored.md).',
    )
  say(faults.length === 0 ? 'sound' : `not sound: ${counted(faults.length, 'fault')}`)
}
