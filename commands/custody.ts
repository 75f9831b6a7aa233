import { existsSync, writeFileSync } from 'node:fs'
import { requireMigrated } from '../migrations/migrated.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { sealedColumns } from '../src/capabilities.ts'
import type { Family } from '../src/chains/chain.ts'
import { keyDerivers } from '../src/chains/keyDerivers.ts'
import { readPhrase as readStoredPhrase, seedOfPhrase } from '../src/custody/phrase.ts'
import { recoverAddresses } from '../src/custody/recoverAddresses.ts'
import { type RolledColumn, rollAppKey, rollVerifyKey } from '../src/custody/rollAppKey.ts'
import { rollSeedKey } from '../src/custody/rollSeedKey.ts'
import { keyProviderSettings } from '../src/custody/settings.ts'
import { openOutflows } from '../src/outflows/openOutflows.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfig, readConfigOf, readSettings } from '../src/platform/config.ts'
import { type Db, openDb } from '../src/platform/database/db.ts'
import { openIntents } from '../src/txmgr/dueIntents.ts'
import { declareRestored } from '../src/txmgr/restored.ts'
import { verifyKeyColumns, verifyKeyOf } from '../src/verification/dataKey.ts'
import { keyProviderOf } from '../treasury/keyProvider.ts'
import { program } from './program.ts'
import { readPhrase } from './readPhrase.ts'
import { openLine } from './shownOutflow.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const warn = (text: string) => process.stderr.write(`${text}\n`)
const actor = systemActor('cowry custody')

interface Options {
  file?: string | undefined
}
/** @returns the exit code */
type Work = (db: Db, options: Options) => Promise<number>

const commands: Record<string, { work: Work; takesFile?: true }> = {
  'roll-seed-key': { work: rollSeed },
  'roll-app-key': { work: rollApp },
  'roll-verify-key': { work: rollVerify },
  recover: { work: recover, takesFile: true },
  'show-mnemonic': { work: showPhrase, takesFile: true },
  'after-restore': { work: afterRestore },
}

export const run = program('custody', async ([name = '', ...more], options) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  // Nothing of the line is repeated: it may hold a phrase.
  if (!command || more.length > 0 || (options.file !== undefined && !command.takesFile))
    throw new UsageError()
  const db = openDb(readConfig(['DATABASE_URL']).DATABASE_URL, 1)
  try {
    await requireMigrated(db)
    return await command.work(db, options)
  } finally {
    await db.close()
  }
})

/** The configured key provider. @throws ConfigError with every mistake */
function keyProvider() {
  readConfigOf('treasury', [], process.env, [keyProviderSettings])
  return keyProviderOf(readSettings('treasury', keyProviderSettings))
}

async function rollSeed(db: Db): Promise<number> {
  const provider = keyProvider()
  const { rolled, unopened } = await rollSeedKey({ db, keyProvider: provider })
  const after = { ...provider.current, rolled }
  if (rolled > 0)
    await recordAudit(db, actor, { businessId: null, action: 'seed_key.rolled', target: null, after })
  say(`${rolled} rows were sealed with ${provider.current.provider} ${provider.current.wrappingKey}`)
  for (const { table, id, reason } of unopened) warn(`${table} ${id} stays as it is: ${reason}`)
  if (unopened.length === 0) say('every row is sealed with it: the key before is not needed any more')
  return unopened.length === 0 ? 0 : 1
}

async function rollApp(db: Db): Promise<number> {
  const config = readConfig(['APP_KEY', 'APP_KEY_PREVIOUS'])
  if (config.APP_KEY_PREVIOUS === undefined)
    throw new ConfigError(
      'APP_KEY_PREVIOUS is not set: give the key before there, and the new one in APP_KEY',
    )
  return sayRolled(db, 'APP_KEY', await rollAppKey({ db, appKey: appKeyOf(config) }, sealedColumns))
}

async function rollVerify(db: Db): Promise<number> {
  const config = readConfig(['VERIFY_KEY', 'VERIFY_KEY_PREVIOUS'])
  if (config.VERIFY_KEY_PREVIOUS === undefined)
    throw new ConfigError(
      'VERIFY_KEY_PREVIOUS is not set: give the key before there, and the new one in VERIFY_KEY',
    )
  return sayRolled(
    db,
    'VERIFY_KEY',
    await rollVerifyKey({ db, verifyKey: verifyKeyOf(config) }, verifyKeyColumns),
  )
}

