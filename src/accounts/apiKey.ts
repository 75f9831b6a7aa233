import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { apiKeyModel, type Scope } from './models.ts'

/** `test` keys belong to a deployment of test networks, `live` keys to one of mainnets. */
export type Environment = 'test' | 'live'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = new RegExp(`^ak_(test|live)_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/**
 * A new key: `ak_<environment>_`, 30 random base-62 digits, and 6 of their CRC-32, as GitHub's tokens do, so
 * that a mistyped key is told from an unknown one without asking the database.
 */
export function generateApiKey(environment: Environment): Secret {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return new Secret(`ak_${environment}_${random}${checksum(random)}`)
}

export function isApiKey(text: string): boolean {
  if (!form.test(text)) return false
  const body = text.slice(text.lastIndexOf('_') + 1)
  return checksum(body.slice(0, randomLength)) === body.slice(randomLength)
}

function checksum(text: string): string {
  let left = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[left % 62] + digits
    left = Math.floor(left / 62)
  }
  return digits
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()

/** Stores a new key of a business; the returned text is the only copy there will ever be. */
export async function createApiKey(
  ctx: { db: Db },
  options: { businessId: string; name: string; scope: Scope; environment: Environment },
): Promise<Secret> {
  const key = generateApiKey(options.environment)
  await storeApiKey(ctx, { ...options, key })
  return key
}

/** Stores a key that was generated before (the development seed keeps its key over restarts). */
export async function storeApiKey(ctx: { db: Db }, options: { businessId: string; name: string; scope: Scope; key: Secret }): Promise<void> {
  const text = options.key.reveal()
  await apiKeyModel(ctx.db.sequelize).create({
    id: newId(),
    businessId: options.businessId,
    name: options.name,
    prefix: text.slice(0, 12),
    hash: hashOf(text),
    scope: options.scope,
  })
}

/** Who is calling, and for which business. */
export interface Caller {
  businessId: string
  scope: Scope
}

/** The caller behind a key, or null when it is unknown, malformed, revoked or expired. */
export async function authenticateApiKey(ctx: { db: Db }, text: string): Promise<Caller | null> {
  if (!isApiKey(text)) return null
  const rows = await ctx.db.query<Caller>(
    `select business_id as "businessId", scope from api_keys
     where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [hashOf(text)],
  )
  return rows[0] ?? null
}
