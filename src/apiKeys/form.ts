import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../platform/secrets.ts'

/** `test` keys belong to a deployment on test networks, `live` keys to one on mainnets. */
export type Environment = 'test' | 'live'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
/** `ak`: of the API. `sk` and `pk`: secret and publishable keys of the verification area. */
export type KeyPrefix = 'ak' | 'sk' | 'pk'

const form = new RegExp(`^(ak|sk|pk)_(test|live)_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Length of the stored prefix, which includes four of the 30 random digits. */
export const prefixLength = 12

/**
 * A new key: `<prefix>_<environment>_`, 30 random base-62 digits and 6 of their CRC-32, as in GitHub's
 * tokens, so that a mistyped key is detected without the database.
 */
export function generateKey(prefix: KeyPrefix, environment: Environment): Secret {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return new Secret(`${prefix}_${environment}_${random}${checksum(random)}`)
}

export const generateApiKey = (environment: Environment): Secret => generateKey('ak', environment)

/** Prefix and environment of a well-formed key; null for any other text. */
export function readKey(text: string): { prefix: KeyPrefix; environment: Environment } | null {
  const [, prefix, environment] = form.exec(text) ?? []
  if (prefix === undefined) return null
  const body = text.slice(text.lastIndexOf('_') + 1)
  if (checksum(body.slice(0, randomLength)) !== body.slice(randomLength)) return null
  return { prefix: prefix as KeyPrefix, environment: environment as Environment }
}

/** The environment of a well-formed key of the API; null for any other text. */
export function environmentOf(text: string): Environment | null {
  const read = readKey(text)
  return read?.prefix === 'ak' ? read.environment : null
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

/** The stored hash of a key: 178 random bits need no slow hash. */
export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest()