async function sayRolled(
  db: Db,
  name: 'APP_KEY' | 'VERIFY_KEY',
  columns: readonly RolledColumn[],
): Promise<number> {
  const rolled = columns.reduce((sum, column) => sum + column.rolled, 0)
  if (rolled > 0)
    await recordAudit(db, actor, {
      businessId: null,
      action: `${name.toLowerCase()}.rolled`,
      target: null,
      after: { rolled },
    })
  for (const column of columns)
    say(`${column.table}.${column.column}: ${column.rolled} sealed with the new key`)
  for (const { table, column, unopened } of columns)
    for (const id of unopened) warn(`${table}.${column} of ${id} stays as it is: neither key opens it`)
  const left = columns.flatMap(({ unopened }) => unopened).length
  if (left === 0)
    say(`every secret is sealed with ${name}: take ${name}_PREVIOUS out where a process still has it`)
  return left === 0 ? 0 : 1
}

async function recover(db: Db, { file }: Options): Promise<number> {
  const seed = seedOfPhrase(await readPhrase(file))
  if (!seed)
    throw new ConfigError(
      'this is not a BIP-39 phrase: a word is unknown or missing, or the checksum is wrong',
    )
  const isFamily = (family: string): family is Family => Object.hasOwn(keyDerivers, family)
  const deriverOf = (family: string) => (isFamily(family) ? keyDerivers[family] : undefined)
  let saidAt = Date.now()
  const progress = (family: string, checked: number) => {
    if (Date.now() - saidAt < 5000) return
    saidAt = Date.now()
    warn(`${family}: ${checked} addresses checked`)
  }
  const { families, unreachable, unknownSessions } = await recoverAddresses(
    { db, seed, deriverOf },
    {
      progress,
      unreachable: ({ family, index, address, reason }) =>
        say(`not reached: ${family} ${index} ${address}: ${reason}`),
    },
  )
  for (const { family, checked, taken } of families)
    say(`${family}: ${checked} addresses checked, ${taken} of them taken`)
  if (unknownSessions > 0)
    say(`${unknownSessions} sessions are at addresses that are not in deposit_addresses`)
  const total = families.reduce((sum, { checked }) => sum + checked, 0)
  const proven = unreachable === 0 && unknownSessions === 0 && total > 0
  say(
    proven
      ? `the phrase reaches all ${total} addresses`
      : `the phrase does not reach ${unreachable} of ${total} addresses`,
  )
  return proven ? 0 : 1
}

async function showPhrase(db: Db, { file }: Options): Promise<number> {
  if (file === undefined && !process.stdout.isTTY) {
    throw new ConfigError(
      'the words are shown at a terminal only, so that no log or pipe keeps them; --file <path> writes them to a new file',
    )
  }
  if (file !== undefined && existsSync(file))
    throw new ConfigError(`there is a file ${file} already: name a new one`)
  const phrase = await readStoredPhrase({ db, keyProvider: keyProvider() })
  if (!phrase) throw new ConfigError('there is no seed yet: the treasury makes it at its first start')
  await recordAudit(db, actor, {
    businessId: null,
    action: 'seed.shown',
    target: null,
    after: { to: file === undefined ? 'terminal' : 'file' },
  })
  if (file === undefined) {
    say(phrase.reveal())
    warn('Write the words down, and clear the screen. Then prove the copy: npm run cowry -- custody recover')
    return 0
  }
  // Fails where the file exists, so that no other file is overwritten, and no program has it open already.
  writeFileSync(file, `${phrase.reveal()}\n`, { mode: 0o600, flag: 'wx' })
  say(`the 24 words are in ${file}, which only you can read: move it off this machine`)
  return 0
}

async function afterRestore(db: Db): Promise<number> {
  const { free, open, outflows } = await db.tx(async (tx) => {
    await declareRestored(tx)
    await recordAudit(tx, actor, { businessId: null, action: 'database.declared_restored', target: null })
    const [pool] = await tx.query<{ free: number }>(
      'select count(*)::int as free from deposit_addresses where taken_at is null',
    )
    return { free: pool?.free ?? 0, open: (await openIntents(tx)).length, outflows: await openOutflows(tx) }
  })
  say(
    'declared: the database is a copy of an earlier state. Nothing is signed or sent, and no deposit address is given out',
  )
  say(`1. start the treasury: it takes ${free} free addresses off the pool, and derives others`)
  say(`2. settle what is open (${open} transfers): npm run cowry -- intents restored`)
  say(
    `3. of the payouts, end those that had left (${outflows.length} open): npm run cowry -- payouts restored`,
  )
  for (const row of outflows) say(`   ${openLine(row)}`)
  say('4. npm run cowry -- intents reconciled')
  return 0
}
