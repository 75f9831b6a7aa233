import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { openText, sealText } from '../custody/sealText.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { BaseError, messageOf } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { signingKeyContext } from './sealedColumns.ts'
import { tokenSeconds } from './signIns.ts'

export const algorithm = 'ES256'

/** A key is published this long before it signs, so that clients that cache the set have it in time. */
const publishedBeforeSeconds = 10 * 60
/** A key stays published this long after the last token that it signed has expired. */
const publishedAfterSeconds = 5 * 60
const readAgainMs = 30_000
const lockId = 0x6a776b73

type Key = Awaited<ReturnType<typeof importJWK>>

interface SigningKey {
  kid: string
  publicJwk: JWK
  activeAt: Date
  privateKey: Key
  publicKey: Key
}

/** The key set for access tokens: it rotates by itself, and the processes share it through the database. */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<{ kid: string; key: Key }>
  /** A key that may have signed valid tokens. */
  find(kid: string): Promise<Key | null>
  /** The public set (RFC 7517). */
  published(): Promise<JWK[]>
}

/** @param changeDays how long a key signs */
export function createSigningKeys(
  ctx: { db: Db; appKey: Secret; log: Log },
  changeDays: number,
): SigningKeys {
  let keys: SigningKey[] = []
  let readAt = 0
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    await ctx.db.tx(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [lockId])
      const [newest] = await tx.query<{ old: boolean }>(
        `select active_at < now() - $1 * interval '1 day' as old from signing_keys order by active_at desc limit 1`,
        [changeDays],
      )
      if (!newest || newest.old) {
        await insertKey(ctx, tx, newest ? publishedBeforeSeconds : 0)
        ctx.log.info('new signing key for access tokens')
      }
      // Delete replaced keys once all their tokens have expired, so that no private part is kept longer than
      // needed.
      await tx.query(
        `delete from signing_keys k where exists (
           select 1 from signing_keys n where n.active_at > k.active_at and n.active_at < now() - $1 * interval '1 second')`,
        [tokenSeconds + publishedAfterSeconds],
      )
    })
    const rows = await ctx.db.query<{ id: string; sealed: Buffer; activeAt: Date }>(
      'select id, sealed, active_at as "activeAt" from signing_keys order by active_at desc',
    )
    const known = new Map(keys.map((key) => [key.kid, key]))
    keys = await Promise.all(rows.map(async (row) => known.get(row.id) ?? openKey(ctx.appKey, row)))
    readAt = Date.now()
  }

  /** The set, refreshed when older than `within` ms; while the database is away, the last one read. */
  async function fresh(within: number): Promise<SigningKey[]> {
    if (Date.now() - readAt < within) return keys
    reading ??= read().finally(() => {
      reading = null
    })
    await reading.catch((error) => {
      // Without the right APP_KEY this process must not sign with keys that it read before.
      if (error instanceof UnopenableKeyError) keys = []
      if (keys.length === 0) throw error
      ctx.log.warn({ err: messageOf(error) }, 'signing keys not refreshed: using the last ones read')
    })
    return keys
  }

  return {
    async current() {
      const set = await fresh(readAgainMs)
      // If all keys are still in the future, by a clock behind the database's, the oldest signs.
      const key = set.find(({ activeAt }) => activeAt.getTime() <= Date.now()) ?? set.at(-1)
      if (!key) throw new Error('no signing key is active')
      return { kid: key.kid, key: key.privateKey }
    },
    async find(kid) {
      const has = (set: SigningKey[]) => set.find((key) => key.kid === kid)
      // The key may have just been created by another process; refresh at most once a second, because a kid
      // can be made up.
      const key = has(await fresh(readAgainMs)) ?? has(await fresh(1000))
      return key?.publicKey ?? null
    },
    published: async () =>
      (await fresh(readAgainMs)).map(({ kid, publicJwk }) => ({
        ...publicJwk,
        kid,
        alg: algorithm,
        use: 'sig',
      })),
  }
}

async function insertKey(
  ctx: { appKey: Secret },
  db: { query(text: string, values: unknown[]): Promise<unknown> },
  inSeconds: number,
): Promise<void> {
  const kid = newId()
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const sealed = sealText(
    ctx.appKey,
    signingKeyContext(kid),
    new Secret(JSON.stringify(await exportJWK(privateKey))),
  )
  await db.query(
    `insert into signing_keys (id, sealed, active_at) values ($1, $2, now() + $3 * interval '1 second')`,
    [kid, sealed, inSeconds],
  )
}

/** The private half of a signing key cannot be opened with this `APP_KEY`. */
class UnopenableKeyError extends BaseError {
  readonly code = 'signing_key_unopenable'
  readonly retry = 'no'
}

/** @throws with a hint where the key was sealed with another `APP_KEY` */
function openPrivate(appKey: Secret, { id, sealed }: { id: string; sealed: Buffer }): Secret {
  try {
    return openText(appKey, signingKeyContext(id), sealed)
  } catch (cause) {
    const hint =
      'set APP_KEY to its previous value, or make a new key with npm run cowry -- account roll-signing-keys'
    throw new UnopenableKeyError(`cannot open signing key ${id}: ${hint}`, { cause })
  }
}

async function openKey(
  appKey: Secret,
  row: { id: string; sealed: Buffer; activeAt: Date },
): Promise<SigningKey> {
  const { kty = '', crv = '', x = '', y = '', d = '' } = JSON.parse(openPrivate(appKey, row).reveal()) as JWK
  // Derived from the sealed part: write access to the table must not be enough to replace a key.
  const publicJwk: JWK = { kty, crv, x, y }
  return {
    kid: row.id,
    publicJwk,
    activeAt: row.activeAt,
    privateKey: await importJWK({ ...publicJwk, d }, algorithm),
    publicKey: await importJWK(publicJwk, algorithm),
  }
}

/**
 * Deletes every key and creates a new one: all access tokens end, at the latest when the other processes
 * refresh the set.
 */
export async function rollSigningKeys(
  ctx: { db: Db; appKey: Secret },
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockId])
    await tx.query('delete from signing_keys')
    await insertKey(ctx, tx, 0)
    await also(tx)
  })
}
