import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from '../platform/secrets.ts'

/** `test` keys belong to a deployment on test networks, `live` keys to one on mainnets. */
export type Environment = 'test' | 'live'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = new RegExp(`^ak_(test|live)_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Length of the stored prefix, which includes four of the 30 random digits. */
export const prefixLength = 12

/**
 * A new key: `ak_<environment>_`, 30 random base-62 digits and 6 of their CRC-32, as in GitHub's tokens, so that a mistyped key is detected without
 * the database.
 */
export function generateApiKey(environment: Environment): Secret {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return new Secret(`ak_${environment}_${random}${checksum(random)}`)
}

/** The environment of a well-formed key; null for any other text. */
export function environmentOf(text: string): Environment | null {
  const [, environment] = form.exec(text) ?? []
  const body = text.slice(text.lastIndexOf('_') + 1)
  return checksum(body.slice(0, randomLength)) === body.slice(randomLength) ? ((environment as Environment | undefined) ?? null) : null
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
