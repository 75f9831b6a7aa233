import { requireMigrated } from '../migrations/migrated.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { stellarKeyDeriver } from '../src/chains/stellar/keyDeriver.ts'
import { openPlatformAccount } from '../src/chains/stellar/openAccount.ts'
import { openSeed } from '../src/custody/seed.ts'
import { keyProviderSettings } from '../src/custody/settings.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { keyProviderOf } from '../treasury/keyProvider.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('open-account', openAccount)

/** @returns the exit code: 1 if the account is not funded yet */
async function openAccount(args: string[]): Promise<number> {
  const [named, purpose, ...more] = args
  if (named !== 'stellar' || (purpose !== undefined && purpose !== 'staking') || more.length > 0)
    throw new UsageError()
  const config = readConfigOf('treasury', ['DATABASE_URL'], process.env, [keyProviderSettings])
  const keyProvider = keyProviderOf(readSettings('treasury', keyProviderSettings))
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find(({ name }) => name === 'stellar')
  if (!chain) throw new ConfigError('STELLAR_RPC_URLS names no node')
  const db = openDb(config.DATABASE_URL, 1)
  try {
    await requireMigrated(db)
    const seed = await openSeed({ db, keyProvider })
    const path = purpose === 'staking' ? stellarKeyDeriver.stakingPath : stellarKeyDeriver.treasuryPath
    const opened = await openPlatformAccount(chain, seed.reveal(), path)
    say(
      `${purpose === 'staking' ? 'The account that holds stakes' : 'The account that deposits come to'}: ${opened.account}`,
    )
    if (opened.missingReserve !== null) {
      say(
        `It needs ${opened.missingReserve} XLM more for its tokens and the fee. Send at least that, then run this again.`,
      )
      return 1
    }
    for (const asset of opened.trusted)
      say(`  takes ${asset}${opened.added.includes(asset) ? ' from now on' : ''}`)
    return 0
  } finally {
    await db.close()
  }
}
