import { randomBytes } from 'node:crypto'
import { type Envelope, envelopeColumns } from '../../src/custody/envelope.ts'
import type { KeyProvider } from '../../src/custody/keyProvider.ts'
import { readRequestKey } from '../../src/custody/requestKey.ts'
import { seedContext } from '../../src/custody/seed.ts'
import { keyProviderSettings } from '../../src/custody/settings.ts'
import { appKeyOf } from '../../src/platform/appKey.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { keyProviderOf } from '../../treasury/keyProvider.ts'
import { type DoctorContext, settingsIn, stepMs, valuesOf } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, fault } = findingsOf('keys')
const probeContext = 'cowry/doctor/v1'

/**
 * The wrapping key works, and is the one that this database's seed was wrapped with. The seed itself stays
 * closed.
 */
export async function checkSeedKey(ctx: DoctorContext): Promise<Finding[]> {
  const settings = settingsIn(ctx, 'treasury', keyProviderSettings)
  const config = valuesOf(ctx, 'treasury', ['DATABASE_URL'])
  if (!settings) return []
  const provider = keyProviderOf(settings)
  const isKms = settings.SEED_KEY_PROVIDER === 'aws-kms'
  try {
    const probe = new Secret<Uint8Array>(randomBytes(32))
    const opened = await provider.unwrap(await provider.wrap(probe, probeContext), probeContext)
    if (!Buffer.from(opened.reveal()).equals(Buffer.from(probe.reveal())))
      throw new Error('it did not open what it had wrapped')
  } catch (error) {
    return [
      fault(
        'treasury',
        'kms',
        messageOf(error),
        'Correct KMS_KEY_ARN, the credentials, or the key’s policy in AWS (docs/custody.md); the treasury does not start without it.',
      ),
    ]
  }
  const found = config ? await withDb(config.DATABASE_URL, (db) => seedWrapped(db, provider)) : null
  return [found ?? ok('treasury', isKms ? 'AWS KMS wraps and opens' : 'SEED_KEY wraps and opens')]
}

async function seedWrapped(db: Db, provider: KeyProvider): Promise<Finding | null> {
  const [row] = await db.query<Envelope>(`select ${envelopeColumns} from seeds`)
  if (!row) return null
  return provider.unwrap(row, seedContext).then(
    () => null,
    (error) =>
      fault(
        'treasury',
        'seed_key_wrong',
        `the seed of this database cannot be opened: ${messageOf(error)}`,
        'Set the key of this deployment again, from your copy; while keys are changed, set the one before as …_PREVIOUS (docs/custody.md).',
      ),
  )
}

/** APP_KEY is the one that this database was used with. */
export async function checkAppKey(ctx: DoctorContext): Promise<Finding[]> {
  const config = valuesOf(ctx, 'api', ['DATABASE_URL', 'APP_KEY', 'APP_KEY_PREVIOUS'])
  if (!config) return []
  const found = await withDb(config.DATABASE_URL, (db) =>
    readRequestKey({ db, appKey: appKeyOf(config) }).then(
      () => null,
      (error) =>
        // Other failures are the database's.
        /APP_KEY/.test(messageOf(error))
          ? fault(
              'api',
              'app_key_wrong',
              messageOf(error),
              'Set APP_KEY to its value from before, or as APP_KEY_PREVIOUS while it is changed (docs/custody.md).',
            )
          : null,
    ),
  )
  return found ? [found] : []
}

/** Null also where the database cannot be read: its own check reports that. */
async function withDb(url: string, work: (db: Db) => Promise<Finding | null>): Promise<Finding | null> {
  const db = openDb(url, 1, { statementMs: stepMs, waitMs: stepMs })
  try {
    return await work(db)
  } catch {
    return null
  } finally {
    await db.close()
  }
}
