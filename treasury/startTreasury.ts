import { requireMigrated } from '../migrations/migrated.ts'
import { fillEventAccounts } from '../src/bridge/eventAccounts.ts'
import { settingsOf } from '../src/capabilities.ts'
import type { Family } from '../src/chains/chain.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { keyDerivers } from '../src/chains/keyDerivers.ts'
import { watchAccount } from '../src/corrections/watchAccount.ts'
import { fillPool, poolSize, replacePool } from '../src/custody/depositPool.ts'
import { openPlatformKeys } from '../src/custody/platformKeys.ts'
import { createVerifier } from '../src/custody/proof.ts'
import { finishRoll } from '../src/custody/rollWalletKey.ts'
import { openSeed } from '../src/custody/seed.ts'
import { treasurySettings } from '../src/custody/settings.ts'
import { publishTreasuries } from '../src/custody/treasuryAddress.ts'
import { openWalletKeys } from '../src/custody/walletKeys.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import { openDb, refuseWrongAddress, requireWritable, timesOf } from '../src/platform/database/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { repeat } from '../src/platform/repeat.ts'
import { pause } from '../src/platform/wait.ts'
import { publishStakingAddresses } from '../src/staking/stakingAddress.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { keyProviderOf } from './keyProvider.ts'
import { signUntil } from './signing.ts'

const pollMs = 1000
const families = Object.keys(keyDerivers) as Family[]

/** The only process that opens the seed. It takes its work from Postgres and listens on no port. */
export async function startTreasury({
  log,
  metrics,
  onStop,
  readyWhen,
  stopping,
}: ProcessContext): Promise<void> {
  const processConfig = readConfigOf(
    'treasury',
    processVariables.treasury,
    process.env,
    settingsOf('treasury'),
  )
  const config = {
    ...processConfig,
    ...readSettings('treasury', treasurySettings),
    ...readSettings('treasury', txmgrSettings.treasury),
  }
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const db = openDb(config.DATABASE_URL, Math.max(2, Math.min(config.DATABASE_POOL, 4)), timesOf(config))
  onStop(() => db.close())
  await refuseWrongAddress(config, timesOf(config).waitMs)
  await requireMigrated(db)
  await warnOfRights(db, log)
  readyWhen({ name: 'database', check: () => requireWritable(db) })

  const keyProvider = keyProviderOf(config)
  const seed = await openSeed({ db, keyProvider })
  const keys = openPlatformKeys(seed)
  await publishTreasuries(db, keys, families)
  await publishStakingAddresses(db, keys, families)
  const wallets = await openWalletKeys({ db, keyProvider })
  const { unopened } = await finishRoll({ db, keyProvider })
  if (unopened.length > 0)
    log.error({ wallets: unopened.slice(0, 100), count: unopened.length }, 'stored wallets cannot be opened')
  const free = metrics.gauge('deposit_pool_free', 'Deposit addresses that no session has taken', ['family'])
  const added = metrics.counter('deposit_pool_added_total', 'Deposit addresses that were derived', ['family'])
  const lowWater = metrics.gauge('deposit_pool_low_water', 'Below this the pool is filled again')
  for (const family of families) added.inc({ family }, 0)
  lowWater.set(config.POOL_LOW_WATER)

  for (const family of families) {
    // Before the pool hands out an address of it.
    const codec = addressCodec(family)
    const account = codec.account?.(keyDerivers[family].deriveDeposit(seed.reveal(), 0).address)
    if (account) await watchAccount({ db, codec }, family, account)
    await watchAccount({ db, codec }, family, keys.staking(family))
  }

  const sound = metrics.gauge('wallet_keys_sound', '1 while stored wallets are sealed to the treasury’s keys')
  const burnsOnSolana = chains.some(({ family, cctp }) => family === 'solana' && cctp !== undefined)
  const maintain = async () => {
    const found = await wallets.verify().then(
      () => null,
      (error) => messageOf(error),
    )
    sound.set(found === null ? 1 : 0)
    if (found !== null) log.error({ err: found }, 'stored wallets may be sealed to a key that is not ours')
    const replaced = await replacePool(db)
    if (replaced)
      log.warn(
        replaced,
        'the database was restored: the free addresses were removed from the pool, and others are derived',
      )
    if (burnsOnSolana) await fillEventAccounts(db, keys)
    for (const family of families) {
      const size = await poolSize(db, family)
      free.set({ family }, size)
      if (size >= config.POOL_LOW_WATER) continue
      const count = await fillPool({ db, deriver: keyDerivers[family], seed }, family, config.POOL_TARGET)
      added.inc({ family }, count)
      free.set({ family }, await poolSize(db, family))
      log.info({ family, added: count }, 'deposit addresses added to the pool')
    }
  }
  await maintain()
  const maintaining = (async () => {
    await pause(pollMs, stopping)
    const failed = (error: unknown): void =>
      log.error({ err: messageOf(error) }, 'the pool could not be filled; trying again')
    await repeat(stopping, { everyMs: pollMs, failed }, maintain)
  })()
  onStop(() => maintaining)
  const signing = signUntil(
    {
      db,
      log,
      metrics,
      chains,
      wallets,
      keys,
      environment: config.ENVIRONMENT,
      proofs: {
        api: createVerifier(config.API_INTENT_PUBLIC_KEYS),
        worker: createVerifier(config.WORKER_INTENT_PUBLIC_KEYS),
      },
      settings: (of) => readSettings('treasury', of),
      directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    },
    stopping,
  )
  onStop(() => signing)
}
