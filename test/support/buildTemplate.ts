import { applyGrants } from '../../migrations/applyGrants.ts'
import { createMigrator } from '../../migrations/migrator.ts'
import type { Family } from '../../src/chains/chain.ts'
import { keyDerivers } from '../../src/chains/keyDerivers.ts'
import { fillPool } from '../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { publishStakingAddresses } from '../../src/staking/stakingAddress.ts'
import { seedKey, testRoles } from './template.ts'

const poolTarget = 400

// node test/support/buildTemplate.ts <url>: migrates a database and fills its pools of addresses.
const db = openModelDb(process.argv[2] ?? '', 2)
await createMigrator(db).up()
await applyGrants(db, testRoles)
const seed = await openSeed({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })
for (const family of Object.keys(keyDerivers) as Family[])
  await fillPool({ db, deriver: keyDerivers[family], seed }, family, poolTarget)
await publishStakingAddresses(db, openPlatformKeys(seed), Object.keys(keyDerivers) as Family[])
await db.close()
