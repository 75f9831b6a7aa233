import { createHash, randomInt } from 'node:crypto'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { openText, sealText } from '../custody/sealText.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { Secret } from '../platform/secrets.ts'
import { totpContext } from './sealedColumns.ts'

// RFC 6238 with the options that every authenticator app supports: SHA-1, six digits, 30 seconds.
const shape = { issuer: 'Cowry', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks may differ by one step in both directions (RFC 6238, 5.2). */
const driftSteps = 1

const totpOf = (secret: Secret, label?: string) =>
  new TOTP({ ...shape, ...(label ? { label } : {}), secret: OtpSecret.fromBase32(secret.reveal()) })

/** A new secret of 160 bits in base 32. */
export const generateTotpSecret = (): Secret => new Secret(new OtpSecret({ size: 20 }).base32)

export const sealTotpSecret = (appKey: Secret, accountId: string, secret: Secret): Buffer =>
  sealText(appKey, totpContext(accountId), secret)

/** The URI that an authenticator scans. */
export const totpUri = (secret: Secret, email: string): string => totpOf(secret, email).toString()

/**
 * Takes a code of an account's authenticator. Each counts once: a code of the same or an earlier time step is
 * refused, also when sent concurrently.
 * @param account.totpSealed the account's sealed secret
 */
export async function takeTotpCode(
  ctx: { appKey: Secret },
  db: Queryable,
  account: { id: string; totpSealed: Buffer },
  code: string,
): Promise<boolean> {
  const totp = totpOf(openText(ctx.appKey, totpContext(account.id), account.totpSealed))
  if (!/^[0-9]{6}$/.test(code)) return false
  // Read the clock once: the step may change between two reads.
  const timestamp = Date.now()
  const delta = totp.validate({ token: code, timestamp, window: driftSteps })
  if (delta === null) return false
  const step = totp.counter({ timestamp }) + delta
  const taken = await db.query(
    'update accounts set totp_last_step = $2 where id = $1 and totp_last_step < $2 returning id',
    [account.id, step],
  )
  return taken.length === 1
}

const codes = 10
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Ten codes of 80 random bits each, as `xxxx-xxxx-xxxx-xxxx`: random enough for a fast hash. */
export function generateRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: codes }, () => [group(), group(), group(), group()].join('-'))
}

const hashOfCode = (code: string) =>
  createHash('sha256')
    .update(`cowry/recovery-code/${code.toLowerCase().replace(/[\s-]/g, '')}`)
    .digest()

/** Replaces an account's recovery codes; only hashes are stored. */
export async function storeRecoveryCodes(
  db: Queryable,
  accountId: string,
  fresh: readonly string[],
): Promise<void> {
  await db.query('delete from recovery_codes where account_id = $1', [accountId])
  await db.query('insert into recovery_codes (account_id, hash) select $1, unnest($2::bytea[])', [
    accountId,
    fresh.map(hashOfCode),
  ])
}

/** True when a code would be taken; used to let an owner through a lock-out. */
export async function isRecoveryCode(ctx: { db: Db }, accountId: string, code: string): Promise<boolean> {
  const rows = await ctx.db.query(
    'select 1 from recovery_codes where account_id = $1 and hash = $2 and used_at is null',
    [accountId, hashOfCode(code)],
  )
  return rows.length === 1
}

/** Takes a recovery code, once. */
export async function takeRecoveryCode(db: Queryable, accountId: string, code: string): Promise<boolean> {
  const taken = await db.query(
    'update recovery_codes set used_at = now() where account_id = $1 and hash = $2 and used_at is null returning account_id',
    [accountId, hashOfCode(code)],
  )
  return taken.length === 1
}
